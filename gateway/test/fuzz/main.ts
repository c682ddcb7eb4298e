/** `make fuzz MINUTES=5 [SEED=n]`: the fuzz for longer. Prints what was sent and what came of it, as JSON. */
import { parseArgs } from 'node:util';
import { prepareFuzz } from './prepare.ts';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '5' }, seed: { type: 'string' } },
});
const minutes = Number(values.minutes);
const seed = Number(values.seed ?? Date.now() % 2 ** 32);
if (!(minutes > 0) || !Number.isSafeInteger(seed)) {
  throw new RangeError('--minutes must be a number above zero, and --seed a whole one');
}

const prepared = await prepareFuzz();
try {
  const report = await prepared.run({ seed, requests: Infinity, durationMs: minutes * 60_000 });
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  if (report.wrong.length > 0) process.exitCode = 1;
} finally {
  await prepared.close();
}
