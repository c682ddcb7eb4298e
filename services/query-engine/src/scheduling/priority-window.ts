/** Whether short queries have priority now. One that has not ended after a while waits for something other than this thread. */
export interface PriorityWindow {
  /** A short query starts. */
  start(): void;
  isOpen(): boolean;
}

/** `maxMs`: how long a query has priority at most. `now`: milliseconds of a clock that never goes back. */
export function createPriorityWindow(
  maxMs: number,
  areAnyRunning: () => boolean,
  now: () => number = () => performance.now(),
): PriorityWindow {
  let lastStart = -Infinity;
  return {
    start() {
      lastStart = now();
    },
    isOpen: () => areAnyRunning() && now() - lastStart < maxMs,
  };
}
