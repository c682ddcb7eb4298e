/** `make chaos-streams STREAMS=100 [SEED=n]`: whole results while parts are killed, and a reader that takes its time. */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { discardStack, startTestStack } from '../../e2e/support/stack.ts';
import { seededRandom } from '../random.ts';
import { prepareStreams } from './run-streams.ts';
import { readSlowly } from './read-slowly.ts';

const print = (value: object): void => void process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);

const { values } = parseArgs({
  options: {
    streams: { type: 'string', default: '100' },
    slow: { type: 'string', default: '60' },
    seed: { type: 'string' },
  },
});
const streams = Number(values.streams);
const slowS = Number(values.slow);
const seed = Number(values.seed ?? Date.now() % 2 ** 32);
if (!(streams >= 0) || !(slowS >= 0) || !Number.isSafeInteger(seed))
  throw new RangeError('--streams and --slow are numbers, and --seed is a whole one');

const PARTS = ['query-engine-1', 'gateway', 'query-engine-2', 'redis'];
const TENANTS = 4;

const stack = await startTestStack({ queryEngines: 2 });
try {
  print({ seed, streams, slowS, logs: join(stack.dataDir, 'logs') });
  if (slowS > 0) {
    const report = await readSlowly(stack, slowS * 1000);
    print(report);
    if (report.wrong.length > 0) process.exitCode = 1;
  }
  if (streams > 0) {
    const chaos = await prepareStreams(stack, TENANTS);
    try {
      const report = await chaos.run(streams, PARTS, seededRandom(seed));
      print(report);
      if (report.wrong.length > 0) process.exitCode = 1;
    } finally {
      chaos.close();
    }
  }
} finally {
  if (process.exitCode === 1) await stack.stop();
  else await discardStack(stack);
}
