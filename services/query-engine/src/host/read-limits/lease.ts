/**
 * What this engine has of one bucket: tokens that it leased, the pages that use them, and those that wait.
 *
 * What a page costs is known after it. So a page may begin while there are tokens, and the next one waits until what it took
 * beyond them is paid back. Pages side by side begin only where all but the last are covered, whatever they cost: an engine
 * overdraws a bucket by one page at most.
 */
import type { PageQuestion } from '../../pipe/messages.ts';
import { LEASE_KEPT_MS, LEASE_MS, LEASE_WAIT_MS_MAX } from '../limits.ts';
import type { Filling, SharedBuckets } from './shared-buckets.ts';

/** A page that may be read. */
export interface Allowed {
  /** Once: what it cost, half units; and for how long DynamoDB is to be left alone since it throttled, milliseconds. */
  settle(halfUnits: number, holdMs: number): void;
}

interface Waiting {
  readonly most: number;
  readonly allow: () => void;
}

export interface Lease {
  /** Waits until the page may be read. Throws the signal's reason. */
  enter(cost: Pick<PageQuestion, 'most'>, signal: AbortSignal): Promise<Allowed>;
  /** Nothing is under way and nobody waits. */
  readonly isIdle: boolean;
}

export function createLease(key: string, filling: Filling, buckets: SharedBuckets): Lease {
  const chunk = Math.max(1, (filling.rate * LEASE_MS) / 1000);
  const waiting: Waiting[] = [];
  let tokens = 0;
  /** What the pages under way may cost at most. */
  let committed = 0;
  let underWay = 0;
  let isAsking = false;
  let holdMs = 0;
  let again: NodeJS.Timeout | null = null;
  let forget: NodeJS.Timeout | null = null;

  const isIdle = (): boolean => underWay === 0 && waiting.length === 0 && !isAsking;
  /** Nobody misses tokens that are not used: the bucket fills by itself. */
  const forgetLater = (): void => {
    if (forget !== null) clearTimeout(forget);
    forget = setTimeout(() => {
      forget = null;
      if (isIdle()) tokens = Math.min(0, tokens);
    }, LEASE_KEPT_MS);
    forget.unref();
  };

  const ask = async (): Promise<void> => {
    if (isAsking || again !== null) return;
    isAsking = true;
    const debt = Math.max(0, -tokens);
    const held = holdMs;
    holdMs = 0;
    const want = waiting.length === 0 ? 0 : committed + chunk;
    const taken = await buckets.take({ key, ...filling, debt, want, holdMs: held }).catch(() => null);
    isAsking = false;
    if (taken === null) holdMs = Math.max(holdMs, held);
    else tokens += debt + taken.tokens;
    const waitMs = taken === null ? LEASE_WAIT_MS_MAX : taken.waitMs;
    admit();
    if (waiting.length === 0 && tokens >= 0 && holdMs === 0) return;
    // As often as there is something to be had.
    const pauseMs = Math.min(Math.max(LEASE_MS, waitMs), LEASE_WAIT_MS_MAX);
    again = setTimeout(() => {
      again = null;
      void ask();
    }, pauseMs);
    again.unref();
  };

  /** Lets those begin, in their order, for whom there are tokens. */
  const admit = (): void => {
    while (waiting.length > 0 && tokens - committed > 0) {
      const { most, allow } = waiting.shift()!;
      committed += most;
      underWay++;
      allow();
    }
  };

  const allowed = (most: number): Allowed => {
    let isSettled = false;
    return {
      settle(halfUnits, held) {
        if (isSettled) return;
        isSettled = true;
        tokens -= halfUnits;
        committed -= most;
        underWay--;
        holdMs = Math.max(holdMs, held);
        admit();
        // What was overdrawn counts for other engines, too.
        if (waiting.length > 0 || tokens < 0 || holdMs > 0) void ask();
        if (isIdle()) forgetLater();
      },
    };
  };

  return {
    get isIdle() {
      return isIdle();
    },
    enter: ({ most }, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) {
          reject(signal.reason as Error);
          return;
        }
        const gaveUp = (): void => {
          waiting.splice(waiting.indexOf(entry), 1);
          reject(signal.reason as Error);
        };
        const entry: Waiting = {
          most,
          allow: () => {
            signal.removeEventListener('abort', gaveUp);
            resolve(allowed(most));
          },
        };
        signal.addEventListener('abort', gaveUp, { once: true });
        waiting.push(entry);
        admit();
        if (waiting.length > 0) void ask();
      }),
  };
}
