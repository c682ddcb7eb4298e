import type { Redis } from 'ioredis';
import type { Logger } from '../logging/logger.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { PenstockError } from '../errors/penstock-error.ts';
import type { UsageEvent } from './event.ts';
import { isUsageEvent } from './event.ts';
import {
  ACKS_PENDING_MAX,
  ACKS_PER_WRITE_MAX,
  CLOSE_REPLAY_MS_MAX,
  LAST_RESORT_WAIT_MS_MAX,
  REDIS_REST_MS,
  REDIS_WAIT_MS_MAX,
  REPLAY_INTERVAL_MS,
  REPLAY_WAIT_MS_MAX,
  SPOOL_WAIT_MS_MAX,
  UNABLE_RETRY_AFTER_S,
} from './limits.ts';
import { observeOwed } from './owed.ts';
import { observeSpool } from './observe-spool.ts';
import { createOwedEvents } from './owed.ts';
import { replaySpool } from './replay.ts';
import { createSpool } from './spool.ts';
import { appendOnce } from './stream.ts';
import { within } from '../time/within.ts';

export type { UsageEvent } from './event.ts';

export interface UsageRecorder {
  /**
   * Resolves when the events are durable: in the Redis stream, or, where Redis does not answer within about 200 ms, in
   * a file on disk that is replayed later. The same event ID counts once. Rejects with `UNAVAILABLE` only where both
   * fail, within about 2 s, and with a plain error for an event that cannot be counted (a bug of the caller).
   *
   * Events that were rejected may count all the same: they are kept in memory and offered again, and Redis may have them
   * unheard. So whoever is told of the error must not be given what they count; rows are taken back by an event that
   * voids theirs, recorded the same way.
   */
  record(...events: readonly UsageEvent[]): Promise<void>;
  /**
   * Throws `UNAVAILABLE` while there are events that neither Redis nor the disk takes: who asks before it does work
   * that has to be recorded does none in vain. Costs nothing, and is over by itself about a second after either is back.
   */
  ensureAble(): void;
  /** Waits for what is being recorded and tries, for a bounded time, to empty the spool. The connection stays open. */
  close(): Promise<void>;
}

interface UsageRecorderOptions {
  readonly redis: Redis;
  /** Made where missing. Processes of one machine may share it: each writes files of its own. */
  readonly spoolDir: string;
  readonly logger: Logger;
  readonly metrics?: Metrics;
}

const unable = (cause?: unknown): PenstockError =>
  new PenstockError('UNAVAILABLE', 'Usage cannot be recorded; try again', {
    retryAfterS: UNABLE_RETRY_AFTER_S,
    cause,
  });

/** Records usage straight to Redis, and to disk while Redis is away. */
export function createUsageRecorder({
  redis,
  spoolDir,
  logger,
  metrics,
}: UsageRecorderOptions): UsageRecorder {
  const spool = createSpool(spoolDir);
  const owed = createOwedEvents();
  if (metrics !== undefined) {
    observeSpool(metrics, spoolDir);
    observeOwed(metrics, owed);
  }
  const inFlight = new Set<Promise<void>>();
  const answered: string[] = [];
  let restsUntil = 0;
  let hasSpooled = false;
  let replaying: Promise<void> | null = null;

  const send = (events: readonly UsageEvent[], waitMs: number): Promise<void> =>
    within(waitMs, appendOnce(redis, events, answered.splice(0, ACKS_PER_WRITE_MAX)));

  function acknowledge(ids: readonly string[]): void {
    answered.push(...ids.slice(0, Math.max(0, ACKS_PENDING_MAX - answered.length)));
  }

  /** To Redis; where that fails, it rests. */
  async function toRedis(events: readonly UsageEvent[], waitMs: number): Promise<boolean> {
    if (redis.status !== 'ready') return false;
    try {
      await send(events, waitMs);
      acknowledge(events.map(({ id }) => id));
      return true;
    } catch (error) {
      restsUntil = Date.now() + REDIS_REST_MS;
      logger.warn({ err: error }, 'Redis did not take usage; it goes to the spool');
      return false;
    }
  }

  async function take(events: readonly UsageEvent[]): Promise<void> {
    if (Date.now() >= restsUntil && (await toRedis(events, REDIS_WAIT_MS_MAX))) return;
    try {
      hasSpooled = true;
      await within(SPOOL_WAIT_MS_MAX, Promise.all(events.map((event) => spool.append(event))));
    } catch (error) {
      logger.error({ err: error }, 'the spool did not take usage');
      if (!(await toRedis(events, LAST_RESORT_WAIT_MS_MAX))) throw unable(error);
    }
  }

  async function store(events: readonly UsageEvent[]): Promise<void> {
    if (!events.every(isUsageEvent))
      throw new TypeError('A usage event has counters that are not whole, or no ID or tenant');
    try {
      await take(events);
      for (const { id } of events) owed.remove(id);
    } catch (error) {
      for (const event of events) owed.add(event);
      throw error;
    }
  }

  async function replayOnce(evenFresh: boolean): Promise<void> {
    await owed.offer((event) => take([event]));
    if (redis.status !== 'ready') return;
    const seals = hasSpooled;
    hasSpooled = false;
    try {
      if (seals) await spool.seal();
      const resend = (event: UsageEvent): Promise<void> => send([event], REPLAY_WAIT_MS_MAX);
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
  const timer = setInterval(() => void replay(false), REPLAY_INTERVAL_MS);
  timer.unref();

  return {
    record(...events) {
      const stored = store(events).finally(() => inFlight.delete(stored));
      inFlight.add(stored);
      return stored;
    },
    ensureAble() {
      if (owed.count > 0) throw unable();
    },
    async close() {
      clearInterval(timer);
      await Promise.allSettled(inFlight);
      await within(CLOSE_REPLAY_MS_MAX, replay(false)).catch(() => undefined);
      await within(SPOOL_WAIT_MS_MAX, spool.seal()).catch(() => undefined);
      // The last place that is left: an operator can put it back by hand.
      for (const event of owed.list()) logger.error({ usage: event }, 'usage is lost with this process');
    },
  };
}
