/** Point reads by key: the time that the service adds to a bare GetItem, and how many it answers. */
import pg from 'pg';
import { SCHEMA, REGION, type BenchStack } from '../bench-stack.ts';
import { idOf } from '../canned/items.ts';
import { getOne, sdkClient } from '../hand-written.ts';
import { interleavedMs, median, quantile } from '../measure.ts';
import type { BenchRow } from '../report.ts';

const TABLE = 'canned_500k';
/** Times a bare GetItem, which takes as much longer on a slow machine. */
const ADDED_TIMES_MAX = 3;
/** "Several hundred a second". */
const PER_SECOND_TARGET = 300;
const CLIENTS = 8;

const sqlOf = (number: number): string =>
  `SELECT id, customer_id, amount, note FROM ${SCHEMA}.${TABLE} WHERE id = '${idOf(number)}'`;
const PARAMETRIZED = `SELECT id, customer_id, amount, note FROM ${SCHEMA}.${TABLE} WHERE id = ?`;

async function added(
  stack: BenchStack,
  reads: number,
  what: string,
  read: (number: number) => Promise<unknown>,
): Promise<BenchRow & { readonly addedMs: number }> {
  const client = sdkClient(stack.endpoint, REGION);
  let number = 0;
  const works = {
    ours: () => read(number),
    theirs: () => getOne(client, TABLE, idOf(number++)),
  };
  await interleavedMs(Math.min(300, reads), works);
  const times = await interleavedMs(reads, works);
  client.destroy();
  const [ours, theirs] = [median(times.ours), median(times.theirs)];
  const addedTimes = (ours - theirs) / theirs;
  const p99 = quantile(times.ours, 0.99) - quantile(times.theirs, 0.99);
  return {
    addedMs: ours - theirs,
    what: `Point read over ${what}, p50`,
    ours: `${ours.toFixed(2)} ms`,
    theirs: `bare SDK GetItem: ${theirs.toFixed(2)} ms`,
    ratio: `+${(ours - theirs).toFixed(2)} ms, ${addedTimes.toFixed(1)}× (p99 +${p99.toFixed(2)} ms)`,
    target: `≤ +${ADDED_TIMES_MAX}×`,
    met: addedTimes <= ADDED_TIMES_MAX,
  };
}

/** Beside what REST adds in the same run. */
async function addedByPostgres(
  stack: BenchStack,
  reads: number,
  what: string,
  read: (number: number) => Promise<unknown>,
  restAddedMs: number,
): Promise<BenchRow> {
  for (let number = 0; number < reads; number++) await read(number);
  const row = await added(stack, reads, `PostgreSQL's protocol, ${what}`, read);
  return {
    ...row,
    target: `≤ REST's in this run, +${restAddedMs.toFixed(2)} ms`,
    met: row.addedMs <= restAddedMs,
  };
}

async function throughput(stack: BenchStack, forMs: number): Promise<BenchRow> {
  let done = 0;
  const started = performance.now();
  const loop = async (): Promise<void> => {
    while (performance.now() - started < forMs) {
      await stack.rest.query(PARAMETRIZED, { parameters: [idOf(done++ % 100_000)] });
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, loop));
  const perSecond = done / ((performance.now() - started) / 1000);
  return {
    what: `Point reads a second, one engine, ${CLIENTS} clients at once`,
    ours: `${Math.round(perSecond)} /s`,
    theirs: '',
    ratio: '',
    target: `≥ ${PER_SECOND_TARGET} /s`,
    met: perSecond >= PER_SECOND_TARGET,
  };
}

export async function benchPointReads(
  stack: BenchStack,
  reads: number,
  throughputMs: number,
): Promise<readonly BenchRow[]> {
  const read = (number: number): Promise<unknown> =>
    stack.rest.query(PARAMETRIZED, { parameters: [idOf(number)] });
  const readByText = (number: number): Promise<unknown> => stack.rest.query(sqlOf(number));
  // A service that runs for days is compiled; the first case would pay for it otherwise.
  for (let number = 0; number < 2 * reads; number++) await (number % 2 === 0 ? read : readByText)(number);
  const byParameter = await added(stack, reads, 'REST, the key as parameter', read);
  const client = new pg.Client({ connectionString: stack.postgresUrl });
  await client.connect();
  const text = PARAMETRIZED.replace('?', '$1');
  const byProtocol = (more: object) => (number: number) =>
    client.query({ text, values: [idOf(number)], rowMode: 'array', ...more });
  try {
    return [
      byParameter,
      await added(stack, reads, 'REST, the key in a text that is new each time', readByText),
      await addedByPostgres(stack, reads, 'prepared', byProtocol({ name: 'read' }), byParameter.addedMs),
      await addedByPostgres(stack, reads, 'parsed each time', byProtocol({}), byParameter.addedMs),
      await throughput(stack, throughputMs),
    ];
  } finally {
    await client.end();
  }
}
