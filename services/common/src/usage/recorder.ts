import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { Metrics } from '../telemetry/metrics.ts';
import { PenstockError } from '../errors/penstock-error.ts';
import type { UsageEvent } from './event.ts';
import { isUsageEvent } from './event.ts';
import {
  acksPendingMax,
  acksPerWriteMax,
  closeReplayMsMax,
  redisRestMs,
  redisWaitMsMax,
  replayIntervalMs,
  replayWaitMsMax,
} from './limits.ts';
import { observeSpool } from './observe-spool.ts';
import { replaySpool } from './replay.ts';
import { createSpool } from './spool.ts';
import { appendOnce } from './stream.ts';
import { within } from './within.ts';

export type { UsageEvent } from './event.ts';

export interface UsageRecorder {
  /**
   * Resolves when the event is durable: in the Redis stream, or, where Redis does not answer within about 200 ms, in
   * a file on disk that is replayed later. The same event ID counts once. Rejects with `UNAVAILABLE` only where both
   * fail, and with a plain error for an event that cannot be counted (a bug of the caller).
   */
  record(event: UsageEvent): Promise<void>;
  /** Waits for what is being recorded and tries, for a bounded time, to empty the spool. The connection stays open. */
  close(): Promise<void>;
}

export interface UsageRecorderOptions {
  readonly redis: Redis;
  /** Made where missing. Processes of one machine may share it: each writes files of its own. */
  readonly spoolDir: string;
  readonly logger: Logger;
  readonly metrics?: Metrics;
}

/** Records usage straight to Redis, and to disk while Redis is away. */
export function createUsageRecorder({
  redis,
  spoolDir,
  logger,
  metrics,
}: UsageRecorderOptions): UsageRecorder {
  if (metrics !== undefined) observeSpool(metrics, spoolDir);
  const spool = createSpool(spoolDir);
  const inFlight = new Set<Promise<void>>();
  const answered: string[] = [];
  let restsUntil = 0;
  let hasSpooled = false;
  let replaying: Promise<void> | null = null;

  const send = (event: UsageEvent, waitMs: number): Promise<void> =>
    within(waitMs, appendOnce(redis, event, answered.splice(0, acksPerWriteMax)));

  function acknowledge(ids: readonly string[]): void {
    answered.push(...ids.slice(0, Math.max(0, acksPendingMax - answered.length)));
  }

  async function store(event: UsageEvent): Promise<void> {
    if (!isUsageEvent(event))
      throw new TypeError('A usage event has counters that are not whole, or no ID or tenant');
    let cause: unknown;
    if (redis.status === 'ready' && Date.now() >= restsUntil) {
      try {
        await send(event, redisWaitMsMax);
        acknowledge([event.id]);
        return;
      } catch (error) {
        cause = error;
        restsUntil = Date.now() + redisRestMs;
        logger.warn({ err: error }, 'Redis did not take usage; it goes to the spool');
      }
    }
    try {
      hasSpooled = true;
      await spool.append(event);
    } catch (error) {
      logger.error(
        { err: error, redisError: cause },
        'usage could be written neither to Redis nor to the spool',
      );
      throw new PenstockError('UNAVAILABLE', 'Usage cannot be recorded; try again', { cause: error });
    }
  }

  async function replayOnce(evenFresh: boolean): Promise<void> {
    if (redis.status !== 'ready') return;
    const seals = hasSpooled;
    hasSpooled = false;
    try {
      if (seals) await spool.seal();
      const resend = (event: UsageEvent): Promise<void> => send(event, replayWaitMsMax);
      const events = await replaySpool({
        dir: spoolDir,
        send: resend,
        replayed: acknowledge,
        logger,
        evenFresh: evenFresh || seals,
      });
      if (events > 0) restsUntil = 0;
    } catch (error) {
      hasSpooled ||= seals;
      logger.warn({ err: error }, 'spooled usage could not be replayed; it is kept and tried again');
    }
  }

  function replay(evenFresh: boolean): Promise<void> {
    replaying ??= replayOnce(evenFresh).finally(() => {
      replaying = null;
    });
    return replaying;
  }

  void replay(true);
  const timer = setInterval(() => void replay(false), replayIntervalMs);
  timer.unref();

  return {
    record(event) {
      const stored = store(event).finally(() => inFlight.delete(stored));
      inFlight.add(stored);
      return stored;
    },
    async close() {
      clearInterval(timer);
      await Promise.allSettled(inFlight);
      await within(closeReplayMsMax, replay(false)).catch(() => undefined);
      await spool.seal();
    },
  };
}
