import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 20;

/** A bound that only a fault reaches: a process may take long to start beside other tests. */
const UNTIL_MS_MAX = 30_000;

/** How long to wait, and the words for what was waited for in the error. */
export interface UntilOptions {
  readonly timeoutMs?: number;
  /** A clause that fills "did not come true: …". */
  readonly what?: string;
}

/**
 * Waits until the condition holds, looking every 20 ms.
 *
 * @throws Error naming what did not come true within `timeoutMs` (30 s where absent), or whatever the condition throws
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  options: UntilOptions = {},
): Promise<void> {
  await untilSome(async () => ((await condition()) ? true : null), {
    what: asWritten(condition),
    ...options,
  });
}

/**
 * Looks every 20 ms until there is something to see, and returns it.
 *
 * @throws Error naming what did not come within `timeoutMs` (30 s where absent), or whatever the look throws
 */
export async function untilSome<T>(
  look: () => T | null | undefined | Promise<T | null | undefined>,
  options: UntilOptions = {},
): Promise<T> {
  const { timeoutMs = UNTIL_MS_MAX, what = asWritten(look) } = options;
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    // A slow look says nothing about the bound: only one that began beyond it ends the wait.
    const isLast = performance.now() >= deadline;
    const seen = await look();
    if (seen !== null && seen !== undefined) return seen;
    if (isLast) throw new Error(`This did not come true in ${timeoutMs} ms: ${what}`);
    await sleep(POLL_MS);
  }
}

/** The source of a condition says what it waits for where nobody put it into words. */
function asWritten(condition: () => unknown): string {
  return String(condition).replace(/\s+/g, ' ').slice(0, 200);
}
