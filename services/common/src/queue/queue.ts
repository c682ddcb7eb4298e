import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { SpanKind } from '@opentelemetry/api';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { PenstockError } from '../errors/penstock-error.ts';
import type { Logger } from '../logging/logger.ts';
import { ATTRIBUTES } from '../telemetry/names.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { injectText } from '../telemetry/propagation.ts';
import { inSpan, type Attributes } from '../telemetry/spans.ts';
import { connectRedis } from '../redis/connect.ts';
import { closedInTime } from './closing.ts';
import { observeQueue } from './observe.ts';
import {
  ADD_TIMEOUT_MS,
  FAIR_PRIORITY_MAX,
  FAIR_WINDOW_S,
  JOB_ATTEMPTS_MAX,
  JOB_BACKOFF_MS,
  KEEP_COMPLETED,
  KEEP_FAILED,
} from './limits.ts';

interface AddJobOptions {
  /** While a job with this key waits or runs, adding another does nothing. */
  readonly dedupeKey?: string;
  readonly delayMs?: number;
  /** First attempt included; JOB_ATTEMPTS_MAX where absent. */
  readonly attempts?: number;
  /** Whose job it is: of two, the one of whom has added less in the last minute comes first. */
  readonly fairTo?: string;
}

export interface JobQueue<D> {
  /** Durable when it resolves. @throws PenstockError UNAVAILABLE when Redis is away, within ADD_TIMEOUT_MS */
  add(jobName: string, data: D, options?: AddJobOptions): Promise<void>;
  /**
   * Schedules a job at an interval. Several replicas may schedule it, and as often as they like: there is one
   * schedule, and a new interval replaces the old one. It is set again whenever Redis comes back.
   */
  repeat(scheduleId: string, everyMs: number, jobName: string, data: D): Promise<void>;
  close(): Promise<void>;
}

const defaultJobOptions = {
  attempts: JOB_ATTEMPTS_MAX,
  backoff: { type: 'exponential', delay: JOB_BACKOFF_MS, jitter: 0.5 },
  removeOnComplete: KEEP_COMPLETED,
  removeOnFail: KEEP_FAILED,
};

const unavailable = (cause?: unknown): PenstockError =>
  new PenstockError('UNAVAILABLE', 'The job queue is not available; try again', { retryAfterS: 1, cause });

/** On the spans of both sides of a queue. */
export const queueAttributes = (name: string): Attributes => ({
  [ATTRIBUTES.messagingSystem]: 'bullmq',
  [ATTRIBUTES.messagingQueue]: name,
});

/** How many jobs somebody has added to a queue in the last minute, this one included. */
async function addedLately(redis: Redis, queue: string, who: string): Promise<number> {
  const key = `penstock:added:${queue}:${who}`;
  if (redis.status !== 'ready') await once(redis, 'ready');
  const [[, count] = []] = (await redis.multi().incr(key).expire(key, FAIR_WINDOW_S, 'NX').exec()) ?? [];
  return Math.min(Number(count), FAIR_PRIORITY_MAX);
}

async function inTime(work: Promise<unknown>): Promise<void> {
  const timer = new AbortController();
  const late = sleep(ADD_TIMEOUT_MS, null, { signal: timer.signal, ref: false }).then(() =>
    Promise.reject(unavailable()),
  );
  try {
    await Promise.race([work, late]);
  } catch (error) {
    work.catch(() => undefined);
    throw error instanceof PenstockError ? error : unavailable(error);
  } finally {
    timer.abort();
    late.catch(() => undefined);
  }
}

/** The producer's side of a queue. A job goes on with the trace that it is added in. */
export function createQueue<D>(
  name: string,
  redisUrl: string,
  logger: Logger,
  metrics?: Metrics,
): JobQueue<D> {
  const redis = connectRedis(redisUrl, { logger, role: 'commands' });
  const queue = new Queue(name, { connection: redis, defaultJobOptions });
  // The connection logs it once. An emitter without a listener would end the process.
  queue.on('error', () => undefined);
  const schedules = new Map<string, () => Promise<unknown>>();
  // A Redis that comes back may have lost its data, and the schedules with it. Setting them again does no harm.
  redis.on('ready', () => {
    for (const schedule of schedules.values()) {
      schedule().catch((error: unknown) => logger.warn({ err: error, queue: name }, 'no schedule was set'));
    }
  });
  if (metrics !== undefined) observeQueue(metrics, queue);
  return Object.freeze({
    add: (jobName: string, data: D, options: AddJobOptions = {}) =>
      inSpan(`${name} add`, { kind: SpanKind.PRODUCER, attributes: () => queueAttributes(name) }, () => {
        const traceContext = injectText();
        const { fairTo } = options;
        const add = async (): Promise<unknown> =>
          queue.add(jobName, data, {
            ...(traceContext === null ? {} : { telemetry: { metadata: traceContext } }),
            ...(options.dedupeKey === undefined ? {} : { deduplication: { id: options.dedupeKey } }),
            ...(options.delayMs === undefined ? {} : { delay: options.delayMs }),
            ...(options.attempts === undefined ? {} : { attempts: options.attempts }),
            ...(fairTo === undefined ? {} : { priority: await addedLately(redis, name, fairTo) }),
          });
        return inTime(add());
      }),
    repeat: (scheduleId: string, everyMs: number, jobName: string, data: D) => {
      const schedule = async (): Promise<unknown> => {
        const known = await queue.getJobScheduler(scheduleId);
        // Set by a process whose clock was ahead of ours: the schedule would rest until our clock gets there.
        if ((known?.next ?? 0) > Date.now() + everyMs) await queue.removeJobScheduler(scheduleId);
        return queue.upsertJobScheduler(scheduleId, { every: everyMs }, { name: jobName, data });
      };
      schedules.set(scheduleId, schedule);
      return inTime(schedule());
    },
    async close() {
      await closedInTime(queue.close(), redis);
      redis.disconnect();
    },
  });
}
