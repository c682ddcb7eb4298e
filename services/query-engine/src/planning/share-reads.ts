/**
 * A table that a statement names several times is read once where one read serves all (../../README.md, "Reading", rule 10): a whole
 * scan of it serves every occurrence, a read of some keys those whose keys are among them, and occurrences that ask for
 * exactly the same items share one read of them.
 */
import { isWithin } from '../dynamodb/access-path/contained-keys.ts';
import { indexKeyNames, keyNames } from '../catalog/table.ts';
import type { TableRead } from '../dynamodb/table-read.ts';
import type { ScanColumn, TableScan } from '../logical/plan.ts';
import { usedColumns } from '../optimizer/column-use.ts';
import { withoutImplied } from '../optimizer/rules/imply-not-null.ts';
import { CONTAINED_READS_MAX } from './limits.ts';
import type { ScanBinding } from './physical-plan.ts';

export type ChooseRead = (scan: TableScan) => TableRead;

/** A read and the scans that it serves. */
interface Shared {
  readonly scans: readonly TableScan[];
  readonly scan: TableScan;
  readonly read: TableRead;
}

/** Which table, or index by its name, a scan is of. */
export const tableKey = ({ table: { schemaName, tableName, entriesOf, told } }: TableScan): string =>
  JSON.stringify([schemaName, tableName, entriesOf ?? null, [...(told?.keys() ?? [])]]);
const pathKey = ({ path }: ScanColumn): string => JSON.stringify(path);
const itemsKey = ({ path, filter, stopAfter, otherwise }: TableRead): string =>
  JSON.stringify([path, filter, stopAfter, otherwise === undefined ? null : itemsKey(otherwise)]);

/** The scan, of which all rows are wanted. */
function wholeOf({ topOfEach: _, ...scan }: TableScan): TableScan {
  return scan;
}

/** One scan with the columns of all. `filter` null: of all their rows. */
function mergeScans(scans: readonly TableScan[], filter: TableScan['filter'] | null): TableScan | null {
  const [first] = scans;
  if (first === undefined) return null;
  const columns = new Map<string, ScanColumn>();
  for (const scan of scans)
    for (const column of scan.columns)
      if (!columns.has(pathKey(column))) columns.set(pathKey(column), column);
  const alias = [...new Set(scans.map((scan) => scan.alias))].join(', ');
  return {
    ...(filter === null ? wholeOf(withoutImplied(first)) : first),
    alias,
    columns: [...columns.values()],
    ...(scans.some(({ isStarred }) => isStarred === true) && { isStarred: true }),
    filter: filter ?? [],
    limitHint: filter === null ? null : first.limitHint,
    orderHint: filter === null ? [] : first.orderHint,
  };
}

/** One segment after the other, as rows that a LIMIT takes must come in one order, however large the table is by now. */
export function inOneOrder(read: TableRead): TableRead {
  return read.path.kind === 'Scan' ? { ...read, path: { ...read.path, segments: 1 } } : read;
}

function isParallel({ path }: TableRead): boolean {
  return path.kind === 'Scan' && path.segments > 1;
}

function isWholeScan({ path, stopAfter }: TableRead): boolean {
  return path.kind === 'Scan' && stopAfter === null;
}

const unitsOf = (shared: readonly Shared[]): number =>
  shared.reduce((sum, { read }) => sum + read.estimate.units, 0);

/**
 * The scans of one table, as few reads as serve them. What is only implied of a scan's rows may part it from others that
 * read the same otherwise, and is not said then.
 */
function shareTable(scans: readonly TableScan[], chooseRead: ChooseRead): readonly Shared[] {
  const shared = shareScans(scans, scans, chooseRead);
  if (scans.length === 1 || !scans.some(({ implied }) => implied !== undefined)) return shared;
  const plainer = shareScans(scans, scans.map(withoutImplied), chooseRead);
  return unitsOf(plainer) < unitsOf(shared) ? plainer : shared;
}

/** `asked`: for each of the scans, what is asked for it. */
function shareScans(
  scans: readonly TableScan[],
  asked: readonly TableScan[],
  chooseRead: ChooseRead,
): readonly Shared[] {
  const alone = asked.map((scan, i): Shared => ({
    scans: scans.slice(i, i + 1),
    scan,
    read: chooseRead(scan),
  }));
  if (alone.length === 1) return alone;
  const sameItems = shareWithin(shareSameItems(alone, chooseRead), chooseRead);
  // An index lookup may turn out to be a whole scan, too.
  const mayBeWhole = ({ read }: Shared): boolean => isWholeScan(read) || read.path.kind === 'IndexLookup';
  if (!alone.some(mayBeWhole)) return sameItems;
  const merged = mergeScans(asked, null);
  if (merged === null) return sameItems;
  const whole = chooseRead(merged);
  const read = alone.some((one) => isParallel(one.read)) ? whole : inOneOrder(whole);
  const one: Shared = { scans, scan: merged, read };
  return one.read.estimate.units <= unitsOf(sameItems) ? [one] : sameItems;
}

