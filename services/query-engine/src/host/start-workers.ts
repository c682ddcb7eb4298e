/** The workers of a host, and what becomes of those that end. */
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import type { Logger } from '@penstock/common/logging/logger.ts';
import type { Throttling } from '../scheduling/throttling.ts';
import type { FromWorker, MetricMessage, WorkerSettings } from '../pipe/messages.ts';
import { HEAP_SHARE_PERCENT } from './limits.ts';
import type { Offenders, Suspect } from './offenders/offenders.ts';
import type { WorkerCommand } from './processes/worker-child.ts';
import { createWorkerPool, type WorkerPool } from './processes/worker-pool.ts';
import { startWorker } from './processes/worker-process.ts';
import type { Death } from './processes/worker-types.ts';

export interface WorkersOptions {
  readonly places: number;
  readonly memoryMb: number;
  readonly settings: Omit<WorkerSettings, 'tempDirectory' | 'workRecord'>;
  readonly command: WorkerCommand;
  /** Of this host alone. */
  readonly spillFolder: string;
  readonly offenders: Pick<Offenders, 'count'>;
  readonly logger: Logger;
  /** Told of a statement that DuckDB reads otherwise than we do: a bug of the parser. */
  readonly onDisagreement: (message: Extract<FromWorker, { kind: 'disagreed' }>) => void;
  /** Told of a table that DynamoDB throttled, in one of them. The others are told by `slow`. */
  readonly onThrottled?: (throttling: Throttling) => void;
  readonly metrics: {
    readonly onDeath: (death: Death) => void;
    readonly onTick: (silentMs: number) => void;
    readonly onMetrics: (metrics: readonly MetricMessage[]) => void;
  };
}

/** Of the host's environment, what a worker needs. None is a secret. */
const PASSED_ON = /^(OTEL_.*|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|UV_THREADPOOL_SIZE|LANG|TZ)$/;

/**
 * How a worker is started: with an environment of its own. What the first workers compile is kept for those that take their
 * places, which start in half of the time then: in `folder`, of this host alone; where the host was told to keep what it
 * compiles, beside that for the next host's workers, too, but apart, since a worker writes nothing that a host runs.
 */
export function workerCommand(
  memoryMb: number,
  env: Readonly<Record<string, string | undefined>>,
  folder: string,
): WorkerCommand {
  const passed = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && PASSED_ON.test(name) ? [[name, value] as const] : [],
  );
  const kept = env['NODE_COMPILE_CACHE'] ?? '';
  return {
    file: join(import.meta.dirname, '../worker.ts'),
    flags: [
      `--max-old-space-size=${Math.floor((memoryMb * HEAP_SHARE_PERCENT) / 100)}`,
      // Pages are read, loaded and forgotten: a larger young generation would only hold more of what nobody needs.
      '--max-semi-space-size=4',
      // A statement runs through much code, each part of it seldom: interpreting it until it is hot takes longer.
      '--always-sparkplug',
      // Workers are as many as cores. A scan takes 5 % less CPU where each collects alone, and no longer.
      '--no-parallel-scavenge',
      '--disable-sigusr1',
    ],
    env: {
      NODE_ENV: 'production',
      // glibc gives threads heaps of their own, up to eight a processor, and what one frees there is of no use to the others.
      // Nothing waits for one of two: DuckDB has an allocator of its own, and V8 has one, too.
      MALLOC_ARENA_MAX: '2',
      NODE_COMPILE_CACHE: kept === '' ? join(folder, 'compiled') : join(kept, 'query-workers'),
      ...Object.fromEntries(passed),
    },
  };
}

export function startWorkers(options: WorkersOptions): WorkerPool {
  const { logger, metrics, offenders } = options;

  /** Of statements like this one: a worker works it out, since this process reads no statement. */
  const hashOf = async (sql: string): Promise<string> => {
    const worker = pool.placeNow({ tenantId: '', isLong: false, isApart: false, besides: null });
    const whole = (): string => createHash('sha256').update(sql).digest('base64url');
    return worker === null ? whole() : worker.hash(sql).catch(whole);
  };
  const onDeath = (death: Death): void => {
    metrics.onDeath(death);
    const { worker, cause, residentMb } = death;
    if (cause === 'closed') return;
    logger.error({ worker, cause, residentMb, suspects: death.suspects.length }, 'a query worker ended');
    const hashed = death.suspects.map(async ({ run: { tenantId, sql }, isCertain }): Promise<Suspect> => {
      const statementHash = await hashOf(sql);
      logger.error(
        { tenantId, worker, cause, statementHash, isCertain },
        'a query worker ended while it worked on a statement',
      );
      return { tenantId, statementHash };
    });
    void Promise.all(hashed).then((suspects) => offenders.count(suspects, cause !== 'ended'));
  };
  const pool = createWorkerPool({
    places: options.places,
    tenantSharePercent: options.settings.tenantSharePercent,
    start: (id, givesWay, events) =>
      startWorker({
        id,
        command: { ...options.command, givesWay },
        settings: options.settings,
        spillFolder: options.spillFolder,
        memoryMbMax: options.memoryMb,
        events: {
          onReady: () => events.onReady(),
          onKilled: () => events.onKilled(),
          onTick: metrics.onTick,
          onGoingOn: () => events.onGoingOn(),
          hasOther: () => events.hasOther(),
          onDeath(death) {
            events.onDeath(death);
            onDeath(death);
          },
          onMetrics: metrics.onMetrics,
          onThrottled(throttling) {
            for (const { worker } of pool.workers) if (worker.id !== id) worker.slow(throttling);
            options.onThrottled?.(throttling);
          },
          onDisagreement: options.onDisagreement,
        },
      }),
  });
  return pool;
}
