/** The least units of the first rows: LIMIT, with an order or without, and MIN or MAX. Reading ends with the last row that counts. */
import type { TestItem } from '../../../engine-table.ts';
import { compare, passes, valueOf } from '../query.ts';
import {
  boundValues,
  covers,
  isProven,
  lookedUp,
  passing,
  sourcesOf,
  type Need,
  type Order,
} from './one-table.ts';
import { unitsOf, unitsOfPages } from './pages.ts';
import type { Entry, Source, TableData } from './table-data.ts';

/** Entries up to the n-th that passes; null where there are not so many. */
function upTo(entries: readonly Entry[], need: Need, count: number): readonly Entry[] | null {
  let left = count;
  for (const [i, { item }] of entries.entries())
    if (need.predicates.every((predicate) => passes(item, predicate)) && --left === 0)
      return entries.slice(0, i + 1);
  return null;
}

function unitsOfEntries(data: TableData, source: Source, entries: readonly Entry[], need: Need): number {
  const read = unitsOfPages(entries);
  if (covers(source, need.columns)) return read;
  const items = lookedUp(source, entries, need);
  return read + items.reduce((sum, item) => sum + unitsOf(data.bytesOf.get(item) ?? 0), 0);
}

/**
 * The need with what n rows prove once they are found: in descending order, NULL last, each has a value of the order's
 * column, and so have all that come before it.
 */
function proven(need: Need, order: Order, rows: readonly TestItem[], count: number): Need {
  if (order === null || !order.descending) return need;
  const having = rows.filter((item) => valueOf(item, order.column) !== null).length;
  if (having < count) return need;
  return { ...need, predicates: [...need.predicates, { kind: 'present', column: order.column }] };
}

/** By one source in its own order; null where that is not the order, or where there are fewer rows. */
function unitsInOrder(
  data: TableData,
  source: Source,
  need: Need,
  order: Order,
  count: number,
): number | null {
  const rows = passing(
    data.table.all.map(({ item }) => item),
    need.predicates,
  );
  if (!isProven(source, data, proven(need, order, rows, count))) return null;
  const partitions = boundValues(source.partitionKey, need.predicates);
  const onKey = need.predicates.filter(({ column }) => column === source.sortKey);
  const range = (entries: readonly Entry[]): readonly Entry[] =>
    entries.filter(({ item }) => onKey.every((predicate) => passes(item, predicate)));
  if (order === null) {
    if (partitions === null)
      return covers(source, need.columns) ? unitsOrNull(data, source, source.all, need, count) : null;
    const ranges = partitions.map((one) => range(source.partitions.get(one) ?? []));
    // Those of one partition, or of one after the other.
    const prices = [...ranges, ranges.flat()].map((entries) =>
      unitsOrNull(data, source, entries, need, count),
    );
    return Math.min(...prices.filter((price) => price !== null));
  }
  if (partitions === null || order.column !== source.sortKey) return null;
  const sign = order.descending ? -1 : 1;
  const merged = rows
    .filter((item) => source.items.has(item))
    .toSorted((a, b) => sign * compare(valueOf(a, order.column)!, valueOf(b, order.column)!))
    .slice(0, count);
  const last = merged.at(-1);
  if (merged.length < count || last === undefined) return null;
  const end = valueOf(last, order.column)!;
  return partitions.reduce<number>((sum, one) => {
    const entries = range(source.partitions.get(one) ?? []);
    const ordered = order.descending ? entries.toReversed() : entries;
    const needed = ordered.findLastIndex(({ item }) => sign * compare(valueOf(item, order.column)!, end) < 0);
    // Of those that are equal to the last, only as many as are needed.
    const stop = partitions.length === 1 ? upTo(ordered, need, count)!.length : Math.max(1, needed + 1);
    return sum + unitsOfEntries(data, source, ordered.slice(0, stop), need);
  }, 0);
}

function unitsOrNull(
  data: TableData,
  source: Source,
  entries: readonly Entry[],
  need: Need,
  count: number,
): number | null {
  const read = upTo(entries, need, count);
  return read === null ? null : unitsOfEntries(data, source, read, need);
}

/** Infinity where reading in order is no path: then all is read. */
export function leastOfFirstRows(data: TableData, need: Need, order: Order, count: number): number {
  if (count === 0) return 0;
  const prices = sourcesOf(data).map((source) => unitsInOrder(data, source, need, order, count));
  return Math.min(...prices.filter((price) => price !== null));
}
