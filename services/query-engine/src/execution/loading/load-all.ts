/** Loads all reads of a statement into DuckDB, a few side by side; a filtered scan once its build sides are in. */
import { limitConcurrency } from '@penstock/common/concurrency/limit.ts';
import type { ReadSteering } from '../../dynamodb/read-context.ts';
import type { ReadBatch } from '../../dynamodb/read-table.ts';
import type { TableRead } from '../../dynamodb/table-read.ts';
import type { IndexLookupChoice } from '../../planning/index-lookup.ts';
import type { OrderedTry } from '../../planning/ordered-tries.ts';
import type { FilteredScan, PhysicalPlan } from '../../planning/physical-plan.ts';
import type { ScanSource } from '../../duckdb-sql/sources.ts';
import { isAnyEmpty } from './empty-side.ts';
import { resolveFilteredScan } from './filtered-scan.ts';
import { resolveIndexLookup } from './index-lookup.ts';
import { CONCURRENT_READS_MAX } from '../limits.ts';
import { freshInferences, type ColumnTypeInference } from './infer-column-type.ts';
import { loadRead, tryLoadRead } from './load-read.ts';
import { createLookupChoices, type LookupChoice, type LookupChoices } from './lookup-choice.ts';
import { watchFullness } from './fullness.ts';
import { loadInOrder } from './ordered-try.ts';
import type { RunContext } from '../run-context.ts';
import type { Session } from '../session/session.ts';
import { watched } from './watch.ts';

type Loaded = readonly (ScanSource | undefined)[];

/** The source with its columns chosen anew. */
function choose(source: ScanSource, positions: readonly number[]): ScanSource {
  return { ...source, columns: positions.flatMap((position) => source.columns[position] ?? []) };
}

/** The read with its columns, and no request. */
function withoutRows({ otherwise: _, ...read }: TableRead): TableRead {
  return { ...read, path: { kind: 'Nothing' } };
}

