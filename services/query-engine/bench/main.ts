/**
 * `make bench`: what the engine promises in ratios, measured in one run on one machine. Prints a table and keeps it in
 * RESULTS.md. `BENCH=short` takes about a minute, shows the same rows with less behind them, and keeps nothing.
 * `BENCH_ONLY=scan,memory` runs these cases alone and keeps nothing either.
 */
import { writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { startBenchStack, type BenchStack } from './bench-stack.ts';
import { engineRows, throughputOf } from './cases/engines.ts';
import { benchMemory } from './cases/memory.ts';
import { benchLoad } from './cases/load.ts';
import { benchPlanning, benchPlanningOverRest } from './cases/planning.ts';
import { benchPointReads } from './cases/point-read.ts';
import { benchScan } from './cases/scan.ts';
import { benchTwoScans } from './cases/two-scans.ts';
import { benchWholeResults } from './cases/whole-results.ts';
import { benchDecoder } from './decoder.ts';
import { report, type BenchRow } from './report.ts';

const NOTES = [
  'The canned endpoint answers DynamoDB requests from memory over HTTP. Like DynamoDB it sends only what is projected: the engine projects what a statement names, the hand-written program (paginateScan, unmarshall, reduce) does not. Where the projection is ignored, both get the same bytes. CPU time is of the process in all its threads.',
];

const SCAN_TARGET = 6;

/** What else the machine was doing: latencies of a busy one are mostly waiting for a core. */
const [loadBefore = 0] = loadavg();

const form = process.env['BENCH'] === 'short' ? 'short' : 'full';
const size =
  form === 'short'
    ? {
        rounds: 3,
        reads: 400,
        planned: 100,
        busyMs: 4_000,
        loadRounds: 3,
        loadReads: 60,
        slowMs: 5_000,
        wholeRounds: 1,
        few: 'canned_40k',
        many: 'canned_500k',
      }
    : {
        rounds: 7,
        reads: 3_000,
        planned: 500,
        busyMs: 20_000,
        loadRounds: 7,
        loadReads: 200,
        slowMs: 60_000,
        wholeRounds: 3,
        few: 'canned_1m',
        many: 'canned_5m',
      };

const say = (text: string): void => void process.stderr.write(`${text}\n`);

async function withStack<T>(engines: number, work: (stack: BenchStack) => Promise<T>): Promise<T> {
  say(`starting a stack with ${engines} engine(s)`);
  const stack = await startBenchStack(engines);
  try {
    return await work(stack);
  } finally {
    await stack.stop();
  }
}

const CASES = ['decoder', 'planning', 'points', 'scan', 'memory', 'whole', 'load', 'engines'] as const;
type Case = (typeof CASES)[number];

const only = process.env['BENCH_ONLY']?.split(',') ?? [];
const unknown = only.find((name) => !CASES.some((known) => known === name));
if (unknown !== undefined) throw new Error(`no case ${unknown}: there are ${CASES.join(', ')}`);

const rows: BenchRow[] = [];

/** Runs a case's works if it is asked for. */
async function measure(name: Case, work: () => Promise<readonly BenchRow[]>): Promise<void> {
  if (only.length > 0 && !only.includes(name)) return;
  say(name);
  rows.push(...(await work()));
}

await measure('decoder', () => benchDecoder(size.rounds));
await measure('planning', async () => [
  ...(await benchPlanning(size.planned)),
  ...(await withStack(1, (stack) => benchPlanningOverRest(stack, 50))),
]);
await measure('points', () => withStack(1, (stack) => benchPointReads(stack, size.reads, size.busyMs)));
await measure('scan', () =>
  withStack(1, async (stack) => [
    ...(await benchScan(stack, 'canned_500k', size.rounds, SCAN_TARGET)),
    ...(await benchScan(stack, 'canned_500k_whole', size.rounds, SCAN_TARGET)),
    ...(await benchTwoScans(stack, 'canned_500k_whole', size.rounds)),
  ]),
);
// An engine of its own: what others left in its memory would be counted.
await measure('memory', () => withStack(1, (stack) => benchMemory(stack, size.few, size.many)));
await measure('whole', () =>
  withStack(1, (stack) => benchWholeResults(stack, size.many, size.wholeRounds, size.slowMs)),
);
await measure('load', () => withStack(1, (stack) => benchLoad(stack, size.loadRounds, size.loadReads)));
await measure('engines', async () => {
  const one = await withStack(1, (stack) => throughputOf(stack, size.busyMs));
  return engineRows(one, await withStack(2, (stack) => throughputOf(stack, size.busyMs)));
});

const text = report(rows, form, [`Load average before the run: ${loadBefore.toFixed(1)}.`, '', ...NOTES]);
process.stdout.write(text);
if (form === 'full' && only.length === 0) await writeFile(join(import.meta.dirname, 'RESULTS.md'), text);
