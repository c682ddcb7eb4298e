/** The latest of each partition, beside one statement a partition that reads it. */
import type { Source } from './tables.ts';

export interface LatestCase {
  readonly title: string;
  readonly literals: readonly string[];
  readonly sql: string;
}

const PARTITIONS = ['p1', 'p2', 'p3'];
const LIST = PARTITIONS.map((one) => `'${one}'`).join(', ');

export function latestCases({ partition: p, sort: k }: Source): readonly LatestCase[] {
  const all = `shop.visits WHERE ${p} IN (${LIST})`;
  const ends = (order: string, limit = 1): readonly string[] =>
    PARTITIONS.map(
      (one) =>
        `SELECT ${p}, ${k} FROM shop.visits WHERE ${p} = '${one}' ORDER BY ${k} ${order} LIMIT ${limit}`,
    );
  const numbered = (order: string): string =>
    `SELECT ${p}, ${k}, ROW_NUMBER() OVER (PARTITION BY ${p} ORDER BY ${k} ${order}) AS r FROM ${all}`;
  return [
    ['max', ends('DESC'), `SELECT ${p}, max(${k}) FROM ${all} GROUP BY ${p}`],
    ['min', ends('ASC'), `SELECT ${p}, min(${k}) FROM ${all} GROUP BY ${p}`],
    ['row_number', ends('DESC'), `SELECT ${p}, ${k} FROM (${numbered('DESC')}) t WHERE r = 1`],
    ['row_number, forwards', ends('ASC'), `SELECT ${p}, ${k} FROM (${numbered('ASC')}) t WHERE r <= 1`],
    ['three of each', ends('DESC', 3), `SELECT ${p}, ${k} FROM (${numbered('DESC')}) t WHERE r <= 3`],
    [
      'QUALIFY',
      ends('DESC'),
      `SELECT ${p}, ${k} FROM ${all} QUALIFY ROW_NUMBER() OVER (PARTITION BY ${p} ORDER BY ${k} DESC) = 1`,
    ],
    [
      'DISTINCT ON',
      ends('DESC'),
      `SELECT DISTINCT ON (${p}) ${p}, ${k} FROM ${all} ORDER BY ${p}, ${k} DESC`,
    ],
    [
      'IN of the latest',
      [...ends('DESC'), ...ends('DESC')],
      `SELECT ${p}, ${k} FROM shop.visits WHERE (${p}, ${k}) IN (SELECT ${p}, max(${k}) FROM ${all} GROUP BY ${p})`,
    ],
    [
      'LATERAL',
      ends('DESC'),
      `SELECT g.p, v.k FROM (VALUES ('p1'), ('p2'), ('p3')) g(p) CROSS JOIN LATERAL (SELECT ${k} AS k FROM shop.visits WHERE ${p} = g.p ORDER BY ${k} DESC LIMIT 1) v`,
    ],
    [
      'in the order of a time',
      [ends('DESC', 2)[0]!],
      `SELECT ${p}, ${k} FROM shop.visits WHERE ${p} = 'p1' ORDER BY ${k} DESC LIMIT 2`,
    ],
  ].map(([title, literals, sql]) => ({ title, literals, sql }) as LatestCase);
}
