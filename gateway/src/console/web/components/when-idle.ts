/** Where a browser has no word for idle: when what was begun is likely to be done. */
const LATER_MS = 300;
/** A browser that is never idle does it all the same. */
const LATEST_MS = 2_000;

/**
 * Does what nobody waits for once the browser has nothing else to do. What fails then (a file that can't be loaded) is left:
 * whoever needs it loads it again and says so.
 *
 * @returns what keeps it from being done
 */
export function whenIdle(act: () => Promise<unknown>): () => void {
  let isWanted = true;
  const begin = (): void => {
    if (isWanted) act().catch(() => undefined);
  };
  if ('requestIdleCallback' in globalThis) requestIdleCallback(begin, { timeout: LATEST_MS });
  else setTimeout(begin, LATER_MS);
  return () => {
    isWanted = false;
  };
}
