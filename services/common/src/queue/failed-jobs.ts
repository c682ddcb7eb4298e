import { Queue, type Job } from 'bullmq';
import type { Redis } from 'ioredis';
import type { DeadLetter, DeadLetterSource } from './dead-letters.ts';
import { DEAD_LETTERS_LISTED_MAX } from './limits.ts';

function deadLetter(queue: string, job: Job): DeadLetter {
  return {
    queue,
    id: job.id ?? '',
    name: job.name,
    data: job.data as unknown,
    attempts: job.attemptsMade,
    failedAt: new Date(job.finishedOn ?? job.timestamp).toISOString(),
    reason: job.failedReason,
  };
}

/** The jobs of a queue that ran out of attempts, or can never succeed. */
export function failedJobs(name: string, redis: Redis): DeadLetterSource {
  const queue = new Queue(name, { connection: redis });
  // The connection logs it once. An emitter without a listener would end the process.
  queue.on('error', () => undefined);

  const found = async (id: string): Promise<Job | null> => {
    const job = await queue.getJob(id);
    return job !== undefined && (await job.isFailed()) ? job : null;
  };

  return Object.freeze({
    queue: name,
    async list() {
      const jobs = await queue.getJobs(['failed'], 0, DEAD_LETTERS_LISTED_MAX - 1, true);
      return jobs.map((job) => deadLetter(name, job));
    },
    async retry(id: string) {
      const job = await found(id);
      await job?.retry('failed', { resetAttemptsMade: true });
      return job !== null;
    },
    async remove(id: string) {
      const job = await found(id);
      await job?.remove();
      return job !== null;
    },
    close: () => queue.close(),
  });
}
