/** Memory: many items grouped, and a large page of rows. */
import { SCHEMA, type BenchStack } from '../bench-stack.ts';
import { itemsOf } from '../canned/tables.ts';
import { timedMs } from '../measure.ts';
import { peakResidentMb, residentMb } from '../process-use.ts';
import type { BenchRow } from '../report.ts';

/** What grouping may add, whatever the number of items: host and workers at rest are judged by the machine's cores. */
const GROUPED_MB_MAX = 300;
/** Time per item of the larger table against the smaller: what is linear stays near 1. */
const LINEAR_MAX = 1.25;
const ROWS = 10_000;
/** What a page of so many rows may add: it is 4 MB of JSON, made of pages of 1.4 MB that are read ahead. */
const PAGE_MB_MAX = 100;

const millions = (tableName: string): string => `${(itemsOf(tableName) / 1e6).toPrecision(1)} M`;

async function grouped(
  stack: BenchStack,
  tableName: string,
): Promise<{ ms: number; peakMb: number; addedMb: number }> {
  const sql = `SELECT customer_id, COUNT(*) AS n, SUM(amount) AS amount FROM ${SCHEMA}.${tableName} GROUP BY customer_id`;
  const [engine = 0] = stack.engines;
  let ms = 0;
  const idleMb = await residentMb(engine);
  const peakMb = await peakResidentMb(engine, async () => {
    ms = await timedMs(() => stack.rest.query(sql));
  });
  return { ms, peakMb, addedMb: peakMb - idleMb };
}

async function largePage(stack: BenchStack): Promise<BenchRow> {
  const [engine = 0] = stack.engines;
  let ms = 0;
  let rows = 0;
  // The first query makes what every query uses.
  await stack.rest.query(`SELECT id FROM ${SCHEMA}.canned_few`);
  const idleMb = await residentMb(engine);
  const peakMb = await peakResidentMb(engine, async () => {
    ms = await timedMs(async () => {
      const answer = await stack.rest.query(`SELECT * FROM ${SCHEMA}.canned_40k`, { maxRows: ROWS });
      rows = answer.data.length;
    });
  });
  if (rows !== ROWS) throw new Error(`${rows} rows came instead of ${ROWS}`);
  return {
    what: '10,000 rows of 10 columns in one page',
    ours: `${ms.toFixed(0)} ms, ${peakMb.toFixed(0)} MB at most`,
    theirs: `before it: ${idleMb.toFixed(0)} MB`,
    ratio: `+${(peakMb - idleMb).toFixed(0)} MB`,
    target: `≤ +${PAGE_MB_MAX} MB`,
    met: peakMb - idleMb <= PAGE_MB_MAX,
  };
}

export async function benchMemory(
  stack: BenchStack,
  smaller: string,
  larger: string,
): Promise<readonly BenchRow[]> {
  const page = await largePage(stack);
  const few = await grouped(stack, smaller);
  const many = await grouped(stack, larger);
  const perItem = many.ms / itemsOf(larger) / (few.ms / itemsOf(smaller));
  return [
    page,
    {
      what: `Memory of the engine, ${millions(larger)} items in 50,000 groups`,
      ours: `${many.peakMb.toFixed(0)} MB at most, +${many.addedMb.toFixed(0)} MB`,
      theirs: `${millions(smaller)}: ${few.peakMb.toFixed(0)} MB, +${few.addedMb.toFixed(0)} MB`,
      ratio: '',
      target: `≤ +${GROUPED_MB_MAX} MB`,
      met: Math.max(many.addedMb, few.addedMb) <= GROUPED_MB_MAX,
    },
    {
      what: `Time per item, ${millions(larger)} items against ${millions(smaller)}`,
      ours: `${(many.ms / 1000).toFixed(1)} s`,
      theirs: `${millions(smaller)}: ${(few.ms / 1000).toFixed(1)} s`,
      ratio: `${perItem.toFixed(2)}×`,
      target: `≤ ${LINEAR_MAX}× (linear)`,
      met: perItem <= LINEAR_MAX,
    },
  ];
}
