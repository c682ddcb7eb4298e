/**
 * Processes of a lane that may run the same files: whoever comes to one first claims it, and the others leave it out. Files
 * divided beforehand left one process with 920 seconds of tests, and the other with 690.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type Mocha from 'mocha';

/** The folder of a lane's claims, where its processes share files: the lane's runner makes it, and sets this. */
export const CLAIMS_VARIABLE = 'PENSTOCK_TEST_CLAIMS';

/** Claims files in a folder: whether this process has a file, asked as often as one likes. */
export function claimsIn(folder: string): (file: string) => boolean {
  const answers = new Map<string, boolean>();
  return (file) => {
    const answer = answers.get(file) ?? claim(join(folder, encodeURIComponent(file)));
    answers.set(file, answer);
    return answer;
  };
}

/** Makes the folder, which one process alone of several can: true for that one. */
function claim(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

type RunSuite = (suite: Mocha.Suite, done: () => void) => void;

/** Leaves out what another process has, with its hooks. */
export function runOnlyClaimed(runner: Mocha.Runner, claims: (file: string) => boolean): void {
  // mocha has no way to leave a file out while it runs: its runner's method is protected by its types alone.
  const running = runner as unknown as { runSuite: RunSuite };
  const runSuite = running.runSuite.bind(runner);
  running.runSuite = (suite, done) => {
    const isOthers = suite.parent?.root === true && suite.file !== undefined && !claims(suite.file);
    if (isOthers) done();
    else runSuite(suite, done);
  };
}
