/**
 * `make bench`: what the engine promises in ratios, measured in one run on one machine. Prints a table and keeps it in
 * RESULTS.md. `BENCH=short` takes about a minute, shows the same rows with less behind them, and keeps nothing.
 */
import { writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { startBenchStack, type BenchStack } from './bench-stack.ts';
import { engineRows, throughputOf } from './cases/engines.ts';
import { benchMemory } from './cases/memory.ts';
import { benchPlanning, benchPlanningOverRest } from './cases/planning.ts';
import { benchPointReads } from './cases/point-read.ts';
import { benchScan } from './cases/scan.ts';
import { benchDecoder } from './decoder.ts';
import { report, type BenchRow } from './report.ts';

const NOTES = [
  'The canned endpoint answers DynamoDB requests from memory over HTTP. Like DynamoDB it sends only what is projected: the engine projects what a statement names, the hand-written program (paginateScan, unmarshall, reduce) does not. Where the projection is ignored, both get the same bytes.',
];

const SCAN_TARGET = 6;

/** What else the machine was doing: latencies of a busy one are mostly waiting for a core. */
const [loadBefore = 0] = loadavg();

const form = process.env['BENCH'] === 'short' ? 'short' : 'full';
const size =
  form === 'short'
    ? { rounds: 3, reads: 400, planned: 100, busyMs: 4_000, few: 'canned_40k', many: 'canned_500k' }
    : { rounds: 7, reads: 3_000, planned: 500, busyMs: 20_000, few: 'canned_1m', many: 'canned_5m' };

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

say('decoder, planning');
const rows: BenchRow[] = [...(await benchDecoder(size.rounds)), ...(await benchPlanning(size.planned))];
const one = await withStack(1, async (stack) => {
  say('point reads');
  rows.push(...(await benchPointReads(stack, size.reads, size.busyMs)));
  rows.push(...(await benchPlanningOverRest(stack, 50)));
  say('scan');
  rows.push(await benchScan(stack, 'canned_500k', size.rounds, SCAN_TARGET));
  rows.push(await benchScan(stack, 'canned_500k_whole', size.rounds, null));
  say('throughput');
  const throughput = await throughputOf(stack, size.busyMs);
  say('memory');
  rows.push(...(await benchMemory(stack, size.few, size.many)));
  return throughput;
});
rows.push(...engineRows(one, await withStack(2, (stack) => throughputOf(stack, size.busyMs))));

const text = report(rows, form, [`Load average before the run: ${loadBefore.toFixed(1)}.`, '', ...NOTES]);
process.stdout.write(text);
if (form === 'full') await writeFile(join(import.meta.dirname, 'RESULTS.md'), text);
