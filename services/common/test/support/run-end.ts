/**
 * What tests of a run share is ended with the run, by whoever started it: the latest first. Only in a run of one process:
 * mocha has no such hook in the workers of a parallel one, whose tests start nothing.
 */
const endings: (() => Promise<void>)[] = [];

/** Runs once, after the run's last test. */
export function atRunEnd(end: () => Promise<void>): void {
  endings.push(end);
}

/** See .mocharc.json. */
export async function mochaGlobalTeardown(): Promise<void> {
  for (const end of endings.splice(0).toReversed()) await end();
}
