import { UnrecoverableError, Worker } from 'bullmq';
import { ERROR_CODES } from '../errors/codes.ts';
import { PenstockError } from '../errors/penstock-error.ts';
import type { Logger } from '../logging/logger.ts';
import { connectRedis } from '../redis/connect.ts';

/** A job that ran out of attempts is kept in the queue's list of failed jobs. */
export interface RunningJob<D> {
  readonly id: string;
  readonly name: string;
  readonly data: D;
  /** From 1. */
  readonly attempt: number;
}

export interface WorkerOptions<D> {
  readonly name: string;
  readonly redisUrl: string;
  /** Jobs at the same time in this process. */
  readonly concurrency: number;
  /** Rejects to have the job tried again; not again when it is a PenstockError of the category `user`. */
  readonly handle: (job: RunningJob<D>) => Promise<void>;
  readonly logger: Logger;
}

export interface JobWorker {
  /** Takes no more jobs, waits for those that run. */
  close(): Promise<void>;
}

const isFinal = (error: unknown): boolean =>
  error instanceof PenstockError && ERROR_CODES[error.code].category === 'user';

/** The consumer's side of a queue: takes jobs at once. A job whose process died is taken by another. */
export function startWorker<D>(options: WorkerOptions<D>): JobWorker {
  const { logger } = options;
  const redis = connectRedis(options.redisUrl, { logger, role: 'queue' });
  const worker = new Worker<D, void, string>(
    options.name,
    async (job) => {
      const running = { id: job.id ?? '', name: job.name, data: job.data, attempt: job.attemptsMade + 1 };
      const log = logger.child({
        queue: options.name,
        job: running.name,
        jobId: running.id,
        attempt: running.attempt,
      });
      const start = performance.now();
      try {
        await options.handle(running);
        log.debug({ durationMs: Math.round(performance.now() - start) }, 'job done');
      } catch (error) {
        log.warn({ err: error }, 'job failed');
        throw isFinal(error) ? new UnrecoverableError(String(error)) : error;
      }
    },
    { connection: redis, concurrency: options.concurrency },
  );
  // Said once by the connection itself; an emitter without a listener would end the process.
  worker.on('error', () => undefined);
  worker.on('stalled', (jobId) =>
    logger.warn({ queue: options.name, jobId }, 'a job was left by its process'),
  );
  return Object.freeze({
    async close() {
      await worker.close();
      redis.disconnect();
    },
  });
}
