/** Lists that say no order: they have that of a sorted subquery, of VALUES, of an array's elements; else that of their values. */
import { expect } from 'chai';
import type { SqlRules } from '../../src/catalog/description.ts';
import { engineTable } from './shop.ts';
import { startTestEngine, type TestEngine } from './test-engine.ts';

const KEY = { partitionKey: { name: 'pk', type: 'S' }, sortKey: { name: 'sk', type: 'S' } } as const;
const ITEMS = Object.entries({ a: '1', b: '2', c: '3' }).map(([sk, n]) => ({
  pk: { S: 'p' },
  sk: { S: sk },
  n: { N: n },
}));
const POSTGRESQL: SqlRules = { engine: 'postgresql', database: 'warehouse' };

const SORTED = 'SELECT sk, n FROM shop.rows WHERE n > 0 ORDER BY n % 3 DESC, n';
const CASES = [
  ['of a sorted subquery', `SELECT json_agg(sk) FROM (${SORTED}) t`, ['b', 'a', 'c']],
  ['of its first rows', `SELECT json_agg(sk) FROM (${SORTED} LIMIT 2) t`, ['b', 'a']],
  ['of text', `SELECT string_agg(sk, '') FROM (${SORTED}) t`, 'bac'],
  ['of names and values', `SELECT json_object_agg(sk, n)::text FROM (${SORTED}) t`, '{"b":2,"a":1,"c":3}'],
  ['by what is not shown', `SELECT array_agg(u.x) FROM (SELECT sk || '!' AS x FROM (${SORTED}) t WHERE sk <> 'a') u`, ['b!', 'c!']],
  ['through CTEs', `WITH a AS (${SORTED}), b AS (SELECT sk AS x FROM a), c AS (SELECT json_agg(x) AS data FROM b) SELECT data FROM c`, ['b', 'a', 'c']],
  ['of a CTE that is used twice', `WITH a AS (${SORTED} LIMIT 2) SELECT json_agg(a.sk) FROM a WHERE EXISTS (SELECT 1 FROM a b WHERE b.n <= a.n)`, ['b', 'a']],
  ['of a CTE that others ask for its rows alone', `WITH a AS (${SORTED}) SELECT json_agg(sk) FROM a WHERE n IN (SELECT n FROM a)`, ['b', 'a', 'c']],
  ['by the last order, of two', `SELECT json_agg(sk) FROM (SELECT * FROM (${SORTED} LIMIT 2) t ORDER BY n) u`, ['a', 'b']],
  ['of groups', `SELECT json_agg(sk) FROM (${SORTED}) t GROUP BY n < 3 ORDER BY n < 3 DESC`, ['b', 'a']],
  ['of a join, the left first', `SELECT string_agg(t.sk || k, ' ') FROM (${SORTED} LIMIT 2) t LEFT JOIN LATERAL (VALUES ('z'), ('y')) u(k) ON true`, 'bz by az ay'],
  ['of rows that are correlated', `SELECT string_agg(l, ' ') FROM (VALUES (3), (1)) v(m), LATERAL (SELECT string_agg(sk, '') AS l FROM (SELECT sk FROM shop.rows WHERE n <= m ORDER BY n DESC) x) y`, 'cba a'],
  ['of DISTINCT ON', `SELECT string_agg(sk, '') FROM (SELECT DISTINCT ON (n % 2) sk, n FROM shop.rows ORDER BY n % 2 DESC, n DESC) t`, 'cb'],
  ['of VALUES', "SELECT string_agg(k, '') FROM (VALUES ('z'), ('a'), ('m')) v(k)", 'zam'],
  ['of elements', "SELECT array_agg(upper(e)) FROM unnest(ARRAY['z', 'a', 'm']) e", ['Z', 'A', 'M']],
  ['of elements of groups', "SELECT string_agg(e, '') FROM (VALUES (1, 'z-a'), (2, 'm-b')) v(k, l), unnest(string_to_array(l, '-')) e GROUP BY k ORDER BY k", 'za'],
  ['of an array subquery', `SELECT ARRAY(SELECT sk || e FROM (${SORTED} LIMIT 1) t, unnest(ARRAY['z', 'a']) e)`, ['bz', 'ba']],
  ['but an order that is said comes first', `SELECT json_agg(sk ORDER BY sk) FROM (${SORTED}) t`, ['a', 'b', 'c']],
  ['but of DISTINCT', `SELECT json_agg(DISTINCT sk) FROM (${SORTED}) t`, ['a', 'b', 'c']],
  ['but of rows in no order', 'SELECT json_agg(-n) FROM shop.rows', [-3, -2, -1]],
] as const; // oxfmt-ignore

describe('lists that say no order have that of their rows', () => {
  let engine: TestEngine;
  before(async function () {
    this.timeout(60_000);
    engine = await startTestEngine([engineTable('rows', KEY, ITEMS)]);
  });
  after(() => engine.close());

  for (const [what, sql, list] of CASES)
    for (const rules of [undefined, POSTGRESQL])
      it(`${what}${rules === undefined ? '' : ', over PostgreSQL'}`, async () => {
        const { rows } = await engine.run(sql, { rules });
        expect((rows[0] as unknown[])[0]).to.deep.equal(list);
      });
});
