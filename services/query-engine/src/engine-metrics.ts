/** What the engine's process measures of its queries. deploy/observability/README.md lists the names. */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { Metrics } from '@penstock/common/telemetry/metrics.ts';
import type { Admission, Place } from './scheduling/admission.ts';
import type { Database } from './execution/session/database.ts';
import type { CacheLookup } from './prepare.ts';

export interface EngineMetrics {
  /** The same admission, observed, its refusals counted. */
  observeAdmission(admission: Admission): Admission;
  readonly onCacheLookup: CacheLookup;
  /** What a query read and returned, also of one that failed. */
  readonly onUsage: (rowsReturned: number, readHalfUnits: number) => void;
}

export function createEngineMetrics(
  metrics: Metrics,
  observed: { readonly database: Pick<Database, 'memory'> },
): EngineMetrics {
  const { database } = observed;
  metrics.observe(
    'penstock_duckdb_memory_bytes',
    'Memory that DuckDB holds, and what it has spilled to disk.',
    ['kind'],
    async () => {
      const { memoryBytes, spilledBytes } = await database.memory();
      return [
        { labels: { kind: 'memory' }, value: memoryBytes },
        { labels: { kind: 'spilled' }, value: spilledBytes },
      ];
    },
  );
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

  return Object.freeze({
    observeAdmission(admission: Admission): Admission {
      observePlaces(metrics, admission);
      return countingRefusals(admission, () => refusals.inc());
    },
    onCacheLookup: (cache: string, hit: boolean) => lookups.inc({ cache, outcome: hit ? 'hit' : 'miss' }),
    onUsage: (rowsReturned: number, readHalfUnits: number) => {
      rows.inc(rowsReturned);
      units.inc(readHalfUnits / 2);
    },
  });
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

function countingRefusals(admission: Admission, refused: () => void): Admission {
  const counted = async <T>(entering: Promise<T>): Promise<T> => {
    try {
      return await entering;
    } catch (error) {
      if (error instanceof PenstockError && error.code === 'UNAVAILABLE') refused();
      throw error;
    }
  };
  return {
    async enter(tenantId, signal): Promise<Place> {
      const place = await counted(admission.enter(tenantId, signal));
      return {
        get workloadClass() {
          return place.workloadClass;
        },
        promote: () => counted(place.promote()),
        leave: () => place.leave(),
      };
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
