/** `make chaos MINUTES=5 [SEED=n]`: the chaos test for longer. Prints what was done and what came of it, as JSON. */
import { join } from 'node:path';
import { discardStack, startTestStack } from '../e2e/support/stack.ts';
import { PHASES } from './phases.ts';
import { prepareChaos } from './run.ts';
import { runOptions } from './run-options.ts';

const print = (value: object): void => void process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);

const { minutes, seed } = runOptions();

const stack = await startTestStack({ queryEngines: 2 });
try {
  print({ seed, minutes, logs: join(stack.dataDir, 'logs') });
  const chaos = await prepareChaos(stack, seed);
  try {
    for (const phase of PHASES) {
      const report = await chaos.phase(phase, (minutes * 60_000) / PHASES.length);
      print(report);
      if (report.wrong.length > 0 || report.discrepancies.length > 0) process.exitCode = 1;
    }
  } finally {
    chaos.close();
  }
} finally {
  if (process.exitCode === 1) await stack.stop();
  else await discardStack(stack);
}
