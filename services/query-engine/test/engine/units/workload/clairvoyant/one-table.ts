/** The least units of reading what one occurrence of a table needs: every access path, priced from the items themselves. */
import type { TestItem } from '../../../engine-table.ts';
import { compare, passes, valueOf, type Predicate, type WorkloadQuery } from '../query.ts';
import { unitsOf, unitsOfPages } from './pages.ts';
import type { Entry, Source, TableData } from './table-data.ts';

/** What is asked of one occurrence. */
export interface Need {
  readonly predicates: readonly Predicate[];
  readonly columns: ReadonlySet<string>;
}

type Constant = string | number;

export function passing(items: readonly TestItem[], predicates: readonly Predicate[]): readonly TestItem[] {
  return items.filter((item) => predicates.every((predicate) => passes(item, predicate)));
}

export const sourcesOf = ({ table, indexes }: TableData): readonly Source[] => [table, ...indexes];

export function covers({ attributes }: Source, columns: Iterable<string>): boolean {
  return attributes === null || [...columns].every((column) => attributes.has(column));
}

/** The values that `=` and IN leave of a column; null: any. */
export function boundValues(column: string, predicates: readonly Predicate[]): readonly Constant[] | null {
  let bound: readonly Constant[] | null = null;
  for (const predicate of predicates) {
    if (predicate.column !== column) continue;
    if (predicate.kind !== 'in' && !(predicate.kind === 'compare' && predicate.operator === '=')) continue;
    const values: readonly Constant[] = predicate.kind === 'in' ? predicate.values : [predicate.value];
    const known: ReadonlySet<Constant> | null = bound === null ? null : new Set(bound);
    bound = [...new Set(values)].filter((value) => known?.has(value) ?? true);
  }
  return bound;
}

/** By key: an item that is missing costs half a unit. */
function unitsByKey(data: TableData, items: readonly TestItem[]): number {
  return items.reduce((sum, item) => sum + unitsOf(data.bytesOf.get(item) ?? 0), 0);
}

/** Items of the entries that may pass, as far as the source tells, where it lacks columns. */
export function lookedUp(
  source: Source,
  entries: readonly Entry[],
  { predicates }: Need,
): readonly TestItem[] {
  const known = predicates.filter(({ column }) => covers(source, [column]));
  return passing(
    entries.map(({ item }) => item),
    known,
  );
}

/** Each sort key that is named, or the range, or the whole partition: what costs least. */
function unitsOfPartition(data: TableData, source: Source, partition: Constant, need: Need): number {
  const entries = source.partitions.get(partition) ?? [];
  const { sortKey, index } = source;
  const onKey = sortKey === null ? [] : need.predicates.filter(({ column }) => column === sortKey);
  const inRange = entries.filter(({ item }) => onKey.every((predicate) => passes(item, predicate)));
  const named = sortKey === null ? null : boundValues(sortKey, need.predicates);
  const prices: number[] = [];
  if (named === null) prices.push(unitsOfPages(inRange));
  else {
    const [low, high] = [named, named].map(
      (values, i) => values.toSorted((a, b) => (i === 0 ? compare(a, b) : compare(b, a)))[0],
    );
    const between = entries.filter(({ item }) => {
      const value = valueOf(item, sortKey!)!;
      return compare(value, low!) >= 0 && compare(value, high!) <= 0;
    });
    if (named.length > 0) prices.push(unitsOfPages(between));
    const each = named.map((value) => inRange.filter(({ item }) => valueOf(item, sortKey!) === value));
    prices.push(each.reduce((sum, found) => sum + unitsOfPages(found), 0));
  }
  if (index === null && (sortKey === null || named !== null)) {
    const keys = sortKey === null ? 1 : named!.length;
    const missing = Math.max(0, keys - inRange.length);
    prices.push(
      unitsByKey(
        data,
        inRange.map(({ item }) => item),
      ) +
        missing / 2,
    );
  }
  const read = Math.min(...prices);
  if (covers(source, need.columns)) return read;
  return read + unitsByKey(data, lookedUp(source, inRange, need));
}

/** Whether what passes has a value of the constant's type, which is not empty: so that it can be a key of an index. */
function impliesKey(predicate: Predicate): boolean {
  if (predicate.kind === 'present') return false;
  const isTextBelow =
    predicate.kind === 'compare' && predicate.operator.startsWith('<') && typeof predicate.value === 'string';
  return !isTextBelow;
}

/**
 * Whether the predicates leave out every item that an index lacks: each of its keys has a value in all that are wanted, and
 * one of its type where it may lack others.
 */
export function isProven(
  { index, partitionKey, sortKey, mayLackTypes }: Source,
  data: TableData,
  need: Need,
): boolean {
  if (index === null) return true;
  const { table } = data;
  const telling = mayLackTypes ? need.predicates.filter(impliesKey) : need.predicates;
  const given = new Set([table.partitionKey, table.sortKey, ...telling.map(({ column }) => column)]);
  return [partitionKey, sortKey].every((name) => name === null || given.has(name));
}

/** By partition keys that are bound; null where they are not, or items that are wanted may not be there. */
export function unitsByKeys(data: TableData, source: Source, need: Need): number | null {
  const partitions = boundValues(source.partitionKey, need.predicates);
  if (partitions === null || !isProven(source, data, need)) return null;
  return partitions.reduce<number>((sum, one) => sum + unitsOfPartition(data, source, one, need), 0);
}

/** All of a source; null where it lacks columns, or may lack items that are wanted. */
export function unitsOfScan(data: TableData, source: Source, need: Need): number | null {
  return covers(source, need.columns) && isProven(source, data, need) ? unitsOfPages(source.all) : null;
}

const least = (prices: readonly (number | null)[]): number =>
  Math.min(...prices.filter((price) => price !== null));

/** By keys alone; Infinity where none are bound. */
export function leastByKeys(data: TableData, need: Need): number {
  return least(sourcesOf(data).map((source) => unitsByKeys(data, source, need)));
}

export function leastUnits(data: TableData, need: Need): number {
  return Math.min(
    leastByKeys(data, need),
    least(sourcesOf(data).map((source) => unitsOfScan(data, source, need))),
  );
}

/** Without a guess: what a plan costs that looks nothing up by keys of an index, and reads its ranges to their ends. */
export function certainUnits(data: TableData, need: Need): number {
  const covering = sourcesOf(data).filter((source) => covers(source, need.columns));
  return least(
    covering.flatMap((source) => [unitsOfScan(data, source, need), unitsByKeys(data, source, need)]),
  );
}

export type Order = WorkloadQuery['order'];
