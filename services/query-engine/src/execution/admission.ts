/** How many queries run at once, and how many may wait for their turn. */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';

export interface Admission {
  /**
   * Resolves with what to call when the query has ended. Throws RESOURCE_EXHAUSTED when too many wait already, or the
   * signal's reason.
   */
  enter(signal: AbortSignal): Promise<() => void>;
  readonly running: number;
  readonly waiting: number;
}

export function createAdmission(bounds: {
  readonly running: number;
  readonly waiting: number;
  readonly retryAfterS: number;
}): Admission {
  let running = 0;
  const queue = new Set<() => void>();
  const leave = (): void => {
    const [next] = queue;
    if (next === undefined) {
      running--;
      return;
    }
    queue.delete(next);
    next();
  };
  const leaveOnce = (): (() => void) => {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      leave();
    };
  };
  return {
    async enter(signal) {
      if (signal.aborted) throw signal.reason;
      if (running < bounds.running) {
        running++;
        return leaveOnce();
      }
      if (queue.size >= bounds.waiting) {
        throw new PenstockError('RESOURCE_EXHAUSTED', 'Too many queries are running; try again', {
          retryAfterS: bounds.retryAfterS,
        });
      }
      await new Promise<void>((resolve, reject) => {
        const giveUp = (): void => {
          queue.delete(admit);
          reject(signal.reason as Error);
        };
        const admit = (): void => {
          signal.removeEventListener('abort', giveUp);
          resolve();
        };
        queue.add(admit);
        signal.addEventListener('abort', giveUp, { once: true });
      });
      return leaveOnce();
    },
    get running() {
      return running;
    },
    get waiting() {
      return queue.size;
    },
  };
}
