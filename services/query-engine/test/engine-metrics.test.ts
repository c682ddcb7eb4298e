import { createMetrics } from '@penstock/common/telemetry/metrics.ts';
import { expect } from 'chai';
import { createEngineMetrics } from '../src/engine-metrics.ts';
import { createAdmission } from '../src/scheduling/admission.ts';

const LANE = { places: 1, perTenant: 1, waiting: 1, retryAfterS: 1 };

describe('what the engine measures', () => {
  const metrics = createMetrics('e');
  const measured = createEngineMetrics(metrics, {
    database: { memory: () => Promise.resolve({ memoryBytes: 5, spilledBytes: 7 }) },
  });
  const lines = async (): Promise<readonly string[]> =>
    (await metrics.registry.metrics())
      .split('\n')
      .filter((line) => line.startsWith('penstock_'))
      .map((line) => line.replace(/,?service="e"/, '').replace('{}', ''));

  it('is units, rows, lookups and memory', async () => {
    measured.onUsage(3, 5);
    measured.onUsage(0, 1);
    measured.onCacheLookup('plan', true);
    measured.onCacheLookup('plan', false);
    measured.onCacheLookup('plan', true);
    expect(await lines()).to.include.members([
      'penstock_read_units_total 3',
      'penstock_rows_returned_total 3',
      'penstock_plan_cache_lookups_total{cache="plan",outcome="hit"} 2',
      'penstock_plan_cache_lookups_total{cache="plan",outcome="miss"} 1',
      'penstock_duckdb_memory_bytes{kind="memory"} 5',
      'penstock_duckdb_memory_bytes{kind="spilled"} 7',
    ]);
  });

  it('is who runs, who waits and who is refused, in either workload class', async () => {
    const admission = measured.observeAdmission(createAdmission({ short: LANE, long: LANE }));
    const { signal } = new AbortController();
    const first = await admission.enter('a', signal);
    await first.promote();
    const second = await admission.enter('b', signal);
    const waiting = admission.enter('c', signal);
    const refused = await admission.enter('d', signal).catch((error: unknown) => error);
    expect(refused).to.include({ code: 'UNAVAILABLE' });
    expect(await lines()).to.include.members([
      'penstock_queries_running{class="long"} 1',
      'penstock_queries_running{class="short"} 1',
      'penstock_queries_waiting 1',
      'penstock_queries_refused_total 1',
    ]);
    second.leave();
    (await waiting).leave();
    first.leave();
    expect(await lines()).to.include.members([
      'penstock_queries_running{class="long"} 0',
      'penstock_queries_running{class="short"} 0',
      'penstock_queries_waiting 0',
    ]);
  });
});
