/**
 * Dead letters: work that was given up and is kept for people, who can look at it, run it again once its cause is
 * mended, or remove it.
 */
import { PenstockError } from '../errors/penstock-error.ts';
import type { Logger } from '../logging/logger.ts';
import { connectRedis, redisReady } from '../redis/connect.ts';
import { failedJobs } from './failed-jobs.ts';
import { DEAD_LETTER_CONNECT_MS } from './limits.ts';
import { QUEUE_NAMES } from './names.ts';
import { usageDeadLetters } from './usage-dead-letters.ts';

export interface DeadLetter {
  readonly queue: string;
  /** Unique in its queue. */
  readonly id: string;
  /** What kind of work it is. */
  readonly name: string;
  readonly data: unknown;
  /** How often it was tried. */
  readonly attempts: number;
  /** ISO 8601, UTC. */
  readonly failedAt: string;
  readonly reason: string;
}

/** One queue's dead letters. */
export interface DeadLetterSource {
  readonly queue: string;
  /** Oldest first, at most DEAD_LETTERS_LISTED_MAX. */
  list(): Promise<readonly DeadLetter[]>;
  /** Puts one back to be retried, with all its attempts. False where there is none of that ID. */
  retry(id: string): Promise<boolean>;
  /** For ever. False where there is none of that ID. */
  remove(id: string): Promise<boolean>;
  close(): Promise<void>;
}

export interface DeadLetters {
  /** Those of one queue, or of all. @throws PenstockError VALIDATION_ERROR for a queue that there is none of */
  list(queue: string | null): Promise<readonly DeadLetter[]>;
  /**
   * Runs one again, or all that are listed; gives how many.
   * @throws PenstockError VALIDATION_ERROR, or NOT_FOUND where the queue has no such dead letter
   */
  retry(queue: string, id: string | null): Promise<number>;
  /** Throws one away, or all that are listed; gives how many. Throws as `retry` does. */
  remove(queue: string, id: string | null): Promise<number>;
  close(): Promise<void>;
}

/** @throws PenstockError UNAVAILABLE where Redis does not answer */
export async function openDeadLetters(redisUrl: string, logger: Logger): Promise<DeadLetters> {
  const redis = connectRedis(redisUrl, { logger, role: 'commands' });
  if (!(await redisReady(redis, DEAD_LETTER_CONNECT_MS))) {
    redis.disconnect();
    throw new PenstockError('UNAVAILABLE', 'Redis is not available: the queues cannot be read');
  }
  const sources: readonly DeadLetterSource[] = [
    ...Object.values(QUEUE_NAMES).map((name) => failedJobs(name, redis)),
    usageDeadLetters(redis),
  ];

  function source(queue: string): DeadLetterSource {
    const found = sources.find((one) => one.queue === queue);
    if (found !== undefined) return found;
    const names = sources.map((one) => one.queue).join(', ');
    throw new PenstockError('VALIDATION_ERROR', `There is no queue ${queue}; there are ${names}`);
  }

  async function each(
    queue: string,
    id: string | null,
    work: (from: DeadLetterSource, id: string) => Promise<boolean>,
  ): Promise<number> {
    const from = source(queue);
    if (id === null) {
      let done = 0;
      for (const letter of await from.list()) if (await work(from, letter.id)) done += 1;
      return done;
    }
    if (await work(from, id)) return 1;
    throw new PenstockError('NOT_FOUND', `The queue ${queue} has no dead letter ${id}`);
  }

  return Object.freeze({
    async list(queue: string | null) {
      const from = queue === null ? sources : [source(queue)];
      return (await Promise.all(from.map((one) => one.list()))).flat();
    },
    retry: (queue: string, id: string | null) => each(queue, id, (from, one) => from.retry(one)),
    remove: (queue: string, id: string | null) => each(queue, id, (from, one) => from.remove(one)),
    async close() {
      await Promise.all(sources.map((one) => one.close()));
      redis.disconnect();
    },
  });
}
