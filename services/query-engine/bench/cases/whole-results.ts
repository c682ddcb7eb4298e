/** Whole results over REST: time beside an aggregate's over the same items, memory, units, and a reader that takes its time. */
import { setTimeout as sleep } from 'node:timers/promises';
import { SCHEMA, type BenchStack } from '../bench-stack.ts';
import { itemsOf } from '../canned/tables.ts';
import { interleavedMs, median } from '../measure.ts';
import { residentMb } from '../process-use.ts';
import type { BenchRow } from '../report.ts';
import { takeWhole } from '../whole-client.ts';

const FORMATS = Object.freeze({
  csv: { name: 'CSV', type: 'text/csv', timesMax: 2.5 },
  ndjson: { name: 'NDJSON', type: 'application/x-ndjson', timesMax: 2.5 },
  parquet: { name: 'Parquet', type: 'application/vnd.apache.parquet', timesMax: 1.5 },
});
type Format = keyof typeof FORMATS;
const NAMES = Object.keys(FORMATS) as Format[];

/** Engine and gateway together, above what they have after an aggregate: that alone is 600 MB, since workers are processes. */
const GROWTH_MB_MAX = 100;
const PACE_BYTES_PER_SECOND = 1_000_000;
/** What the engine and the gateway may have more of while a slow reader takes its time. */
const SLOW_MB_MAX = 150;

const COLUMNS = 'id, customer_id, status, amount, qty, city, created_at, gift, channel, note';

const LOOK_MS = 250;
/** What an aggregate leaves is given back by then, as far as it is. */
const REST_MS = 2_000;

/** Engine and gateway together, now. */
async function memoryMb({ engines, gateway }: BenchStack): Promise<number> {
  const sizes = await Promise.all([...engines, gateway].map(residentMb));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** What the work comes to, and the most memory meanwhile. */
async function watched<T extends object>(
  stack: BenchStack,
  work: () => Promise<T>,
): Promise<T & { readonly peakMb: number }> {
  let peakMb = await memoryMb(stack);
  let isOver = false;
  const looking = (async (): Promise<void> => {
    for (; !isOver; await sleep(LOOK_MS)) peakMb = Math.max(peakMb, await memoryMb(stack));
  })();
  try {
    const done = await work();
    return { ...done, peakMb };
  } finally {
    isOver = true;
    await looking;
  }
}

/** The table as a whole, and what is computed of all its items where the endpoint sends them whole as well. */
export async function benchWholeResults(
  stack: BenchStack,
  tableName: string,
  rounds: number,
  slowMs: number,
): Promise<readonly BenchRow[]> {
  const all = `SELECT ${COLUMNS} FROM ${SCHEMA}.${tableName}`;
  const aggregate = `SELECT COUNT(id), COUNT(customer_id), COUNT(status), SUM(amount), SUM(qty), COUNT(city), COUNT(created_at), COUNT(gift), COUNT(channel), COUNT(note) FROM ${SCHEMA}.${tableName}`;
  const oneScan = (await stack.rest.query(aggregate)).readUnits;
  await sleep(REST_MS);
  const restMb = await memoryMb(stack);
  const peaks: Record<Format, number> = { csv: 0, ndjson: 0, parquet: 0 };
  const take = async (format: Format): Promise<void> => {
    const { rows, readUnits, peakMb } = await watched(stack, () =>
      takeWhole(stack.rest, FORMATS[format].type, all),
    );
    peaks[format] = Math.max(peaks[format], peakMb);
    if (rows !== itemsOf(tableName) || readUnits !== oneScan)
      throw new Error(`${format}: ${rows} rows for ${readUnits} units, where one scan is ${oneScan}`);
  };
  const times = await interleavedMs(rounds, {
    aggregate: () => stack.rest.query(aggregate),
    csv: () => take('csv'),
    ndjson: () => take('ndjson'),
    parquet: () => take('parquet'),
  });
  const scan = median(times.aggregate);
  const items = itemsOf(tableName).toLocaleString('en');
  return [
    ...NAMES.flatMap((format): readonly BenchRow[] => {
      const { name, timesMax } = FORMATS[format];
      const ms = median(times[format]);
      return [
        {
          what: `${items} items as ${name} over REST, all ten attributes`,
          ours: `${(ms / 1000).toFixed(2)} s, ${oneScan} units, which is one scan`,
          theirs: `an aggregate of all ten over the same items: ${(scan / 1000).toFixed(2)} s`,
          ratio: `${(ms / scan).toFixed(2)}×`,
          target: `≤ ${timesMax}×`,
          met: ms / scan <= timesMax,
        },
        {
          what: `Memory of engine and gateway meanwhile, ${name}`,
          ours: `${peaks[format].toFixed(0)} MB at most`,
          theirs: `before it: ${restMb.toFixed(0)} MB`,
          ratio: `+${(peaks[format] - restMb).toFixed(0)} MB`,
          target: `≤ +${GROWTH_MB_MAX} MB`,
          met: peaks[format] - restMb <= GROWTH_MB_MAX,
        },
      ];
    }),
    await slowly(stack, all, slowMs),
  ];
}

/** A reader of a megabyte a second, who goes away then. */
async function slowly(stack: BenchStack, sql: string, slowMs: number): Promise<BenchRow> {
  const before = await memoryMb(stack);
  let bytes = 0;
  const { peakMb } = await watched(stack, async () => {
    const ending = AbortSignal.timeout(slowMs);
    const options = {
      bytesPerSecond: PACE_BYTES_PER_SECOND,
      onChunk: (chunk: Buffer) => void (bytes += chunk.length),
      signal: ending,
    };
    await takeWhole(stack.rest, FORMATS.csv.type, sql, options).catch((error: unknown) => {
      if (!ending.aborted) throw error;
    });
    return {};
  });
  return {
    what: `The same as CSV with a reader of 1 MB/s, ${(slowMs / 1000).toFixed(0)} s`,
    ours: `${(bytes / 1e6).toFixed(0)} MB taken, ${peakMb.toFixed(0)} MB of memory at most`,
    theirs: `before it: ${before.toFixed(0)} MB`,
    ratio: `+${(peakMb - before).toFixed(0)} MB`,
    target: `≤ +${SLOW_MB_MAX} MB`,
    met: peakMb - before <= SLOW_MB_MAX,
  };
}
