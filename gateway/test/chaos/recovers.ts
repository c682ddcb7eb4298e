import { expect } from 'chai';
import { setTimeout as pause } from 'node:timers/promises';

const RECOVERY_MS_MAX = 30_000;
const STEP_MS = 200;

/** Asks again and again until it works; errors are as good as false. Fails the test where that takes too long. */
export async function recovers(works: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + RECOVERY_MS_MAX;
  while (!(await works().catch(() => false))) {
    if (Date.now() > deadline) expect.fail('did not recover by itself');
    await pause(STEP_MS);
  }
}