function shareSameItems(alone: readonly Shared[], chooseRead: ChooseRead): readonly Shared[] {
  const groups = Map.groupBy(alone, ({ read }) => itemsKey(read));
  return [...groups.values()]
    .map((group) => {
      const [first] = group;
      const scans = group.flatMap((one) => one.scans);
      const merged = mergeScans(
        group.map(({ scan }) => scan),
        first?.scan.filter ?? [],
      );
      if (group.length === 1 || first === undefined || merged === null) return group;
      const read = chooseRead(merged);
      const shared: Shared = { scans, scan: merged, read };
      return itemsKey(read) === itemsKey(first.read) ? [shared] : group;
    })
    .flat();
}

/**
 * Reads whose keys are among those of a wider one, which then reads for them too: all items of its keys, since what else it
 * is filtered by may drop rows that they need. The widest comes first, so that it takes in all others.
 */
function shareWithin(reads: readonly Shared[], chooseRead: ChooseRead): readonly Shared[] {
  if (reads.length === 1 || reads.length > CONTAINED_READS_MAX) return reads;
  const widestFirst = reads.toSorted((a, b) => b.read.estimate.units - a.read.estimate.units);
  const kept: Shared[] = [];
  for (const next of widestFirst) {
    const both = kept.map((one) => widened(one, next, chooseRead) ?? widened(next, one, chooseRead));
    const at = both.findIndex((one) => one !== null);
    kept[at < 0 ? kept.length : at] = both[at] ?? next;
  }
  return kept.length === reads.length ? reads : kept;
}

/** The wider read for both; null where it is not wider, would leave out rows of the narrower, or cost more than both. */
function widened(wide: Shared, narrow: Shared, chooseRead: ChooseRead): Shared | null {
  if (wide.read.stopAfter !== null || !isWithin(narrow.read.path, wide.read.path)) return null;
  const scans = [...wide.scans, ...narrow.scans];
  const merged = mergeScans([wide.scan, narrow.scan], keyConjuncts(wide));
  if (merged === null) return null;
  const scan = { ...wholeOf(merged), limitHint: null, orderHint: [] };
  const read = chooseRead(scan);
  const reachesAll = isWithin(wide.read.path, read.path) && isWithin(narrow.read.path, read.path);
  const isWhole = read.filter === null && read.stopAfter === null && reachesAll;
  const isWorth = read.estimate.units <= wide.read.estimate.units + narrow.read.estimate.units;
  return isWhole && isWorth ? { scans, scan, read } : null;
}

/** Conjuncts that speak of nothing but the keys that the read goes by. */
function keyConjuncts({ scan, read }: Shared): TableScan['filter'] {
  const { table, columns, filter } = scan;
  const byIndex = 'index' in read.path ? read.path.index : null;
  const index = table.indexes.find(({ name }) => name === byIndex);
  const names = new Set(index === undefined ? keyNames(table.key) : indexKeyNames(index.key));
  const keys = new Set(
    columns.filter(({ path }) => path.length === 1 && names.has(String(path[0]))).map(({ id }) => id),
  );
  return filter.filter((conjunct) => [...usedColumns(conjunct)].every((id) => keys.has(id)));
}

export interface SharedReads {
  readonly reads: readonly TableRead[];
  /** By position in `reads`: the scan that each was chosen for, of all whom it serves. */
  readonly scans: readonly TableScan[];
  readonly bindings: ReadonlyMap<TableScan, ScanBinding>;
}

/** The reads of a statement, and where each scan finds its columns. */
export function shareReads(scans: readonly TableScan[], chooseRead: ChooseRead): SharedReads {
  const shared = [...Map.groupBy(new Set(scans), tableKey).values()].flatMap((group) =>
    shareTable(group, chooseRead),
  );
  const bindings = new Map<TableScan, ScanBinding>();
  shared.forEach(({ scans: served, read }, index) => {
    const positions = new Map(read.columns.map((column, i) => [pathKey(column), i]));
    for (const scan of served) {
      bindings.set(scan, {
        read: index,
        positions: scan.columns.map((column) => positions.get(pathKey(column)) ?? -1),
      });
    }
  });
  return { reads: shared.map(({ read }) => read), scans: shared.map(({ scan }) => scan), bindings };
}
