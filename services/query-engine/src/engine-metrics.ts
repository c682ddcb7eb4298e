/** What an engine measures of its queries and workers. deploy/observability/README.md lists the names. */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { Metrics } from '@penstock/common/telemetry/metrics.ts';
import type { BudgetLimit } from './host/budgets/limits-of.ts';
import type { PositionOutcome } from './host/page-positions/page-positions.ts';
import type { Death } from './host/processes/worker-types.ts';
import type { WorkerPool } from './host/processes/worker-pool.ts';
import type { MetricMessage } from './pipe/messages.ts';
import type { Admission, Place, WorkloadClass } from './scheduling/admission.ts';
import type { PausedResults } from './scheduling/paused-results.ts';

export interface EngineMetrics {
  /** The same admission, observed, its refusals counted. */
  observeAdmission(admission: Admission): Admission;
  /** The same results, their number observed. */
  observePaused(results: PausedResults): PausedResults;
  observeWorkers(pool: Pick<WorkerPool, 'workers'>): void;
  /** What a query read and returned, also of one that failed. */
  readonly onUsage: (rowsReturned: number, readHalfUnits: number) => void;
  /** What a worker measured. */
  readonly onMetrics: (metrics: readonly MetricMessage[]) => void;
  readonly onDeath: (death: Pick<Death, 'cause'>) => void;
  readonly onRetry: () => void;
  /** For so long a worker did not answer, and so long a query waited for one; milliseconds. */
  readonly onTick: (silentMs: number) => void;
  readonly onPlaced: (waitedMs: number) => void;
  /** A page waited so long for the limit of its table, milliseconds. */
  readonly onLimitWait: (waitedMs: number) => void;
  /** It was looked where a page begins. */
  readonly onPositionLook: (outcome: PositionOutcome) => void;
  /** A page was not read since a budget is used up. */
  readonly onBudgetRefusal: (limit: Pick<BudgetLimit, 'whose' | 'period'>) => void;
}

export function createEngineMetrics(metrics: Metrics): EngineMetrics {
  const refusals = metrics.counter(
    'penstock_queries_refused_total',
    'Queries refused because too many run and wait.',
  );
  const lookups = metrics.counter(
    'penstock_plan_cache_lookups_total',
    'Lookups of statements and plans that are kept.',
    ['cache', 'outcome'],
  );
  const units = metrics.counter('penstock_read_units_total', 'Read units that queries consumed.');
  const rows = metrics.counter('penstock_rows_returned_total', 'Rows that queries returned.');
  const deaths = metrics.counter(
    'penstock_query_workers_ended_total',
    'Query workers that ended, by cause.',
    ['cause'],
  );
  const retries = metrics.counter(
    'penstock_queries_retried_total',
    'Queries that were run again in another worker.',
  );
  const silences = metrics.histogram(
    'penstock_query_worker_silence_seconds',
    'How long query workers took to answer their host.',
  );
  const waits = metrics.histogram(
    'penstock_query_worker_wait_seconds',
    'How long queries waited for a worker, where they did.',
  );
  const limitWaits = metrics.histogram(
    'penstock_read_limit_wait_seconds',
    'How long pages waited for the read units a second of their table, where they did.',
  );
  const budgetRefusals = metrics.counter(
    'penstock_budget_refusals_total',
    'Reads that were refused because a budget is used up.',
    ['whose', 'period'],
  );
  const positions = metrics.counter(
    'penstock_page_positions_total',
    'Pages behind the first of statements that go page by page, by what was known of where they begin.',
    ['outcome'],
  );
  const calls = metrics.histogram(
    'penstock_aws_call_duration_seconds',
    'Duration of calls to AWS by outcome; each attempt counts.',
    ['api', 'operation', 'plane', 'outcome'],
  );

  return Object.freeze({
    observeAdmission(admission: Admission): Admission {
      observePlaces(metrics, admission);
      return countingRefusals(admission, () => refusals.inc());
    },
    observePaused(results: PausedResults): PausedResults {
      metrics.observe('penstock_queries_paused', 'Queries whose rows nobody takes at the moment.', [], () => [
        { labels: {}, value: results.paused },
      ]);
      return results;
    },
    observeWorkers: (pool: Pick<WorkerPool, 'workers'>) => observeWorkers(metrics, pool),
    onUsage: (rowsReturned: number, readHalfUnits: number) => {
      rows.inc(rowsReturned);
      units.inc(readHalfUnits / 2);
    },
    onMetrics(told: readonly MetricMessage[]) {
      for (const each of told) {
        if (each.metric === 'cacheLookup')
          lookups.inc({ cache: each.cache, outcome: each.hit ? 'hit' : 'miss' }, each.count);
        else for (const seconds of each.values) calls.observe({ ...each.labels }, seconds);
      }
    },
    onDeath: ({ cause }: Pick<Death, 'cause'>) => deaths.inc({ cause }),
    onRetry: () => retries.inc(),
    onTick: (silentMs: number) => silences.observe(silentMs / 1000),
    onPlaced: (waitedMs: number) => waits.observe(waitedMs / 1000),
    onBudgetRefusal: ({ whose, period }: Pick<BudgetLimit, 'whose' | 'period'>) =>
      budgetRefusals.inc({ whose, period }),
    onPositionLook: (outcome: PositionOutcome) => positions.inc({ outcome }),
    onLimitWait: (waitedMs: number) => limitWaits.observe(waitedMs / 1000),
  });
}

