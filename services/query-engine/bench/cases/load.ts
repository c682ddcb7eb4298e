/** Tenants side by side on one engine: what key reads of one wait while another scans all it can. */
import { setTimeout as sleep } from 'node:timers/promises';
import { SCHEMA, type BenchStack } from '../bench-stack.ts';
import { idOf } from '../canned/items.ts';
import { median, quantile, timedMs } from '../measure.ts';
import type { BenchRow } from '../report.ts';

const SLOWER_MAX = 2;
/** Scans of the other tenant at a time. */
const SCANS = 4;
/** Between key reads: a tenant that asks now and then, not one that is itself a load. */
const PAUSE_MS = 5;
/** Until scans are under way. */
const SETTLE_MS = 300;

const POINT = `SELECT id, customer_id, amount, note FROM ${SCHEMA}.canned_500k WHERE id = ?`;
/** Every attribute of every item, decoded and grouped. */
const SCAN = `SELECT status, city, COUNT(*) AS n, SUM(amount) AS amount, MAX(note) AS note, MIN(created_at) AS first
FROM ${SCHEMA}.canned_500k GROUP BY status, city`;

/** Scans over and over while `work` runs; answers how many ended. */
async function whileScanning(stack: BenchStack, work: () => Promise<void>): Promise<number> {
  let isOver = false;
  let scans = 0;
  const scan = async (): Promise<void> => {
    while (!isOver) {
      await stack.neighbor.query(SCAN);
      scans++;
    }
  };
  const scanning = Promise.all(Array.from({ length: SCANS }, scan));
  await sleep(SETTLE_MS);
  await work();
  isOver = true;
  await scanning;
  return scans;
}

export async function benchLoad(
  stack: BenchStack,
  rounds: number,
  reads: number,
): Promise<readonly BenchRow[]> {
  let number = 0;
  const read = async (times: number[]): Promise<void> => {
    for (let i = 0; i < reads; i++) {
      times.push(await timedMs(() => stack.rest.query(POINT, { parameters: [idOf(number++)] })));
      await sleep(PAUSE_MS);
    }
  };
  await read([]);
  await stack.neighbor.query(SCAN);
  const [quiet, loaded]: [number[], number[]] = [[], []];
  let scans = 0;
  for (let round = 0; round < rounds; round++) {
    await read(quiet);
    scans += await whileScanning(stack, () => read(loaded));
  }
  const shown = (times: readonly number[]): string =>
    [0.5, 0.95, 0.99].map((part) => quantile(times, part).toFixed(1)).join(' / ');
  const slower = median(loaded) / median(quiet);
  return [
    {
      what: `Key read over REST while another tenant runs ${SCANS} full scans on the same engine, p50 / p95 / p99`,
      ours: `${shown(loaded)} ms`,
      theirs: `nobody else there: ${shown(quiet)} ms`,
      ratio: `${slower.toFixed(2)}× (${scans} scans)`,
      target: `≤ ${SLOWER_MAX}×`,
      met: slower <= SLOWER_MAX,
    },
  ];
}
