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
/** By how much two ways differ from run to run that take the same time. */
const NOISE_MS = 0.05;
/** "Several hundred a second". */
const PER_SECOND_TARGET = 300;
const CLIENTS = 8;

const sqlOf = (number: number): string =>
  `SELECT id, customer_id, amount, note FROM ${SCHEMA}.${TABLE} WHERE id = '${idOf(number)}'`;
const PARAMETRIZED = `SELECT id, customer_id, amount, note FROM ${SCHEMA}.${TABLE} WHERE id = ?`;

type Read = (number: number) => Promise<unknown>;

/** Ways to read a point, each beside all others: what else the machine does meets all of them alike. */
async function pointReads(
  stack: BenchStack,
  reads: number,
  rest: Readonly<Record<string, Read>>,
  postgres: Readonly<Record<string, Read>>,
): Promise<readonly BenchRow[]> {
  const client = sdkClient(stack.endpoint, REGION);
  let number = 0;
  const bare = 'bare';
  const works: Record<string, () => Promise<unknown>> = {
    [bare]: () => getOne(client, TABLE, idOf(number++)),
  };
  for (const [what, read] of Object.entries({ ...rest, ...postgres })) works[what] = () => read(number);
  await interleavedMs(Math.min(300, reads), works);
  const times = await interleavedMs(reads, works);
  client.destroy();
  const theirs = times[bare] ?? [];
  const addedBy = (what: string): number => median(times[what] ?? []) - median(theirs);
  const row = (what: string, target: string, met: boolean): BenchRow => {
    const p99 = quantile(times[what] ?? [], 0.99) - quantile(theirs, 0.99);
    return {
      what: `Point read over ${what}, p50`,
      ours: `${median(times[what] ?? []).toFixed(2)} ms`,
      theirs: `bare SDK GetItem: ${median(theirs).toFixed(2)} ms`,
      ratio: `+${addedBy(what).toFixed(2)} ms, ${(addedBy(what) / median(theirs)).toFixed(1)}× (p99 +${p99.toFixed(2)} ms)`,
      ...{ target, met },
    };
  };
  const restAddedMs = Math.max(...Object.keys(rest).map(addedBy));
  return [
    ...Object.keys(rest).map((what) =>
      row(what, `≤ +${ADDED_TIMES_MAX}×`, addedBy(what) <= ADDED_TIMES_MAX * median(theirs)),
    ),
    ...Object.keys(postgres).map((what) =>
      row(what, `≤ REST's, give or take ${NOISE_MS} ms`, addedBy(what) <= restAddedMs + NOISE_MS),
    ),
  ];
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
  const client = new pg.Client({ connectionString: stack.postgresUrl });
  await client.connect();
  const text = PARAMETRIZED.replace('?', '$1');
  const byProtocol =
    (more: object): Read =>
    (number) =>
      client.query({ text, values: [idOf(number)], rowMode: 'array', ...more });
  const rest: Readonly<Record<string, Read>> = {
    'REST, the key as parameter': read,
    'REST, the key in a text that is new each time': readByText,
  };
  const postgres: Readonly<Record<string, Read>> = {
    "PostgreSQL's protocol, prepared": byProtocol({ name: 'read' }),
    "PostgreSQL's protocol, parsed each time": byProtocol({}),
  };
  try {
    // Services that run for days are compiled, the one for PostgreSQL's protocol no less than the gateway.
    for (let number = 0; number < reads; number++)
      for (const warm of [...Object.values(rest), ...Object.values(postgres)]) await warm(number);
    return [...(await pointReads(stack, reads, rest, postgres)), await throughput(stack, throughputMs)];
  } finally {
    await client.end();
  }
}
