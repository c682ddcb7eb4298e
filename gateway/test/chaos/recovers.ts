import { expect } from 'chai';
import { setTimeout as pause } from 'node:timers/promises';

/** An engine starts with some three seconds of a processor, of which a busy machine gives it one in twenty. */
const RECOVERY_MS_MAX = 60_000;
const STEP_MS = 100;

/** Asks again and again until it works; errors are as good as false. Fails the test where that takes too long. */
export async function recovers(works: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + RECOVERY_MS_MAX;
  while (!(await works().catch(() => false))) {
    if (Date.now() > deadline) expect.fail('did not recover by itself');
    // Sleeps: whoever recovers is to have the machine, rather than be asked.
    await pause(STEP_MS);
  }
}