function observeWorkers(metrics: Metrics, pool: Pick<WorkerPool, 'workers'>): void {
  metrics.observe(
    'penstock_query_workers',
    'Query workers, by what they are for and their state.',
    ['role', 'state'],
    () => {
      const counts = new Map<string, { labels: { role: string; state: string }; value: number }>();
      for (const { worker, role } of pool.workers) {
        const labels = { role, state: worker.state };
        const key = JSON.stringify(labels);
        counts.set(key, { labels, value: (counts.get(key)?.value ?? 0) + 1 });
      }
      return [...counts.values()];
    },
  );
  metrics.observe(
    'penstock_query_worker_memory_bytes',
    'Resident memory of their own of query workers, by what they are for.',
    ['role', 'worker'],
    () =>
      pool.workers.flatMap(({ worker, role }) => {
        const bytes = worker.residentBytes();
        return bytes === null ? [] : [{ labels: { role, worker: String(worker.id) }, value: bytes }];
      }),
  );
  metrics.observe(
    'penstock_duckdb_memory_bytes',
    'Memory that DuckDB holds, and what it has spilled to disk, in all workers.',
    ['kind'],
    () => {
      const statuses = pool.workers.flatMap(({ worker }) => worker.status ?? []);
      const memory = statuses.reduce((sum, { duckdbMemoryBytes }) => sum + duckdbMemoryBytes, 0);
      const spilled = statuses.reduce((sum, { duckdbSpilledBytes }) => sum + duckdbSpilledBytes, 0);
      return [
        { labels: { kind: 'memory' }, value: memory },
        { labels: { kind: 'spilled' }, value: spilled },
      ];
    },
  );
}

function observePlaces(metrics: Metrics, admission: Admission): void {
  metrics.observe('penstock_queries_running', 'Queries that run, by workload class.', ['class'], () => [
    { labels: { class: 'short' }, value: admission.runningShort },
    { labels: { class: 'long' }, value: admission.running - admission.runningShort },
  ]);
  metrics.observe('penstock_queries_waiting', 'Queries that wait for a place.', [], () => [
    { labels: {}, value: admission.waiting },
  ]);
}

type Counted = <T>(entering: Promise<T>) => Promise<T>;

class CountedPlace implements Place {
  private readonly place: Place;
  private readonly counted: Counted;

  constructor(place: Place, counted: Counted) {
    this.place = place;
    this.counted = counted;
  }

  get workloadClass(): WorkloadClass {
    return this.place.workloadClass;
  }

  promote(): Promise<void> {
    return this.counted(this.place.promote());
  }

  rest(): void {
    this.place.rest();
  }

  goOn(): Promise<void> {
    return this.place.goOn();
  }

  leave(): void {
    this.place.leave();
  }
}

function countingRefusals(admission: Admission, refused: () => void): Admission {
  const counted: Counted = async (entering) => {
    try {
      return await entering;
    } catch (error) {
      if (error instanceof PenstockError && error.code === 'UNAVAILABLE') refused();
      throw error;
    }
  };
  return {
    async enter(tenantId, signal): Promise<Place> {
      return new CountedPlace(await counted(admission.enter(tenantId, signal)), counted);
    },
    get running() {
      return admission.running;
    },
    get waiting() {
      return admission.waiting;
    },
    get runningShort() {
      return admission.runningShort;
    },
  };
}
