/** Statements that ask for the first items of partitions, and for items in the order of what is made of a key. */
import type { Choice } from '../choice.ts';
import type { Family } from './families.ts';
import { sortedTable } from './tables.ts';

/** Names of a partition key and a sort key. */
interface Keys {
  readonly p: string;
  readonly k: string;
}

const KEYS: readonly Keys[] = [
  { p: 'pk', k: 'sk' },
  { p: 'pk', k: 'l' },
  { p: 'g', k: 'h' },
];
const LISTS = [`'p', 'q'`, `'q'`, `'q', 'nobody'`, `'p', 'q', 'nobody'`];
const ORDERS = ['', 'DESC', 'NULLS LAST', 'DESC NULLS FIRST', 'DESC NULLS LAST', 'NULLS FIRST'];

/** What is made of a key of each type: in its order, in the other, and in neither. */
const MADE: Readonly<Record<Family['type'], readonly string[]>> = {
  S: [
    'left({k}, 2)',
    'substr({k}, 1, 3)',
    'CAST({k} AS VARCHAR)',
    'TRY_CAST({k} AS TIMESTAMP)',
    'TRY_CAST({k} AS DATE)',
    'upper({k})',
    `split_part({k}, '#', 1)`,
    `{k} || '#'`,
    `'#' || {k}`,
    `COALESCE({k}, 'c')`,
    'reverse({k})',
    'length({k})',
  ],
  N: [
    '-{k}',
    '{k} + 1',
    '1 - {k}',
    '{k} * 2',
    '{k} * -3',
    '{k} / 2',
    'floor({k})',
    'round({k}, 1)',
    'abs({k})',
    'CAST({k} AS VARCHAR)',
    'COALESCE({k}, 5)',
    '{k} % 3',
  ],
};
const MADE_OF_SECONDS = [
  'to_timestamp({k})',
  'CAST(to_timestamp({k}) AS DATE)',
  `date_trunc('day', to_timestamp({k}))`,
];

function made(choice: Choice, { name, type }: Family, key: string): string {
  const forms = name === 'seconds' ? [...MADE[type], ...MADE_OF_SECONDS, ...MADE_OF_SECONDS] : MADE[type];
  return choice.pick(forms).replaceAll('{k}', () => key);
}

/** A condition beside the partition's, or none. */
function filter(choice: Choice, { type }: Family, { k }: Keys): string {
  const some =
    type === 'S' ? [`${k} > 'A'`, `${k} < '2026-11-20'`, `left(${k}, 1) = 'A'`] : [`${k} > 5`, `${k} <= 0`];
  return choice.maybe(0.5)
    ? ''
    : ` AND ${choice.pick([...some, `${k} IS NOT NULL`, 'i >= 3', `${k} IS NULL`, 'i % 2 = 0'])}`;
}

/** A statement whose rows are fixed but for their order. */
export function firstOfEach(choice: Choice, family: Family): string {
  const keys = choice.pick(KEYS);
  const { p, k } = keys;
  const from = `shop.${sortedTable(family)} WHERE ${p} IN (${choice.pick(LISTS)})${filter(choice, family, keys)}`;
  const order = choice.pick(ORDERS);
  const n = choice.pick([1, 1, 1, 2, 3]);
  // Of equal places, those that come first are not fixed: what they are ordered by is, and how many there are.
  const by = choice.maybe(0.7) ? k : made(choice, family, k);
  const columns = `${p}, ${by} AS b`;
  const rank = choice.pick(['ROW_NUMBER', 'ROW_NUMBER', 'RANK', 'DENSE_RANK']);
  const over = `${rank}() OVER (PARTITION BY ${p} ORDER BY ${by} ${order})`;
  return choice.pick([
    `SELECT ${p}, max(${by}) FROM ${from} GROUP BY ${p}`,
    `SELECT ${p}, min(${by}) FROM ${from} GROUP BY ${p}`,
    `SELECT min(${by}), ${p}, max(${k}) FROM ${from} GROUP BY ${p}`,
    `SELECT max(${by}) FROM ${from}`,
    `SELECT ${p}, b FROM (SELECT ${columns}, ${over} AS r FROM ${from}) t WHERE r <= ${n}`,
    `SELECT ${p}, b FROM (SELECT ${columns}, ${over} AS r FROM ${from}) t WHERE r = ${n}`,
    `SELECT ${p}, b FROM (SELECT ${columns}, ${over} AS r FROM ${from}) t WHERE r BETWEEN 1 AND ${n}`,
    `SELECT ${columns} FROM ${from} QUALIFY ${over} <= ${n}`,
    `SELECT DISTINCT ON (${p}) ${columns} FROM ${from} ORDER BY ${p}, ${by} ${order}`,
    `SELECT DISTINCT ON (${p}) ${columns} FROM ${from} ORDER BY ${p} DESC, ${by} ${order}`,
    `SELECT ${p}, ${k} FROM ${from} AND (${p}, ${k}) IN (SELECT ${p}, max(${k}) FROM ${from} GROUP BY ${p})`,
    `SELECT g0.v, x.b FROM (VALUES ('p'), ('q'), ('none')) g0(v) CROSS JOIN LATERAL (SELECT ${columns} FROM shop.${sortedTable(family)} t WHERE t.${p} = g0.v ORDER BY ${by} ${order} LIMIT ${n}) x`,
    `SELECT g0.v, x.b FROM (VALUES ('p'), ('q'), ('none')) g0(v) LEFT JOIN LATERAL (SELECT ${columns} FROM shop.${sortedTable(family)} t WHERE t.${p} = g0.v ORDER BY ${by} ${order} LIMIT ${n}) x ON true`,
    `SELECT ${by} AS b FROM ${from} ORDER BY ${by} ${order} LIMIT ${n}`,
    `SELECT ${by} AS b FROM ${from} ORDER BY b ${order} LIMIT ${n} OFFSET 2`,
    `SELECT ${p}, count(*), max(${by}) FROM ${from} GROUP BY ${p}`,
    `SELECT ${p}, max(${by}) FROM ${from} GROUP BY ${p} HAVING count(*) > 3`,
  ]);
}
