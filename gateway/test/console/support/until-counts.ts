import { until } from '../../../../services/common/test/support/until.ts';

/** What ends a session or changes a right counts everywhere within this time (services/limits.md). */
const COUNTS_WITHIN_MS = 3_000;

/**
 * Waits until a change counts for so many requests in a row. The promise is one about when a request is sent: how long a
 * busy machine takes to answer it says nothing.
 *
 * @throws Error where it does not count for a request that was sent too late
 */
export async function untilCounts(counts: () => Promise<boolean>, inARow = 1): Promise<void> {
  const began = performance.now();
  let times = 0;
  await until(
    async () => {
      const after = performance.now() - began;
      times = (await counts()) ? times + 1 : 0;
      if (times === 0 && after > COUNTS_WITHIN_MS)
        throw new Error(`the change does not count for a request that was sent ${after.toFixed(0)} ms later`);
      return times === inARow;
    },
    { what: 'the change counts' },
  );
}
