/** `make fuzz MINUTES=5 [SEED=n]`: the fuzz for longer. Prints what was sent and what came of it, as JSON. */
import { prepareFuzz } from './prepare.ts';
import { runOptions } from '../chaos/run-options.ts';

const { minutes, seed } = runOptions();

const prepared = await prepareFuzz();
try {
  const report = await prepared.run({ seed, requests: Infinity, durationMs: minutes * 60_000 });
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  if (report.wrong.length > 0) process.exitCode = 1;
} finally {
  await prepared.close();
}
