import { expect } from 'chai';
import { bind } from '../../src/binder/bind.ts';
import { parseParameters } from '../../src/binder/parameters.ts';
import { chooseRead } from '../../src/dynamodb/choose-read.ts';
import { parse } from '../../src/parser/parse.ts';
import { attribute, catalogTable, index } from '../dynamodb/fixtures.ts';
import { optimize, planQuery } from './in-one-go.ts';

/** A hundred orders of each of a thousand customers, 10 units a customer. */
const ORDERS = catalogTable('customer:S, n:N', {
  indexes: [
    index('by_day', 'day:S, n:N'),
    index('by_kind', 'customer:S, kind:S', { global: false, projection: 'KEYS_ONLY' }),
  ],
  attributes: [
    attribute('customer', { S: 1000 }, 100),
    attribute('n', { N: 1000 }, 1000),
    ...['day', 'kind', 'note'].map((name) => attribute(name, { S: 1000 }, 500)),
  ],
  sampledItems: 1000,
});

/** The reads: how, by what, and of which occurrences. */
function readsOf(sql: string): readonly string[] {
  const bound = bind(parse(sql), { sql, tables: () => ORDERS, parameters: parseParameters('') });
  const { reads } = planQuery(optimize(bound, { rowsWanted: 100, pushdown: true }), {
    firstRowIdx: 0,
    maxRows: 100,
    chooseRead: (scan) => chooseRead(scan, { consistent: false, pushdown: true }),
  });
  return reads.map(
    ({ path, alias, filter }) => `${path.kind} ${alias}${filter === null ? '' : ', filtered'}`,
  );
}

const both = (a: string, b: string): string =>
  `SELECT a.note, b.note FROM orders a JOIN orders b ON b.note = a.note WHERE ${a} AND ${b}`;

describe('reads of keys that are among those of another read', () => {
  const SHARED: readonly (readonly [what: string, a: string, b: string, read: string])[] = [
    ['a key in its partition', `a.customer = 'c1'`, `b.customer = 'c1' AND b.n = 5`, 'Query a, b'],
    ['whichever is named first', `a.customer = 'c1' AND a.n = 5`, `b.customer = 'c1'`, 'Query b, a'],
    ['a range in its partition', `a.customer = 'c1'`, `b.customer = 'c1' AND b.n > 5`, 'Query a, b'],
    ['a range in a range', `a.customer = 'c1' AND a.n > 2`, `b.customer = 'c1' AND b.n BETWEEN 3 AND 9`, 'Query a, b'],
    ['a partition among several', `a.customer IN ('c1', 'c2')`, `b.customer = 'c2'`, 'Query a, b'],
    ['a key among several', `a.customer = 'c1' AND a.n IN (1, 2, 3)`, `b.customer = 'c1' AND b.n = 2`, 'BatchGetItem a, b'],
    ['ranges of an index', `a.day = 'd1'`, `b.day = 'd1' AND b.n < 9`, 'Query a, b'],
    // What drops rows of the one is not sent: the other needs them.
    ['a filter on the wider', `a.customer = 'c1' AND a.note = 'x'`, `b.customer = 'c1' AND b.n = 5`, 'Query a, b'],
    ['a filter on the narrower', `a.customer = 'c1'`, `b.customer = 'c1' AND b.n > 5 AND b.note = 'x'`, 'Query a, b'],
  ]; // oxfmt-ignore
  for (const [what, a, b, read] of SHARED)
    it(`share it: ${what}`, () => {
      expect(readsOf(both(a, b))).to.deep.equal([read]);
    });

  const APART: readonly (readonly [what: string, a: string, b: string, reads: readonly string[]])[] = [
    ['ranges that only overlap', `a.customer = 'c1' AND a.n < 9`, `b.customer = 'c1' AND b.n > 5`, ['Query a', 'Query b']],
    ['other partitions', `a.customer = 'c1'`, `b.customer = 'c2' AND b.n = 5`, ['Query a', 'GetItem b']],
    ['another index', `a.day = 'd1'`, `b.customer = 'c1' AND b.n = 5`, ['Query a', 'GetItem b']],
    ['an end that the wider leaves out', `a.customer = 'c1' AND a.n > 5`, `b.customer = 'c1' AND b.n = 5`, ['Query a', 'GetItem b']],
  ]; // oxfmt-ignore
  for (const [what, a, b, reads] of APART)
    it(`do not where there are ${what}`, () => {
      expect(readsOf(both(a, b))).to.have.members(reads);
    });

  it('do not where the wider ends before its last key', () => {
    const first = `SELECT n FROM orders WHERE customer = 'c1' ORDER BY n LIMIT 2`;
    const reads = readsOf(
      `SELECT a.n, b.note FROM (${first}) a, orders b WHERE b.customer = 'c1' AND b.n BETWEEN 1 AND 2`,
    );
    expect(reads).to.have.length(2);
  });

  it('take what ends early from one that does not', () => {
    const first = `SELECT n FROM orders WHERE customer = 'c1' ORDER BY n LIMIT 2`;
    expect(readsOf(`SELECT a.n, b.note FROM (${first}) a, orders b WHERE b.customer = 'c1'`)).to.have.length(
      1,
    );
  });

  const latest = (alias: string): string =>
    `(SELECT customer, max(n) AS n FROM orders WHERE customer IN ('c1', 'c2') GROUP BY customer) ${alias}`;

  it('do not where the wider has the first items of each alone', () => {
    const apart = readsOf(
      `SELECT b.note, a.n FROM ${latest('a')} JOIN orders b ON b.note = a.customer WHERE b.customer = 'c1' AND b.n < 5`,
    );
    expect(apart).to.have.length(2);
    const within = readsOf(
      `SELECT b.note, a.n FROM ${latest('a')} JOIN orders b ON b.note = a.customer WHERE b.customer = 'c1' AND b.n = 5`,
    );
    expect(within).to.have.length(2);
  });

  it('take the first items of each from one that has them all', () => {
    const sql = `SELECT b.note, a.n FROM ${latest('a')} JOIN orders b ON b.note = a.customer WHERE b.customer IN ('c1', 'c2')`;
    expect(readsOf(sql)).to.deep.equal(['Query b, orders']);
  });

  it('are one where both have the same first items, and two where one may have to read all', () => {
    expect(readsOf(`SELECT * FROM ${latest('a')} JOIN ${latest('b')} ON b.n = a.n`)).to.have.length(1);
    const kind = (condition: string): string =>
      `(SELECT customer, max(kind) AS k FROM orders WHERE customer IN ('c1', 'c2')${condition} GROUP BY customer)`;
    const both = (a: string, b: string): readonly string[] =>
      readsOf(`SELECT * FROM ${kind(a)} a JOIN ${kind(b)} b ON b.k = a.k`);
    expect(both('', '')).to.have.length(1);
    expect(both('', ' AND kind IS NOT NULL')).to.have.length(2);
  });

  it('are read with a whole scan, where there is one', () => {
    expect(readsOf(both(`a.note > ''`, `b.customer = 'c1' AND b.n = 5`))).to.deep.equal(['Scan a, b']);
  });
});
