import { createMetrics } from '@penstock/common/telemetry/metrics.ts';
import { expect } from 'chai';
import { createEngineMetrics } from '../src/engine-metrics.ts';
import type { WorkerProcess } from '../src/host/processes/worker-types.ts';
import { createAdmission } from '../src/scheduling/admission.ts';

const LANE = { places: 1, perTenant: 1, waiting: 1, retryAfterS: 1 };

describe('what the engine measures', () => {
  const metrics = createMetrics('e');
  const measured = createEngineMetrics(metrics);
  const lines = async (): Promise<readonly string[]> =>
    (await metrics.registry.metrics())
      .split('\n')
      .filter((line) => line.startsWith('penstock_'))
      .map((line) =>
        line
          .replace(/service="e",?/, '')
          .replace(/,\}/, '}')
          .replace('{}', ''),
      );

  it('is units, rows, and what workers measure', async () => {
    measured.onUsage(3, 5);
    measured.onUsage(0, 1);
    measured.onMetrics([
      { metric: 'cacheLookup', cache: 'plan', hit: true, count: 2 },
      { metric: 'cacheLookup', cache: 'plan', hit: false, count: 1 },
      {
        metric: 'observed',
        name: 'penstock_aws_call_duration_seconds',
        labels: { api: 'DynamoDB', operation: 'GetItem', plane: 'tenant', outcome: 'ok' },
        values: [0.002, 0.004],
      },
    ]);
    expect(await lines()).to.include.members([
      'penstock_read_units_total 3',
      'penstock_rows_returned_total 3',
      'penstock_plan_cache_lookups_total{cache="plan",outcome="hit"} 2',
      'penstock_plan_cache_lookups_total{cache="plan",outcome="miss"} 1',
      'penstock_aws_call_duration_seconds_count{api="DynamoDB",operation="GetItem",plane="tenant",outcome="ok"} 2',
    ]);
  });

  it('is workers, their memory and their ends', async () => {
    const worker = (id: number, bytes: number | null): WorkerProcess =>
      ({
        id,
        state: 'ready',
        status: { duckdbMemoryBytes: 5, duckdbSpilledBytes: 7 },
        residentBytes: () => bytes,
      }) as unknown as WorkerProcess;
    measured.observeWorkers({
      workers: [
        { worker: worker(1, 100), role: 'place' },
        { worker: worker(2, 200), role: 'spare' },
      ],
    });
    measured.onDeath({ cause: 'memory' });
    measured.onRetry();
    expect(await lines()).to.include.members([
      'penstock_query_workers{role="place",state="ready"} 1',
      'penstock_query_workers{role="spare",state="ready"} 1',
      'penstock_query_worker_memory_bytes{role="place",worker="1"} 100',
      'penstock_query_worker_memory_bytes{role="spare",worker="2"} 200',
      'penstock_duckdb_memory_bytes{kind="memory"} 10',
      'penstock_duckdb_memory_bytes{kind="spilled"} 14',
      'penstock_query_workers_ended_total{cause="memory"} 1',
      'penstock_queries_retried_total 1',
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
