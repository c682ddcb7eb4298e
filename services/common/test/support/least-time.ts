/**
 * The least that work took of so many times, milliseconds: what it takes by itself, where the machine has no time for it in one
 * of them.
 */
export async function leastMs(times: number, work: () => Promise<unknown>): Promise<number> {
  let least = Infinity;
  for (let time = 0; time < times; time++) {
    const started = performance.now();
    await work();
    least = Math.min(least, performance.now() - started);
  }
  return least;
}
