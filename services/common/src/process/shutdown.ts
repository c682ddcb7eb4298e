import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../logging/logger.ts';

/** What has to end before the process does. */
interface Shutdown {
  /** Hooks run one after the other, the last one added first: what was built last depends on what was built before. */
  readonly onShutdown: (hook: () => unknown) => void;
  /** Runs every hook once, also after a hook that failed. False when the time was over before all had ended. */
  readonly run: (timeoutMs: number) => Promise<boolean>;
}

export function createShutdown(logger: Logger): Shutdown {
  const hooks: (() => unknown)[] = [];

  const runAll = async (): Promise<true> => {
    for (let hook = hooks.pop(); hook !== undefined; hook = hooks.pop()) {
      try {
        await hook();
      } catch (error) {
        logger.error({ err: error }, 'a shutdown hook failed');
      }
    }
    return true;
  };

  return Object.freeze({
    onShutdown: (hook: () => unknown) => void hooks.push(hook),
    run: (timeoutMs: number) => Promise.race([runAll(), sleep(timeoutMs, false, { ref: false })]),
  });
}
