/**
 * `make test`: the lane of unit tests, then those of the engine, of processes and of the stack side by side. `--lane` runs some lanes alone.
 * The last line is `N passed, N failed, N skipped`; the exit code is 1 when a test failed.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { LANES, type Lane } from './lanes.ts';
import { dearestFiles, dearWithoutReason, failedTitles, failures, totals } from './report.ts';
import type { LaneResults } from './results.ts';
import { RESULTS_FOLDER, runLane } from './run-lane.ts';

const { values } = parseArgs({ options: { lane: { type: 'string', multiple: true } } });
const unknown = values.lane?.find((lane) => !LANES.includes(lane as Lane));
if (unknown !== undefined) {
  process.stderr.write(`There is no lane ${unknown}: ${LANES.join(', ')}\n`);
  process.exit(2);
}
const wanted = new Set((values.lane ?? LANES) as readonly Lane[]);

/** Lanes of one line run side by side. */
const ORDER: readonly (readonly Lane[])[] = [['unit'], ['engine', 'process', 'stack']];

const results = new Map<Lane, LaneResults>();
for (const lanes of ORDER) {
  await Promise.all(
    lanes
      .filter((lane) => wanted.has(lane))
      .map(async (lane) => {
        const startedAt = Date.now();
        const onLine = (line: string): void => print(`${lane.padEnd(7)} ${line}`);
        results.set(lane, await runLane(lane, { onLine }));
        onLine(`the lane took ${Math.round((Date.now() - startedAt) / 1_000)} s`);
      }),
  );
}
const timings = Object.fromEntries([...results].map(([lane, { files }]) => [lane, files]));
await writeFile(join(RESULTS_FOLDER, 'timings.json'), JSON.stringify(timings, null, 1));

const report = [
  dearestFiles(results),
  'Timings of all files are in .penstock/tests/timings.json.',
  dearWithoutReason(results),
  failures(results),
  failedTitles(results),
  totals(results),
];
for (const part of report) {
  if (part !== null) print(`\n${part}`);
}
process.exitCode = [...results.values()].some(({ failed }) => failed.length > 0) ? 1 : 0;

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
