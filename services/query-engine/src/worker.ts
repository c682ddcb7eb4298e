/**
 * A query worker: parses, plans, reads and computes what its host gives it, and may be killed at any moment. It has nothing
 * of the host's environment but what it needs, and the credentials of the queries that it runs.
 */
import { writeFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { createLogger } from '@penstock/common/logging/logger.ts';
import { collectStart } from '@penstock/common/process/collect-start.ts';
import { collector } from '@penstock/common/process/collector.ts';
import { optimizeEarly } from '@penstock/common/process/optimize-early.ts';
import { startTracing, type Tracing } from '@penstock/common/telemetry/tracing.ts';
import { createPacers } from './dynamodb/reader/pacers.ts';
import type { Engine } from './engine.ts';
import { HEAP_GROWTH_PERCENT, WORKER_STATUS_EVERY_MS } from './limits.ts';
import { joined, openReceiver, openSender } from './pipe/channel.ts';
import { placeOf } from './pipe/error-message.ts';
import { FROM_HOST_FD, RESULTS_FD, TO_HOST_FD } from './pipe/limits.ts';
import type { FromWorker, ResultFromWorker, ToWorker, WorkerSettings } from './pipe/messages.ts';
import { createWorkRecorder } from './pipe/work-record.ts';
import { buildEngine } from './worker/build-engine.ts';
import { createHostLink } from './worker/host-link.ts';
import { createQueries, type Queries } from './worker/queries.ts';
import { statementHash } from './worker/refused.ts';
import { createToldMetrics } from './worker/told-metrics.ts';
import { warmUp } from './worker/warm-up.ts';

// Pages are garbage once they are loaded; by itself V8 lets several times what is alive pile up.
setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
try {
  // Where memory runs out, the system ends a worker and not its host. Linux alone has it.
  writeFileSync('/proc/self/oom_score_adj', '1000');
} catch {
  // Elsewhere the host's own watch has to do.
}
// DuckDB takes no mode for what it spills.
process.umask(0o077);

let tracing: Tracing | null = null;
let queries: Queries | null = null;
/** What is on its way from DynamoDB is waited for, since it counts. */
const end = (): void => {
  void Promise.resolve(queries?.end())
    .then(() => tracing?.close())
    .then(() => process.exit(0));
};
for (const event of ['uncaughtException', 'unhandledRejection'] as const)
  process.on(event, (error: unknown) => {
    process.stderr.write(`query worker: ${event}: ${placeOf(error)}\n`);
    process.exit(1);
  });
// The host says when to end; who ends a whole group of processes gives it the time for that.
process.on('SIGTERM', () => undefined);
process.on('SIGINT', () => undefined);

new Worker(new URL('./worker/watchdog.ts', import.meta.url), {
  name: 'watchdog',
  execArgv: [],
  env: {},
  workerData: { host: process.ppid },
  resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1, stackSizeMb: 1 },
}).unref();

const socketOf = (fd: number): Socket => new Socket({ fd, readable: true, writable: true });
const link = createHostLink(openSender<FromWorker>(socketOf(TO_HOST_FD)));
const results = openSender<ResultFromWorker>(socketOf(RESULTS_FD));
const pacers = createPacers((throttling) => link.tell({ kind: 'throttled', throttling }));

openReceiver<ToWorker>(socketOf(FROM_HOST_FD), {
  // The host closes it when the worker is to end, and when it is gone itself.
  onEnd: end,
  onMessage(message, bytes) {
    switch (message.kind) {
      case 'start':
        start(message.settings).catch((error: unknown) => {
          process.stderr.write(`query worker: could not start: ${String(error)}\n`);
          process.exit(1);
        });
        return;
      case 'tick':
        link.tell({ kind: 'tock', tick: message.tick });
        return;
      case 'collect':
        collector()({ type: 'major' });
        return;
      case 'hash':
        link.tell({ kind: 'hashed', ask: message.ask, statementHash: statementHash(message.sql) });
        return;
      case 'execute':
        queries?.execute(message);
        return;
      case 'describe':
        queries?.describe(message);
        return;
      case 'plan':
        queries?.plan(message);
        return;
      case 'cancel':
        queries?.cancel(message);
        return;
      case 'taken':
        queries?.taken(message);
        return;
      case 'slow':
        pacers.slow(message.throttling);
        return;
      default:
        link.onMessage(message, joined(bytes));
    }
  },
});

async function start(settings: WorkerSettings): Promise<void> {
  const logger = createLogger({ service: 'query-worker', level: 'warn' });
  tracing = await startTracing({ service: 'query-engine', env: process.env, logger });
  const metrics = createToldMetrics((told) => link.tell({ kind: 'metrics', metrics: told }));
  let engine: Engine | null = null;
  queries = createQueries({
    engine: () => {
      if (engine === null) throw new Error('a query came before the worker was ready');
      return engine;
    },
    link,
    send: results.send,
    recorder: createWorkRecorder(settings.workRecord),
    onDemandUnitsPerSecond: settings.onDemandUnitsPerSecond ?? null,
  });
  const built = await buildEngine(settings, { link, queries, metrics, pacers });
  engine = built.engine;
  const { database } = built;
  setInterval(() => {
    void database.memory().then(
      ({ memoryBytes, spilledBytes }) =>
        link.tell({
          kind: 'status',
          status: { duckdbMemoryBytes: memoryBytes, duckdbSpilledBytes: spilledBytes },
        }),
      () => undefined,
    );
  }, WORKER_STATUS_EVERY_MS).unref();
  await warmUp(database);
  // For the next worker: whoever is killed has no time for it.
  flushCompileCache();
  collectStart();
  optimizeEarly();
  link.tell({ kind: 'ready' });
}
