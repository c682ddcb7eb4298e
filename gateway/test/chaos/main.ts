/** `make chaos MINUTES=5 [SEED=n]`: the chaos test for longer. Prints what was done and what came of it, as JSON. */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { discardStack, startTestStack } from '../e2e/support/stack.ts';
import { PHASES } from './phases.ts';
import { prepareChaos } from './run.ts';

const print = (value: object): void => void process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '5' }, seed: { type: 'string' } },
});
const minutes = Number(values.minutes);
const seed = Number(values.seed ?? Date.now() % 2 ** 32);
if (!(minutes > 0) || !Number.isSafeInteger(seed)) {
  throw new RangeError('--minutes must be a number above zero, and --seed a whole one');
}

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
