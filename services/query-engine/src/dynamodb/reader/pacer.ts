import { setTimeout as sleep } from 'node:timers/promises';
import { throttlePauseMsMax, throttlePauseMsMin, throttleForgottenMs, throttleRecoveryMs } from './limits.ts';

/**
 * Adapts all requests to one table to what DynamoDB serves, whatever streams and statements they are of: once throttled,
 * they go one after the other, with a pause between them that doubles with each throttling and shrinks with each answer.
 * So a table that its owner's application needs is asked no more, however many scans run. Jittered, so that engines do not
 * come in step.
 */
export interface Pacer {
  /** Waits before a request; ends early when the signal aborts. */
  pause(signal: AbortSignal): Promise<void>;
  /** `sentAtMs`: when the request was sent (`now`); requests that were under way together count as one throttling. */
  throttled(sentAtMs?: number): void;
  answered(): void;
  /** Another process was throttled, and pauses for so long now. */
  slow(pauseMs: number): void;
  /** Whether requests are being held back. */
  isHoldingBack(): boolean;
  /** For how long, milliseconds: the pause before the next request. */
  heldMs(): number;
  now(): number;
}

/** `onRaised`: told of each pause that became longer since this process was throttled. */
export function createPacer(
  random: () => number = Math.random,
  now: () => number = () => performance.now(),
  onRaised: (pauseMs: number) => void = () => undefined,
): Pacer {
  let pauseMs = 0;
  let raisedAtMs = -Infinity;
  let heardAtMs = -Infinity;
  let last: Promise<void> = Promise.resolve();

  const current = (): number => {
    // What was throttled long ago says nothing of now.
    if (now() - heardAtMs > throttleForgottenMs) pauseMs = 0;
    return pauseMs;
  };
  async function inTurn(before: Promise<void>, signal: AbortSignal): Promise<void> {
    await before;
    if (signal.aborted || pauseMs <= 0) return;
    try {
      await sleep(pauseMs * (0.5 + random() / 2), undefined, { signal });
    } catch {
      // Aborted: the caller looks at the signal.
    }
  }

  return {
    now,
    async pause(signal) {
      if (current() <= 0 || signal.aborted) return;
      const own = inTurn(last, signal);
      last = own;
      const aborted = Promise.withResolvers<void>();
      const stop = (): void => aborted.resolve();
      signal.addEventListener('abort', stop, { once: true });
      await Promise.race([own, aborted.promise]);
      signal.removeEventListener('abort', stop);
    },
    throttled(sentAtMs = now()) {
      heardAtMs = now();
      if (sentAtMs < raisedAtMs) return;
      raisedAtMs = heardAtMs;
      pauseMs = Math.min(throttlePauseMsMax, Math.max(throttlePauseMsMin, pauseMs * 2));
      onRaised(pauseMs);
    },
    slow(otherMs) {
      if (current() >= otherMs) return;
      // What is under way was sent before anybody knew.
      heardAtMs = raisedAtMs = now();
      pauseMs = Math.min(throttlePauseMsMax, otherMs);
    },
    answered() {
      if (pauseMs <= 0) return;
      heardAtMs = now();
      pauseMs = Math.max(0, pauseMs - Math.max(throttleRecoveryMs, pauseMs / 8));
    },
    isHoldingBack: () => current() > 0,
    heldMs: current,
  };
}
