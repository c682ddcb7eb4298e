/** CPU time of the thread that asks: unlike the clock's time, it leaves out what other processes of the machine take. */

/** Milliseconds that this thread has worked so far. */
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Systems may count threads' time in steps of ten milliseconds. */
const MEASURED_MS_MIN = 150;

/** Milliseconds of CPU that this thread takes for the work: the mean of as many times as can be measured. */
export function meanThreadMs(work: () => void): number {
  const started = threadMs();
  for (let times = 1; ; times++) {
    work();
    const took = threadMs() - started;
    if (took > MEASURED_MS_MIN) return took / times;
  }
}

const LOOK_EVERY_MS = 5;

/**
 * Watches how long this thread works without coming back to its event loop. `end` gives the longest stretch, in
 * milliseconds of CPU time, to within the interval of looks.
 */
export function watchStretches(): { end(): number } {
  let [last, longest] = [threadMs(), 0];
  const look = (): void => {
    const now = threadMs();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  return {
    end: () => {
      clearInterval(timer);
      look();
      return longest;
    },
  };
}
