/**
 * `make flakes`: runs a lane again and again beside two busy loops, and says which tests failed how often. A test that fails in
 * one run of many waits too short, races for something that others take, or shows a bug that needs luck.
 */
import { Worker } from 'node:worker_threads';
import { parseArgs } from 'node:util';
import { LANES, type Lane } from './lanes.ts';
import { runLane } from './run-lane.ts';

const { values } = parseArgs({
  options: {
    lane: { type: 'string', default: 'stack' },
    count: { type: 'string', default: '20' },
    busy: { type: 'string', default: '2' },
    tests: { type: 'string' },
  },
});
const lane = values.lane as Lane;
const count = Number(values.count);
if (!LANES.includes(lane) || !Number.isInteger(count) || count < 1) {
  process.stderr.write(`LANE is one of ${LANES.join(', ')}; COUNT is a whole number\n`);
  process.exit(2);
}

const loops = Array.from(
  { length: Number(values.busy) },
  () => new Worker('for (;;);', { eval: true, name: 'busy loop' }),
);

interface Flake {
  readonly errors: string[];
  readonly file: string;
}
const flakes = new Map<string, Flake>();
try {
  for (let run = 1; run <= count; run++) {
    const startedAt = Date.now();
    const parts = values.tests === undefined ? {} : { parts: [values.tests.split(' ')] };
    const { passed, failed } = await runLane(lane, { ...parts, onLine: () => undefined });
    for (const { title, file, error } of failed) {
      const flake = flakes.get(title) ?? { errors: [], file };
      flake.errors.push(error);
      flakes.set(title, flake);
    }
    const names = failed.map(({ title }) => `\n    ${title}`).join('');
    const seconds = Math.round((Date.now() - startedAt) / 1_000);
    print(`run ${run} of ${count}: ${passed} passed, ${failed.length} failed in ${seconds} s${names}`);
  }
} finally {
  await Promise.all(loops.map((loop) => loop.terminate()));
}
for (const [title, { errors, file }] of flakes) {
  print(`\n${errors.length} of ${count}: ${title}\n  ${file}\n${[...new Set(errors)].join('\n')}`);
}
print(`\n${flakes.size === 0 ? 'No test failed' : `${flakes.size} tests failed`} in ${count} runs.`);
process.exitCode = flakes.size === 0 ? 0 : 1;

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
