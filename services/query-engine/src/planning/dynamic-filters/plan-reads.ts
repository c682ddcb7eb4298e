/** All reads of a statement that is computed as a whole: those that stand alone, shared, then those that are driven. */
import type { TableRead } from '../../dynamodb/table-read.ts';
import { project } from '../../logical/build-plan.ts';
import type { LogicalPlan, TableScan } from '../../logical/plan.ts';
import { freshIds } from '../../optimizer/copy-plan.ts';
import { indexLookupChoice, type IndexLookupChoice } from '../index-lookup.ts';
import type { DrivenRead, DynamicFilter, ScanBinding } from '../physical-plan.ts';
import { shareReads, tableKey, type ChooseRead, type SharedReads } from '../share-reads.ts';
import { chooseDriven, type ChosenDriven, type ChosenFilter } from './choose-filtered-scans.ts';
import { scansIn } from './build-side.ts';

export interface PlannedReads {
  readonly reads: readonly TableRead[];
  readonly driven: ReadonlyMap<number, DrivenRead>;
  readonly lookups: ReadonlyMap<number, IndexLookupChoice>;
  readonly bindings: ReadonlyMap<TableScan, ScanBinding>;
}

function unitsOf(reads: readonly TableRead[]): number {
  return reads.reduce((sum, { estimate }) => sum + estimate.units, 0);
}

/** Without those whose table is read no cheaper so than once for all. */
function worthBesideOthers(
  driven: readonly ChosenDriven[],
  scans: readonly TableScan[],
  chooseRead: ChooseRead,
): readonly ChosenDriven[] {
  const byTable = Map.groupBy(scans, tableKey);
  const drivenByTable = Map.groupBy(driven, ({ scan }) => tableKey(scan));
  // What holds of one scan holds of all of its table: each table's reads are chosen once.
  const isWorth = (key: string): boolean => {
    const ofTable = byTable.get(key) ?? [];
    if (ofTable.length === 1) return true;
    const apart = drivenByTable.get(key) ?? [];
    const drivenScans = new Set(apart.map((one) => one.scan));
    const others = shareReads(
      ofTable.filter((other) => !drivenScans.has(other)),
      chooseRead,
    );
    const together = shareReads(ofTable, chooseRead);
    return unitsOf(apart.map(({ read }) => read)) + unitsOf(others.reads) < unitsOf(together.reads);
  };
  const worth = new Set([...drivenByTable.keys()].filter(isWorth));
  return driven.filter(({ scan }) => worth.has(tableKey(scan)));
}

/** The values of the sources, over the driver or inside the CTEs that it comes with. */
function valuesOf({ driver, shape }: ChosenFilter, freshId: () => number): LogicalPlan {
  const columns = shape.sources.map((expression, i) => ({
    column: { id: freshId(), name: `key${i}` },
    expression,
  }));
  return project(driver, columns);
}

type Fallback = Pick<DrivenRead, 'otherwise' | 'positions' | 'unitsMax'>;

/**
 * What each driven scan falls back on; those of one table share it where they can. Together with the table's other reads
 * they may cost what reading it plainly for all does.
 */
function fallbacksOf(
  chosen: readonly ChosenDriven[],
  scans: readonly TableScan[],
  chooseRead: ChooseRead,
): (scan: TableScan) => Fallback {
  const driven = new Set(chosen.map(({ scan }) => scan));
  const plain = shareReads([...driven], chooseRead);
  const users = [...plain.bindings.values()];
  const byTable = Map.groupBy(scans, tableKey);
  return (scan) => {
    const binding = plain.bindings.get(scan);
    const otherwise = plain.reads[binding?.read ?? -1];
    if (binding === undefined || otherwise === undefined) throw new Error(`no read for ${scan.alias}`);
    const sharing = users.filter(({ read }) => read === binding.read).length;
    const ofTable = byTable.get(tableKey(scan)) ?? [];
    const others = ofTable.filter((other) => !driven.has(other));
    const left =
      unitsOf(shareReads(ofTable, chooseRead).reads) - unitsOf(shareReads(others, chooseRead).reads);
    const unitsMax = Math.min(otherwise.estimate.units / sharing, left / (ofTable.length - others.length));
    return { otherwise, positions: binding.positions, unitsMax };
  };
}

function lookupsOf({ reads, scans }: SharedReads, chooseRead: ChooseRead): PlannedReads['lookups'] {
  const choices = reads.map((read, i) => {
    const scan = scans[i];
    return scan === undefined ? null : indexLookupChoice(scan, read, chooseRead);
  });
  return new Map(choices.flatMap((choice, i) => (choice === null ? [] : [[i, choice] as const])));
}

/** Yields where others may have their turn. `chooseRead` is asked for the same scan again and again. */
export function* planReads(
  root: LogicalPlan,
  scans: readonly TableScan[],
  chooseRead: ChooseRead,
): Generator<void, PlannedReads> {
  const distinct = [...new Set(scans)];
  for (const scan of distinct) {
    chooseRead(scan);
    yield;
  }
  const driven = yield* chooseDriven(root, distinct, chooseRead);
  const chosen = worthBesideOthers(driven, distinct, chooseRead);
  yield;
  const apart = new Set(chosen.map(({ scan }) => scan));
  const shared = shareReads(
    distinct.filter((scan) => !apart.has(scan)),
    chooseRead,
  );
  yield;
  const lookups = lookupsOf(shared, chooseRead);
  yield;
  if (chosen.length === 0) return { ...shared, driven: new Map(), lookups };
  const reads = [...shared.reads];
  const bindings = new Map(shared.bindings);
  const drivenReads = new Map<number, DrivenRead>();
  const freshId = freshIds(root).column;
  const fallbackOf = fallbacksOf(chosen, distinct, chooseRead);
  for (const { scan, filters, read } of chosen) {
    const needed = (driver: LogicalPlan): readonly number[] => [
      ...new Set(scansIn(driver).map((one) => bindings.get(one)?.read ?? -1)),
    ];
    drivenReads.set(reads.length, {
      scan,
      ...fallbackOf(scan),
      filters: filters.map((filter): DynamicFilter => ({
        columns: filter.shape.columns,
        sources: filter.shape.sources,
        query: valuesOf(filter, freshId),
        reads: needed(filter.driver),
        at: filter.want.at,
        byDoubles: filter.want.byDoubles,
      })),
    });
    bindings.set(scan, { read: reads.length, positions: scan.columns.map((_, i) => i) });
    reads.push(read);
    yield;
  }
  return { reads, driven: drivenReads, lookups, bindings };
}
