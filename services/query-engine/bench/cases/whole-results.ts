/** Whole results over REST: time beside an aggregate's over the same items, memory, units, and a reader that takes its time. */
import { setTimeout as sleep } from 'node:timers/promises';
import { SCHEMA, type BenchStack } from '../bench-stack.ts';
import { itemsOf } from '../canned/tables.ts';
import { interleavedMs, median } from '../measure.ts';
import { residentMb, residentOfEachMb } from '../process-use.ts';
import type { BenchRow } from '../report.ts';
import { takeWhole } from '../whole-client.ts';

const FORMATS = Object.freeze({
  csv: { name: 'CSV', type: 'text/csv', timesMax: 2.5 },
  ndjson: { name: 'NDJSON', type: 'application/x-ndjson', timesMax: 2.5 },
  parquet: { name: 'Parquet', type: 'application/vnd.apache.parquet', timesMax: 1.5 },
});
type Format = keyof typeof FORMATS;
const NAMES = Object.keys(FORMATS) as Format[];

/** Engine with all its workers and gateway together, above what they have after an aggregate. */
const GROWTH_MB_MAX = 100;
/** Those that have to do with it, together: the engine's host, the largest of its workers, which does the work, and the gateway. */
const TOUCHED_MB_MAX = 500;
const PACE_BYTES_PER_SECOND = 1_000_000;
/** What the engine and the gateway may have more of while a slow reader takes its time. */
const SLOW_MB_MAX = 150;

const COLUMNS = 'id, customer_id, status, amount, qty, city, created_at, gift, channel, note';

const LOOK_MS = 250;
/** What an aggregate leaves is given back by then, as far as it is. */
const REST_MS = 2_000;

interface Memory {
  /** Engine with all its workers, and gateway. */
  readonly allMb: number;
  /** Without the workers that have nothing to do. */
  readonly touchedMb: number;
}

/** Engine and gateway together, now; pages that processes share count once (Pss). */
async function memory({ engines, gateway }: BenchStack): Promise<Memory> {
  const gatewayMb = await residentMb(gateway);
  const each = await Promise.all(engines.map(residentOfEachMb));
  const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, gatewayMb);
  return {
    allMb: sum(each.flat()),
    touchedMb: sum(each.flatMap(([host = 0, ...workers]) => [host, Math.max(0, ...workers)])),
  };
}

const larger = (a: Memory, b: Memory): Memory => ({
  allMb: Math.max(a.allMb, b.allMb),
  touchedMb: Math.max(a.touchedMb, b.touchedMb),
});

/** What the work comes to, and the most memory meanwhile. */
async function watched<T extends object>(
  stack: BenchStack,
  work: () => Promise<T>,
): Promise<T & { readonly peak: Memory }> {
  let peak = await memory(stack);
  let isOver = false;
  const looking = (async (): Promise<void> => {
    for (; !isOver; await sleep(LOOK_MS)) peak = larger(peak, await memory(stack));
  })();
  try {
    const done = await work();
    return { ...done, peak };
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
  const rest = await memory(stack);
  const peaks: Record<Format, Memory> = { csv: rest, ndjson: rest, parquet: rest };
  const take = async (format: Format): Promise<void> => {
    const { rows, readUnits, peak } = await watched(stack, () =>
      takeWhole(stack.rest, FORMATS[format].type, all),
    );
    peaks[format] = larger(peaks[format], peak);
    if (rows !== itemsOf(tableName) || readUnits !== oneScan)
      throw new Error(`${format}: ${rows} rows for ${readUnits} units, where one scan is ${oneScan}`);
  };
  const works = {
    aggregate: () => stack.rest.query(aggregate),
    csv: () => take('csv'),
    ndjson: () => take('ndjson'),
    parquet: () => take('parquet'),
  };
  const times = await interleavedMs(rounds, works, REST_MS);
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
          ours: `${peaks[format].allMb.toFixed(0)} MB at most`,
          theirs: `before it: ${rest.allMb.toFixed(0)} MB`,
          ratio: `+${(peaks[format].allMb - rest.allMb).toFixed(0)} MB`,
          target: `≤ +${GROWTH_MB_MAX} MB`,
          met: peaks[format].allMb - rest.allMb <= GROWTH_MB_MAX,
        },
        {
          what: `The same without idle workers: host, the worker that does it, gateway; ${name}`,
          ours: `${peaks[format].touchedMb.toFixed(0)} MB at most`,
          theirs: `before it: ${rest.touchedMb.toFixed(0)} MB`,
          ratio: `+${(peaks[format].touchedMb - rest.touchedMb).toFixed(0)} MB`,
          target: `≤ ${TOUCHED_MB_MAX} MB`,
          met: peaks[format].touchedMb <= TOUCHED_MB_MAX,
        },
      ];
    }),
    await slowly(stack, all, slowMs),
  ];
}

/** A reader of a megabyte a second, who goes away then. */
async function slowly(stack: BenchStack, sql: string, slowMs: number): Promise<BenchRow> {
  const { allMb: before } = await memory(stack);
  let bytes = 0;
  const { peak } = await watched(stack, async () => {
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
  const peakMb = peak.allMb;
  return {
    what: `The same as CSV with a reader of 1 MB/s, ${(slowMs / 1000).toFixed(0)} s`,
    ours: `${(bytes / 1e6).toFixed(0)} MB taken, ${peakMb.toFixed(0)} MB of memory at most`,
    theirs: `before it: ${before.toFixed(0)} MB`,
    ratio: `+${(peakMb - before).toFixed(0)} MB`,
    target: `≤ +${SLOW_MB_MAX} MB`,
    met: peakMb - before <= SLOW_MB_MAX,
  };
}
