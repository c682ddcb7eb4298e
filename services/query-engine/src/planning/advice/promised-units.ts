/**
 * Between which read units a changed scan would come out. Unlike estimates, by which paths are chosen, nothing is guessed
 * here: what is not known makes the range wide, and of a wide one nothing is told.
 */
import { queryKey, type Attribute, type CatalogTable, type SecondaryIndex } from '../../catalog/table.ts';
import type { Condition } from '../../dynamodb/access-path/condition.ts';
import { leastUnits, sizeOf, unitsOfKeys, unitsOfRange } from '../../dynamodb/access-path/estimate.ts';
import { sumOfBounds, type UnitBounds } from '../../dynamodb/access-path/unit-bounds.ts';
import type { KeyRange, TableRead } from '../../dynamodb/table-read.ts';
import type { Change } from './change.ts';
import { attributesOf, equalities } from './found-conditions.ts';

/** A number that is not known exactly. */
interface Span {
  readonly low: number;
  readonly high: number;
}

export interface Before {
  /** What the scan asks for as it is. */
  readonly conjuncts: readonly Condition[];
  /** Items that passed them when it was read; null where it was not. */
  readonly passed: number | null;
}

/** `read`: what is chosen for the changed scan. Null where nothing can be said. */
export function promisedUnits(change: Change, read: TableRead, before: Before): UnitBounds | null {
  const { path, table, consistent, otherwise } = read;
  if (otherwise !== undefined) return null;
  const least = leastUnits(consistent);
  const oneItem = unitsOfKeys(1, sizeOf(table, null), consistent);
  switch (path.kind) {
    case 'GetItem':
      return { low: least, high: oneItem };
    case 'BatchGetItem':
      return { low: path.keys.length * least, high: path.keys.length * oneItem };
    case 'Query':
      return byRanges(change, read, path, before)?.units ?? null;
    case 'IndexLookup': {
      const entries = byRanges(change, read, path, before);
      if (entries === null) return null;
      // What is filtered among the entries is not looked up.
      const fetched = read.filter === null ? entries.items : { ...entries.items, low: 0 };
      const { low, high } = entries.units;
      return { low: low + fetched.low * oneItem, high: high + fetched.high * oneItem };
    }
    case 'IndexUnion':
      return before.passed === null
        ? armsUnits(change, path.arms)
        : unionUnits(path.arms.length, read, before.conjuncts, before.passed);
    case 'Scan': {
      const index = indexOf(table, path.index);
      if (index === null || index.itemCount === 0 || index.sizeBytes === 0) return null;
      const size = sizeOf(table, index);
      const units = unitsOfRange(size.items, size, consistent);
      return { low: units, high: units + (path.segments - 1) * least };
    }
    case 'Segments':
    case 'Nothing':
      return null;
  }
}

function armsUnits(change: Change, arms: readonly TableRead[]): UnitBounds | null {
  const units = arms.map((arm) => promisedUnits(change, arm, { conjuncts: [], passed: null }));
  const known = units.filter((one) => one !== null);
  return known.length < units.length ? null : sumOfBounds(known);
}

/** Each item that has passed is in one arm at least, and in all of them at most. */
function unionUnits(
  arms: number,
  { table, consistent }: TableRead,
  conjuncts: readonly Condition[],
  passed: number,
): UnitBounds | null {
  const [or, ...others] = conjuncts;
  const isOfArms =
    or?.kind === 'Or' && others.length === 0 && or.operands.every((branch) => equalities(branch).length > 0);
  // Arms read more than what passed where more is asked than that.
  if (!isOfArms) return null;
  const units = unitsOfRange(passed, sizeOf(table, null), consistent);
  return { low: units, high: arms * (units + leastUnits(consistent)) };
}

function indexOf(table: CatalogTable, name: string | null): SecondaryIndex | null {
  return table.indexes.find((index) => index.name === name) ?? null;
}

/** Items of all ranges at most. */
function itemsOfTops(path: Ranged): number {
  const top = path.kind === 'Query' ? path.topOfEach : undefined;
  return top === undefined || top.ties.length > 0 ? Infinity : top.rows * path.ranges.length;
}

type Ranged = Extract<TableRead['path'], { readonly ranges: readonly KeyRange[] }>;

function byRanges(
  change: Change,
  read: TableRead,
  path: Ranged,
  before: Before,
): { readonly items: Span; readonly units: UnitBounds } | null {
  const { table, consistent, stopAfter } = read;
  const index = indexOf(table, path.index);
  const items = itemsOf(change, table, index, path.ranges, before);
  if (items === null) return null;
  // Where it ends early without its rows being all right, it is not known when.
  const { limitHint } = change.scan;
  if (limitHint !== null && stopAfter === null && items.high > limitHint) return null;
  const most = Math.min(stopAfter ?? Infinity, itemsOfTops(path));
  const until = { low: Math.min(items.low, most), high: Math.min(items.high, most) };
  const size = sizeOf(table, index);
  const least = leastUnits(consistent);
  const count = path.ranges.length;
  return {
    items: until,
    units: {
      low: Math.max(count * least, unitsOfRange(until.low, size, consistent)),
      high: unitsOfRange(until.high, size, consistent) + (count - 1) * least,
    },
  };
}

