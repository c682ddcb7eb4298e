import { setTimeout as sleep } from 'node:timers/promises';
import { throttlePauseMsMax, throttlePauseMsMin, throttleRecoveryMs } from './limits.ts';

/**
 * Adapts one stream of requests to what DynamoDB serves: the pause before a request doubles with each throttling and
 * shrinks a little with each answer. Jittered, so that segments do not come back in step.
 */
export interface Pacer {
  /** Waits before a request; ends early when the signal aborts. */
  pause(signal: AbortSignal): Promise<void>;
  throttled(): void;
  answered(): void;
  /** Whether requests are still being held back. */
  isHoldingBack(): boolean;
}

export function createPacer(random: () => number = Math.random): Pacer {
  let pauseMs = 0;
  return {
    async pause(signal) {
      if (pauseMs <= 0 || signal.aborted) return;
      try {
        await sleep(pauseMs * (0.5 + random() / 2), undefined, { signal });
      } catch {
        // Aborted: the caller looks at the signal.
      }
    },
    throttled() {
      pauseMs = Math.min(throttlePauseMsMax, Math.max(throttlePauseMsMin, pauseMs * 2));
    },
    answered() {
      pauseMs = Math.max(0, pauseMs - throttleRecoveryMs);
    },
    isHoldingBack: () => pauseMs > 0,
  };
}
