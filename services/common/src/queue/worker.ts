import { SpanKind } from '@opentelemetry/api';
import { DelayedError, UnrecoverableError, Worker } from 'bullmq';
import { ERROR_CODES } from '../errors/codes.ts';
import { PenstockError } from '../errors/penstock-error.ts';
import type { Logger } from '../logging/logger.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { ATTRIBUTES } from '../telemetry/names.ts';
import { extractText } from '../telemetry/propagation.ts';
import { continueTrace } from '../telemetry/spans.ts';
import { connectRedis } from '../redis/connect.ts';
import { closedInTime } from './closing.ts';
import { JOB_LOCK_MS, TURN_WAIT_MS } from './limits.ts';
import { queueAttributes } from './queue.ts';

/** A job that ran out of attempts is kept in the queue's list of failed jobs. */
export interface RunningJob<D> {
  readonly id: string;
  readonly name: string;
  readonly data: D;
  /** From 1. */
  readonly attempt: number;
}

interface WorkerOptions<D> {
  readonly name: string;
  readonly redisUrl: string;
  /** Jobs at the same time in this process. */
  readonly concurrency: number;
  /** JOB_LOCK_MS where absent. */
  readonly lockMs?: number;
  /** Rejects to have the job tried again; not again when it is a PenstockError of the category `user`. */
  readonly handle: (job: RunningJob<D>) => Promise<void>;
  /** Of the jobs of one name that this gives, one runs at a time in this process, and others go first meanwhile. */
  readonly turnOf?: (data: D) => string;
  readonly logger: Logger;
  readonly metrics?: Metrics;
}

export interface JobWorker {
  /**
   * Takes no more jobs and waits for those that run. It does not wait for a Redis that is away: another worker takes
   * up its jobs.
   */
  close(): Promise<void>;
}

/** Runs a job, in the trace that it was added in where there is one. */
async function inTraceOf(
  traceContext: string | undefined,
  queue: string,
  { id, attempt }: RunningJob<unknown>,
  work: () => Promise<void>,
): Promise<void> {
  const attributes = () => ({
    ...queueAttributes(queue),
    [ATTRIBUTES.messagingId]: id,
    [ATTRIBUTES.attempt]: attempt,
  });
  const options = { kind: SpanKind.CONSUMER, attributes };
  const span = continueTrace(`${queue} process`, options, extractText(traceContext));
  if (span === null) return work();
  try {
    await span.run(work);
  } catch (error) {
    span.failed(error);
    throw error;
  } finally {
    span.end();
  }
}

/** A worker that can stop renewing locks at once. BullMQ's own `close` stops it only once Redis has answered. */
class LocalWorker<D> extends Worker<D, void, string> {
  endRenewals(): Promise<void> {
    return this.lockManager.close();
  }
}

const isFinal = (error: unknown): boolean =>
  error instanceof PenstockError && ERROR_CODES[error.code].category === 'user';

/** The consumer's side of a queue: takes jobs at once. A job whose process died is taken by another. */
export function startWorker<D>(options: WorkerOptions<D>): JobWorker {
  const { logger, lockMs = JOB_LOCK_MS } = options;
  const durations = options.metrics?.histogram(
    'penstock_queue_job_duration_seconds',
    'Duration of jobs by outcome; each attempt counts.',
    ['queue', 'job', 'outcome'],
  );
  const redis = connectRedis(options.redisUrl, { logger, role: 'queue' });
  /** One for each running job. It resolves when the job's work is done, even if Redis could not be told. */
  const running = new Set<Promise<void>>();
  const handle = (job: RunningJob<D>): Promise<void> => {
    const work = options.handle(job);
    const done = work.then(
      () => undefined,
      () => undefined,
    );
    running.add(done);
    void done.then(() => running.delete(done));
    return work;
  };
  const turns = new Set<string>();
  const worker = new LocalWorker<D>(
    options.name,
    async (job, token) => {
      const turn = options.turnOf?.(job.data);
      if (turn !== undefined && turns.has(turn)) {
        await job.moveToDelayed(Date.now() + TURN_WAIT_MS, token);
        throw new DelayedError();
      }
      if (turn !== undefined) turns.add(turn);
      const taken = { id: job.id ?? '', name: job.name, data: job.data, attempt: job.attemptsMade + 1 };
      const log = logger.child({
        queue: options.name,
        job: taken.name,
        jobId: taken.id,
        attempt: taken.attempt,
      });
      const start = performance.now();
      const ended = (outcome: 'done' | 'failed'): number => {
        const ms = performance.now() - start;
        durations?.observe({ queue: options.name, job: job.name, outcome }, ms / 1000);
        return Math.round(ms);
      };
      await inTraceOf(job.opts.telemetry?.metadata, options.name, taken, async () => {
        try {
          await handle(taken);
          log.debug({ durationMs: ended('done') }, 'job done');
        } catch (error) {
          ended('failed');
          log.warn({ err: error }, 'job failed');
          throw isFinal(error) ? new UnrecoverableError(String(error)) : error;
        } finally {
          if (turn !== undefined) turns.delete(turn);
        }
      });
    },
    {
      connection: redis,
      concurrency: options.concurrency,
      lockDuration: lockMs,
      stalledInterval: lockMs,
    },
  );
  // The connection logs it once. An emitter without a listener would end the process.
  worker.on('error', () => undefined);
  worker.on('stalled', (jobId) =>
    logger.warn({ queue: options.name, jobId }, 'a job was left by its process'),
  );
  return Object.freeze({
    async close() {
      // It takes no more jobs, but then waits for Redis however long that is away.
      const closed = worker.close();
      closed.catch(() => undefined);
      do {
        await Promise.all(running);
        await closedInTime(closed, redis);
        // A job that was being fetched when the worker closed may have begun since.
      } while (running.size > 0);
      // Its timer would keep the process.
      await worker.endRenewals();
      redis.disconnect();
      worker.disconnect().catch(() => undefined);
    },
  });
}
