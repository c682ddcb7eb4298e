import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 50;

/** When a figure has to have changed for the last time, and how long it is watched for staying as it is. */
export interface Rest {
  readonly withinMs: number;
  /** More than the figure needs to change once: what is under way, and what would follow it. */
  readonly quietMs: number;
}

/**
 * Watches a figure until it has stayed the same for `quietMs`, and returns it.
 *
 * @throws Error where it was seen to change later than `withinMs` after the call
 */
export async function comesToRest<T>(look: () => Promise<T>, { withinMs, quietMs }: Rest): Promise<T> {
  const from = performance.now();
  let last = await look();
  let changedAt = performance.now();
  for (let lookedAt = changedAt; performance.now() - changedAt < quietMs;) {
    await sleep(POLL_MS);
    const next = await look();
    if (JSON.stringify(next) !== JSON.stringify(last)) {
      // It was as before when it was last looked at: a slow look makes no change late.
      if (lookedAt - from > withinMs)
        throw new Error(
          `It still changes after ${withinMs} ms: ${JSON.stringify(last)}, ${JSON.stringify(next)}`,
        );
      last = next;
      changedAt = performance.now();
    }
    lookedAt = performance.now();
  }
  return last;
}