/** The first read that fails ends the others. */
export async function loadAll(plan: PhysicalPlan, session: Session, context: RunContext): Promise<Loaded> {
  const failed = new AbortController();
  const signal = AbortSignal.any([context.signal, failed.signal]);
  const loaded: (ScanSource | undefined)[] = plan.reads.map(() => undefined);
  const inPlace = limitConcurrency(CONCURRENT_READS_MAX);
  /** Plain reads in place of filtered scans: each is made once, whoever needs it. */
  const plain = new Map<TableRead, Promise<ScanSource>>();

  /** What a read may cost before its certain path is taken; without end where the statement may not consume that. */
  const worthUpTo = (units: number, certain: TableRead): number =>
    certain.estimate.units > context.unitsLeft() ? Infinity : units;
  const choices = new Map<TableRead, LookupChoices>();
  const choicesOf = ({ fallback }: FilteredScan): LookupChoices => {
    const sharing = [...plan.filteredScans.values()].filter((other) => other.fallback === fallback);
    const certain = sharing.reduce((sum, { unitsMax }) => sum + unitsMax, 0);
    const known =
      choices.get(fallback) ??
      createLookupChoices(worthUpTo(certain, fallback), () => plain.has(fallback), context.decideLookups);
    choices.set(fallback, known);
    return known;
  };

  const inferences = ({ columns }: TableRead): readonly ColumnTypeInference[] =>
    freshInferences(plan, columns.length);
  const load = async (read: TableRead, name: string): Promise<ScanSource> => {
    const { otherwise } = read;
    if (otherwise === undefined)
      return loadRead(session, name, inferences(read), watched(read, context, signal), context.runSliced);
    const fullness = watchFullness();
    const batches = watched(read, context, signal, null, fullness.steering);
    const found = await tryLoadRead(
      session,
      name,
      inferences(read),
      batches,
      context.runSliced,
      fullness.isLacking,
    );
    return found ?? load(otherwise, name);
  };
  /** Null where it turned out to cost more than its certain path. */
  const loadInRounds = (read: TableRead, name: string, choice: LookupChoice): Promise<ScanSource | null> => {
    const batches = watched(read, context, signal, choice);
    return tryLoadRead(session, name, inferences(read), batches, context.runSliced, () => choice.fellBack);
  };
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
    lookups: LookupChoices,
    fallback: () => Promise<ScanSource>,
  ): Promise<ScanSource> => {
    if (lookup === null) return load(read, name);
    const decided = await resolveIndexLookup(read, lookup, unitsMax, lookups, (keys, rounds) =>
      watched(keys, context, signal, rounds),
    );
    return decided === null ? fallback() : load(decided, name);
  };
  const loadFilteredScan = async (planned: FilteredScan, name: string): Promise<ScanSource> => {
    const filtered = { ...planned, unitsMax: worthUpTo(planned.unitsMax, planned.fallback) };
    const fallback = async (): Promise<ScanSource> =>
      choose(await loadPlain(filtered, name), filtered.positions);
    const decided = plain.has(filtered.fallback)
      ? null
      : await resolveFilteredScan(plan, filtered, loaded, session, context.chooseRead);
    if (decided === null) return fallback();
    const { read, lookup, ledger } = decided;
    const lookups = choicesOf(filtered);
    if (ledger === null) return loadLookup(read, lookup, name, filtered.unitsMax, lookups, fallback);
    return (await loadInRounds(read, name, lookups(ledger))) ?? fallback();
  };
  /** In order as far as that is of use, or else what has all rows. */
  const loadTried = async (attempt: OrderedTry, name: string): Promise<ScanSource> => {
    const { runSliced, runSpaced } = context;
    const batchesOf = (steering?: ReadSteering): AsyncIterable<ReadBatch> =>
      watched(attempt.read, context, signal, null, steering);
    const { fallback, lookup } = attempt;
    const certain = lookup?.fallback ?? fallback;
    const job = { ...attempt.job, certainUnits: worthUpTo(attempt.job.certainUnits, certain) };
    const parts = { session, name, runSliced, runSpaced, batchesOf, inferences };
    const found = await loadInOrder({ ...attempt, job }, parts);
    if (found !== null) return found;
    const lookups = createLookupChoices(job.certainUnits, () => false, context.decideLookups);
    return loadLookup(fallback, lookup, name, job.certainUnits, lookups, () => load(certain, name));
  };
  const loadOne = (index: number, read: TableRead): Promise<ScanSource> => {
    const name = `r${index}`;
    const filtered = plan.filteredScans.get(index);
    if (filtered !== undefined) return loadFilteredScan(filtered, name);
    const attempt = plan.tries.get(index);
    if (attempt !== undefined) return loadTried(attempt, name);
    const lookup = plan.lookups.get(index);
    if (lookup === undefined) return load(read, name);
    const { fallback } = lookup;
    const units = worthUpTo(fallback.estimate.units, fallback);
    const lookups = createLookupChoices(units, () => false, context.decideLookups);
    return loadLookup(read, lookup, name, units, lookups, () => load(fallback, name));
  };

  let first: { readonly error: unknown } | null = null;
  const done = plan.reads.map(() => Promise.withResolvers<void>());
  for (const [index, read] of plan.reads.entries()) {
    const filtered = plan.filteredScans.get(index);
    const sides = plan.emptySides.get(index) ?? [];
    const needed = [...(filtered?.filters ?? []), ...sides].flatMap(({ reads }) => reads);
    const before = [...new Set(needed)].flatMap((other) => done[other]?.promise ?? []);
    const work = async (): Promise<void> => {
      if (signal.aborted) return;
      const isUseless = await isAnyEmpty(sides, plan, loaded, session);
      loaded[index] = isUseless ? await load(withoutRows(read), `r${index}`) : await loadOne(index, read);
    };
    void Promise.all(before)
      .then(() => inPlace(work))
      .catch((error: unknown) => {
        first ??= { error };
        failed.abort(error);
      })
      .finally(done[index]?.resolve);
  }
  await Promise.all(done.map(({ promise }) => promise));
  // What a read says of itself tells more than the signal that ended it.
  if (first !== null) throw (first as { readonly error: unknown }).error;
  if (signal.aborted) throw signal.reason;
  return loaded;
}
