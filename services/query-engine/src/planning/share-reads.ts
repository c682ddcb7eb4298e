/**
 * A table that a statement names several times is read once where one read serves all (../../README.md, "Reading", rule 10): a whole
 * scan of it serves every occurrence, and occurrences that ask for exactly the same items share one read of them.
 */
import type { TableRead } from '../dynamodb/table-read.ts';
import type { ScanColumn, TableScan } from '../logical/plan.ts';
import type { ScanBinding } from './physical-plan.ts';

export type ChooseRead = (scan: TableScan) => TableRead;

/** A read and the scans that it serves. */
interface Shared {
  readonly scans: readonly TableScan[];
  readonly scan: TableScan;
  readonly read: TableRead;
}

/** Which table a scan is of. */
export const tableKey = ({ table }: TableScan): string => JSON.stringify([table.schemaName, table.tableName]);
const pathKey = ({ path }: ScanColumn): string => JSON.stringify(path);
const itemsKey = ({ path, filter, stopAfter }: TableRead): string =>
  JSON.stringify([path, filter, stopAfter]);

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
    ...first,
    alias,
    columns: [...columns.values()],
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

/** The scans of one table, as few reads as serve them. */
function shareTable(scans: readonly TableScan[], chooseRead: ChooseRead): readonly Shared[] {
  const alone = scans.map((scan): Shared => ({ scans: [scan], scan, read: chooseRead(scan) }));
  if (alone.length === 1) return alone;
  const units = (shared: readonly Shared[]): number =>
    shared.reduce((sum, { read }) => sum + read.estimate.units, 0);
  const sameItems = shareSameItems(alone, chooseRead);
  if (!alone.some(({ read }) => isWholeScan(read))) return sameItems;
  const merged = mergeScans(scans, null);
  if (merged === null) return sameItems;
  const whole = chooseRead(merged);
  const read = alone.some((one) => isParallel(one.read)) ? whole : inOneOrder(whole);
  const one: Shared = { scans, scan: merged, read };
  return one.read.estimate.units <= units(sameItems) ? [one] : sameItems;
}

function shareSameItems(alone: readonly Shared[], chooseRead: ChooseRead): readonly Shared[] {
  const groups = Map.groupBy(alone, ({ read }) => itemsKey(read));
  return [...groups.values()]
    .map((group) => {
      const [first] = group;
      const scans = group.map(({ scan }) => scan);
      const merged = mergeScans(scans, first?.scan.filter ?? []);
      if (group.length === 1 || first === undefined || merged === null) return group;
      const read = chooseRead(merged);
      const shared: Shared = { scans, scan: merged, read };
      return itemsKey(read) === itemsKey(first.read) ? [shared] : group;
    })
    .flat();
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
