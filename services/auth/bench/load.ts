import { setTimeout as delay } from 'node:timers/promises';

/** `clients` that each call again as soon as they are answered, `calls` times together. */
export async function closedLoop(
  call: () => Promise<unknown>,
  clients: number,
  calls: number,
): Promise<void> {
  let left = calls;
  const client = async (): Promise<void> => {
    while (left-- > 0) await call();
  };
  await Promise.all(Array.from({ length: clients }, client));
}

/**
 * Calls at a steady rate, whatever the answers take. Gives how long each took in milliseconds, from when it was due: a
 * late start is part of what a client waits, and one that fails waits for ever.
 */
export async function atRate(
  call: () => Promise<unknown>,
  perSecond: number,
  seconds: number,
): Promise<number[]> {
  const started = performance.now();
  const answers: Promise<number>[] = [];
  for (let i = 0; i < perSecond * seconds; i += 1) {
    const due = started + (i * 1_000) / perSecond;
    const early = due - performance.now();
    if (early > 0) await delay(early);
    answers.push(
      call().then(
        () => performance.now() - due,
        () => Infinity,
      ),
    );
  }
  return Promise.all(answers);
}

export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN;
}
