import type { RunningCalls } from '../../../src/mcp/running-calls.ts';

/** A call that runs until it is cancelled or let go. */
export function started(calls: RunningCalls, name: string) {
  const { promise, resolve } = Promise.withResolvers<string>();
  let aborted = false;
  const ended = calls.run(name, (signal) => {
    signal.addEventListener('abort', () => {
      aborted = true;
      resolve('cancelled');
    });
    return promise;
  });
  return { ended, wasCancelled: () => aborted, letGo: () => resolve('done') };
}
