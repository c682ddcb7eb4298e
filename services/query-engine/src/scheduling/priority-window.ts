/** Whether short queries are in a hurry. One that has not ended after a while waits for something other than this thread. */
export interface Hurry {
  /** A short query starts. */
  start(): void;
  isOn(): boolean;
}

/** `maxMs`: how long a query is in a hurry at most. `now`: milliseconds of a clock that never goes back. */
export function createHurry(
  maxMs: number,
  areAnyRunning: () => boolean,
  now: () => number = () => performance.now(),
): Hurry {
  let lastStart = -Infinity;
  return {
    start() {
      lastStart = now();
    },
    isOn: () => areAnyRunning() && now() - lastStart < maxMs,
  };
}
