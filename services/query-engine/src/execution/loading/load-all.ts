/** Loads all reads of a statement into DuckDB, a few side by side; a filtered scan once its build sides are in. */
import { limitConcurrency } from '@penstock/common/concurrency/limit.ts';
import type { TableRead } from '../../dynamodb/table-read.ts';
import type { IndexLookupChoice } from '../../planning/index-lookup.ts';
import type { FilteredScan, PhysicalPlan } from '../../planning/physical-plan.ts';
import type { ScanSource } from '../../duckdb-sql/sources.ts';
import { resolveFilteredScan } from './filtered-scan.ts';
import { resolveIndexLookup } from './index-lookup.ts';
import { CONCURRENT_READS_MAX } from '../limits.ts';
import { loadRead } from './load-read.ts';
import type { RunContext } from '../run-context.ts';
import type { Session } from '../session/session.ts';
import { watched } from './watch.ts';

type Loaded = readonly (ScanSource | undefined)[];

/** The source with its columns chosen anew. */
function choose(source: ScanSource, positions: readonly number[]): ScanSource {
  return { ...source, columns: positions.flatMap((position) => source.columns[position] ?? []) };
}

/** The first read that fails ends the others. */
export async function loadAll(plan: PhysicalPlan, session: Session, context: RunContext): Promise<Loaded> {
  const failed = new AbortController();
  const signal = AbortSignal.any([context.signal, failed.signal]);
  const loaded: (ScanSource | undefined)[] = plan.reads.map(() => undefined);
  const inPlace = limitConcurrency(CONCURRENT_READS_MAX);
  /** Plain reads in place of filtered scans: each is made once, whoever needs it. */
  const plain = new Map<TableRead, Promise<ScanSource>>();

  const load = (read: TableRead, name: string): Promise<ScanSource> =>
    loadRead(session, name, read.columns.length, watched(read, context, signal), context.runSliced);
  const loadPlain = ({ fallback }: FilteredScan, name: string): Promise<ScanSource> => {
    const source = plain.get(fallback) ?? load(fallback, name);
    plain.set(fallback, source);
    return source;
  };
  /** The read, or `fallback` where it is an index lookup of more keys than `unitsMax` allows. */
  const loadLookup = async (
    read: TableRead,
    lookup: IndexLookupChoice | null,
    name: string,
    unitsMax: number,
    fallback: () => Promise<ScanSource>,
  ): Promise<ScanSource> => {
    if (lookup === null) return load(read, name);
    const decided = await resolveIndexLookup(read, lookup, unitsMax, (one) => watched(one, context, signal));
    return decided === null ? fallback() : load(decided, name);
  };
  const loadFilteredScan = async (filtered: FilteredScan, name: string): Promise<ScanSource> => {
    const fallback = async (): Promise<ScanSource> =>
      choose(await loadPlain(filtered, name), filtered.positions);
    const decided = plain.has(filtered.fallback)
      ? null
      : await resolveFilteredScan(plan, filtered, loaded, session, context.chooseRead);
    if (decided === null) return fallback();
    return loadLookup(decided.read, decided.lookup, name, filtered.unitsMax, fallback);
  };
  const loadOne = (index: number, read: TableRead): Promise<ScanSource> => {
    const name = `r${index}`;
    const filtered = plan.filteredScans.get(index);
    if (filtered !== undefined) return loadFilteredScan(filtered, name);
    const lookup = plan.lookups.get(index);
    if (lookup === undefined) return load(read, name);
    const { fallback } = lookup;
    return loadLookup(read, lookup, name, fallback.estimate.units, () => load(fallback, name));
  };

  let first: { readonly error: unknown } | null = null;
  const done: Promise<void>[] = [];
  for (const [index, read] of plan.reads.entries()) {
    const filtered = plan.filteredScans.get(index);
    const before = [...new Set(filtered?.filters.flatMap(({ reads }) => reads))].flatMap(
      (other) => done[other] ?? [],
    );
    const work = async (): Promise<void> => {
      if (signal.aborted) return;
      loaded[index] = await loadOne(index, read);
    };
    done.push(
      Promise.all(before)
        .then(() => inPlace(work))
        .catch((error: unknown) => {
          first ??= { error };
          failed.abort(error);
        }),
    );
  }
  await Promise.all(done);
  // What a read says of itself tells more than the signal that ended it.
  if (first !== null) throw (first as { readonly error: unknown }).error;
  if (signal.aborted) throw signal.reason;
  return loaded;
}
