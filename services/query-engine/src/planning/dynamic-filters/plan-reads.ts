/** All reads of a statement that is computed as a whole: plain ones, shared where they can be, then filtered scans. */
import { REGRET_MAX, WORTHWHILE_PART } from '../../dynamodb/bounded-regret/limits.ts';
import type { TableRead } from '../../dynamodb/table-read.ts';
import { project } from '../../logical/build-plan.ts';
import type { LogicalPlan, TableScan } from '../../logical/plan.ts';
import { freshIds } from '../../optimizer/copy-plan.ts';
import { indexLookupChoice, type IndexLookupChoice } from '../index-lookup.ts';
import type { FilteredScan, DynamicFilter, ScanBinding } from '../physical-plan.ts';
import { shareReads, tableKey, type ChooseRead, type SharedReads } from '../share-reads.ts';
import { chooseFilteredScans } from './choose-filtered-scans.ts';
import type { ChosenFilteredScan, ChosenFilter } from './filter-chooser.ts';
import { scansIn } from './build-side.ts';

export interface PlannedReads {
  readonly reads: readonly TableRead[];
  readonly filteredScans: ReadonlyMap<number, FilteredScan>;
  readonly lookups: ReadonlyMap<number, IndexLookupChoice>;
  readonly bindings: ReadonlyMap<TableScan, ScanBinding>;
}

function unitsOf(reads: readonly TableRead[]): number {
  return reads.reduce((sum, { estimate }) => sum + estimate.units, 0);
}

/** Without those whose table is read no cheaper so than once for all. */
function worthBesideOthers(
  filtered: readonly ChosenFilteredScan[],
  scans: readonly TableScan[],
  chooseRead: ChooseRead,
): readonly ChosenFilteredScan[] {
  const byTable = Map.groupBy(scans, tableKey);
  const filteredByTable = Map.groupBy(filtered, ({ scan }) => tableKey(scan));
  // What holds of one scan holds of all of its table: each table's reads are chosen once.
  const isWorth = (key: string): boolean => {
    const ofTable = byTable.get(key) ?? [];
    if (ofTable.length === 1) return true;
    const apart = filteredByTable.get(key) ?? [];
    const drivenScans = new Set(apart.map((one) => one.scan));
    const others = shareReads(
      ofTable.filter((other) => !drivenScans.has(other)),
      chooseRead,
    );
    const together = unitsOf(shareReads(ofTable, chooseRead).reads);
    const beside = unitsOf(others.reads);
    if (unitsOf(apart.map(({ read }) => read)) + beside < together) return true;
    // Nothing is expected to be spared, but much may be, and little is to be lost: the keys of one scan lead to no more than
    // the table holds. Those of several may lead to the same items again and again.
    const least = apart.reduce((sum, one) => sum + one.least, beside);
    return apart.length === 1 && beside <= REGRET_MAX * together && least < WORTHWHILE_PART * together;
  };
  const worth = new Set([...filteredByTable.keys()].filter(isWorth));
  return filtered.filter(({ scan }) => worth.has(tableKey(scan)));
}

/** The values of the sources, over the build side or inside the CTEs that it comes with. */
function valuesOf({ buildSide, shape }: ChosenFilter, freshId: () => number): LogicalPlan {
  const columns = shape.sources.map((expression, i) => ({
    column: { id: freshId(), name: `key${i}` },
    expression,
  }));
  return project(buildSide, columns);
}

type Fallback = Pick<FilteredScan, 'fallback' | 'positions' | 'unitsMax'>;

/**
 * What each filtered scan falls back on; those of one table share it where they can. Together with the table's other reads
 * they may cost what reading it plainly for all does.
 */
function fallbacksOf(
  chosen: readonly ChosenFilteredScan[],
  scans: readonly TableScan[],
  chooseRead: ChooseRead,
): (scan: TableScan) => Fallback {
  const filtered = new Set(chosen.map(({ scan }) => scan));
  const plain = shareReads([...filtered], chooseRead);
  const users = [...plain.bindings.values()];
  const byTable = Map.groupBy(scans, tableKey);
  return (scan) => {
    const binding = plain.bindings.get(scan);
    const fallback = plain.reads[binding?.read ?? -1];
    if (binding === undefined || fallback === undefined) throw new Error(`no read for ${scan.alias}`);
    const sharing = users.filter(({ read }) => read === binding.read).length;
    const ofTable = byTable.get(tableKey(scan)) ?? [];
    const others = ofTable.filter((other) => !filtered.has(other));
    const left =
      unitsOf(shareReads(ofTable, chooseRead).reads) - unitsOf(shareReads(others, chooseRead).reads);
    const unitsMax = Math.min(fallback.estimate.units / sharing, left / (ofTable.length - others.length));
    return { fallback, positions: binding.positions, unitsMax };
  };
}

/** Beside what its own entries and items may cost, an index lookup costs no more than all entries and its fallback. */
function boundedBy(read: TableRead, choice: IndexLookupChoice | undefined): TableRead {
  if (choice === undefined) return read;
  const { estimate } = read;
  const counted = choice.keys.estimate.high + choice.fallback.estimate.high;
  const high = Math.max(estimate.units, Math.min(estimate.high, counted));
  return { ...read, estimate: { ...estimate, high } };
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
  const filtered = yield* chooseFilteredScans(root, distinct, chooseRead);
  const chosen = worthBesideOthers(filtered, distinct, chooseRead);
  yield;
  const apart = new Set(chosen.map(({ scan }) => scan));
  const shared = shareReads(
    distinct.filter((scan) => !apart.has(scan)),
    chooseRead,
  );
  yield;
  const lookups = lookupsOf(shared, chooseRead);
  yield;
  const reads = shared.reads.map((read, i) => boundedBy(read, lookups.get(i)));
  if (chosen.length === 0) return { reads, bindings: shared.bindings, filteredScans: new Map(), lookups };
  const bindings = new Map(shared.bindings);
  const filteredScans = new Map<number, FilteredScan>();
  const freshId = freshIds(root).column;
  const fallbackOf = fallbacksOf(chosen, distinct, chooseRead);
  for (const { scan, filters, keys, read } of chosen) {
    const needed = (buildSide: LogicalPlan): readonly number[] => [
      ...new Set(scansIn(buildSide).map((one) => bindings.get(one)?.read ?? -1)),
    ];
    filteredScans.set(reads.length, {
      scan,
      ...fallbackOf(scan),
      keys,
      filters: filters.map((filter): DynamicFilter => ({
        columns: filter.shape.columns,
        sources: filter.shape.sources,
        query: valuesOf(filter, freshId),
        reads: needed(filter.buildSide),
        at: filter.candidate.at,
        byDoubles: filter.candidate.byDoubles,
      })),
    });
    bindings.set(scan, { read: reads.length, positions: scan.columns.map((_, i) => i) });
    reads.push(read);
    yield;
  }
  return { reads, filteredScans, lookups, bindings };
}
