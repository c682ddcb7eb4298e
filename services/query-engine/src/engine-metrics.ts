/** What the engine's process measures of its queries. deploy/observability/README.md lists the names. */
import type { Metrics } from '@penstock/common/telemetry/metrics.ts';
import type { Database } from './execution/database.ts';
import type { CacheLookup } from './prepare.ts';

export interface EngineMetrics {
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
  const lookups = metrics.counter(
    'penstock_plan_cache_lookups_total',
    'Lookups of statements and plans that are kept.',
    ['cache', 'outcome'],
  );
  const units = metrics.counter('penstock_read_units_total', 'Read units that queries consumed.');
  const rows = metrics.counter('penstock_rows_returned_total', 'Rows that queries returned.');

  return Object.freeze({
    onCacheLookup: (cache: string, hit: boolean) => lookups.inc({ cache, outcome: hit ? 'hit' : 'miss' }),
    onUsage: (rowsReturned: number, readHalfUnits: number) => {
      rows.inc(rowsReturned);
      units.inc(readHalfUnits / 2);
    },
  });
}