/** Items of all ranges together. */
function itemsOf(
  { added }: Change,
  table: CatalogTable,
  index: SecondaryIndex | null,
  keyRanges: readonly KeyRange[],
  { conjuncts, passed }: Before,
): Span | null {
  const found = boundBy(table, index, keyRanges);
  if (found === null) return null;
  // A comparison that is added for the index's sake passes every key.
  const isForProof = added.some(
    ({ attribute, asks }) => asks === 'comparable' && attribute.name === found.ranged,
  );
  const bound = isForProof ? { ...found, ranged: null } : found;
  const all = sizeOf(table, index).items;
  const share = shareOf(table, bound.equal);
  const present = Math.min(1, ...bound.equal.map((name) => presence(table, name)));
  const base = index === null || index.itemCount > 0 ? all : all * present;
  const byStatistics: Span = {
    low: bound.ranged === null ? base * share.low * keyRanges.length : 0,
    high: Math.min(base, base * share.high * keyRanges.length),
  };
  if (passed === null) return byStatistics;
  // Of the items that passed, those that what is added leaves, and that the index holds.
  const bySaid = shareOf(
    table,
    added.filter(({ asks }) => asks === 'value').map(({ attribute }) => attribute.name),
  );
  const held = added.some(({ asks }) => asks !== 'value') ? heldPart(table, index, bound.equal) : 1;
  const names = [...bound.equal, ...(bound.ranged === null ? [] : [bound.ranged])];
  const isAllSaid = conjuncts.every(
    (conjunct) => attributesOf(conjunct)?.every((name) => names.includes(name)) ?? false,
  );
  // What else the statement asks has dropped items that the path reads: nearly all may have the values that it names.
  return { low: passed * bySaid.low * held, high: (isAllSaid ? passed : base) * bySaid.high };
}

/** The attributes that all ranges bind by equality, and the one that is bound by a range; null where they differ in that. */
function boundBy(
  table: CatalogTable,
  index: SecondaryIndex | null,
  keyRanges: readonly KeyRange[],
): { readonly equal: readonly string[]; readonly ranged: string | null } | null {
  const { partitionKeys, sortKeys } = queryKey(table, index);
  const [depth, ...others] = new Set(
    keyRanges.map(({ sort }) =>
      sort === null ? 0 : sort.equals.length + (sort.last.operator === '=' ? 1 : 0.5),
    ),
  );
  if (depth === undefined || others.length > 0) return null;
  const equal = [...partitionKeys, ...sortKeys.slice(0, Math.floor(depth))].map(({ name }) => name);
  const ranged = Number.isInteger(depth) ? null : (sortKeys[Math.floor(depth)]?.name ?? null);
  return { equal, ranged };
}

/** The part of the items that one value of each attribute stands for, on average over the values. */
function shareOf(table: CatalogTable, names: readonly string[]): Span {
  const shares = names.map((name) => shareOfValue(table, name));
  return {
    // Where they have nothing to do with each other; where one says all, as many as that one.
    low: shares.reduce((part, { low }) => part * low, 1),
    high: Math.min(1, ...shares.map(({ high }) => high)),
  };
}

function shareOfValue(table: CatalogTable, name: string): Span {
  const { items } = sizeOf(table, null);
  const { itemsPerKey, sampledItems } = table;
  if (name === table.key.partitionKey.name) {
    if (table.key.sortKey === null) return { low: 1 / items, high: 1 / items };
    if (itemsPerKey !== undefined)
      return { low: itemsPerKey.low / items, high: Math.min(1, itemsPerKey.high / items) };
  }
  const attribute = attributeOf(table, name);
  if (attribute?.distinct !== undefined) {
    const { low, high } = attribute.distinct;
    return { low: 1 / Math.max(1, high), high: 1 / Math.max(1, low) };
  }
  const distinct = attribute?.distinctValues ?? 0;
  // Every item was seen.
  return distinct > 0 && sampledItems >= items
    ? { low: 1 / distinct, high: 1 / distinct }
    : { low: 0, high: 1 };
}

function attributeOf({ attributes }: CatalogTable, name: string): Attribute | undefined {
  return attributes.find((attribute) => attribute.name === name);
}

/** The part of the items that have an attribute. */
function presence(table: CatalogTable, name: string): number {
  if (name === table.key.partitionKey.name || name === table.key.sortKey?.name) return 1;
  const { NULL: _, ...types } = attributeOf(table, name)?.types ?? {};
  const met = Object.values(types).reduce((sum, count) => sum + count, 0);
  return table.sampledItems === 0 ? 1 : Math.min(1, met / table.sampledItems);
}

/** The part of the items with values for these attributes that an index holds; 0: not known. */
export function heldPart(
  table: CatalogTable,
  index: SecondaryIndex | null,
  names: readonly string[],
): number {
  if (index === null) return 1;
  const present = Math.min(1, ...names.map((name) => presence(table, name)));
  return Math.min(1, index.itemCount / Math.max(1, sizeOf(table, null).items * present));
}
