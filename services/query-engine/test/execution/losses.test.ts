/** Values that count as NULL since they are of another kind than is wanted: counted, and told. */
import { expect } from 'chai';
import { bind } from '../../src/binder/bind.ts';
import { parseParameters } from '../../src/binder/parameters.ts';
import type { Database } from '../../src/execution/session/database.ts';
import { parse } from '../../src/parser/parse.ts';
import { optimize } from '../planning/in-one-go.ts';
import { runPlan, testDatabase, testTable, type RunOptions } from './tables.ts';

const ITEMS = testTable(
  'items',
  ['id', 'v', 'n', 'at', 'kind', 'tags', 'doc'],
  [
    ['a', '7', 1, '2024-05-06', 'num', { json: '["x",3]' }, { json: '{"city":"Graz","zip":8010,"n":"x"}' }],
    ['b', 'red', 2, 'soon', 'word', { json: '[]' }, { json: '{"city":"Linz","zip":4020,"n":5}' }],
    ['c', 'blue', 3, '2024-07-01T10:00:00Z', 'word', { json: '["y"]' }, { json: '{}' }],
    ['d', undefined, 4, undefined, 'none', undefined, undefined],
  ],
);

const NUMBERS = '; TRY_CAST(v AS DOUBLE) IS NOT NULL leaves them out';
const TWO = `2 values of v are no numbers, and count as NULL${NUMBERS}`;
const ONE = `1 value of v is no number, and counts as NULL${NUMBERS}`;
const SOON =
  '1 value of at is no date or time, and counts as NULL; TRY_CAST(at AS TIMESTAMP) IS NOT NULL leaves them out';

const CASES: readonly (readonly [sql: string, rows: readonly unknown[][], warnings: readonly string[]])[] = [
  ['SELECT sum(v) FROM items', [[7]], [TWO]],
  ['SELECT v + 1 FROM items', [[8], [null], [null], [null]], [TWO]],
  ['SELECT abs(v), v * 2 FROM items WHERE id = \'b\'', [[null, null]], [ONE]],
  ['SELECT sum(n), sum(n + 1), avg(n) FROM items', [[10, 14, 2.5]], []],
  ['SELECT year(at) FROM items', [[2024], [null], [2024], [null]], [SOON]],
  ["SELECT count(*) FROM items WHERE EXTRACT(YEAR FROM at) = 2024", [[2]], [SOON]],
  ["SELECT at - DATE '2024-05-05' > INTERVAL 1 HOUR FROM items WHERE n < 3", [[true], [null]], [SOON]],
  ["SELECT INTERVAL '1 hour' * v FROM items WHERE n < 3", [['07:00:00'], [null]], [ONE]],
  // What a condition leaves out was asked of no conversion.
  ["SELECT sum(v) FROM items WHERE kind = 'num'", [[7]], []],
  ['SELECT sum(v) FROM items WHERE TRY_CAST(v AS DOUBLE) IS NOT NULL', [[7]], []],
  ["SELECT CASE WHEN kind = 'num' THEN v + 1 END FROM items", [[8], [null], [null], [null]], []],
  ["SELECT CASE kind WHEN 'none' THEN 0 ELSE v + 1 END FROM items", [[8], [null], [null], [0]], [TWO]],
  ["SELECT IF(kind = 'word', 0, v + 1) FROM items", [[8], [0], [0], [null]], []],
  ["SELECT sum(v) FILTER (WHERE kind = 'num') FROM items", [[7]], []],
  ['SELECT TRY_CAST(v AS DOUBLE) + 1 FROM items WHERE n < 3', [[8], [null]], []],
  // Under other names, and out of other queries.
  ['SELECT sum(x) FROM (SELECT v AS x FROM items) q', [[7]], [TWO]],
  ['WITH w AS (SELECT v AS x FROM items) SELECT max(x) + 1 FROM w', [[null]], [TWO]],
  ['SELECT (SELECT min(v) FROM items) + 1', [[8]], [TWO]],
  [
    'SELECT sum(x) FROM (SELECT v AS x FROM items UNION ALL SELECT kind FROM items) q',
    [[7]],
    [
      TWO.replaceAll(' v ', ' items.v ').replace('(v ', '(items.v '),
      '4 values of items.kind are no numbers, and count as NULL; TRY_CAST(items.kind AS DOUBLE) IS NOT NULL leaves them out',
    ],
  ],
  [
    'SELECT sum(e) FROM items CROSS JOIN UNNEST(tags) AS t(e)',
    [[3]],
    ['2 values of e are no numbers, and count as NULL; TRY_CAST(e AS DOUBLE) IS NOT NULL leaves them out'],
  ],
  [
    "SELECT sum(json_extract(doc, '$.n')) FROM items",
    [[5]],
    [
      "1 value of JSON_EXTRACT(doc, '$.n') is no number, and counts as NULL; TRY_CAST(JSON_EXTRACT(doc, '$.n') AS DOUBLE) IS NOT NULL leaves them out",
    ],
  ],
  [
    "SELECT count(coalesce(a.v, b.kind, '1') + 1) FROM items a JOIN items b ON a.id = b.id",
    [[1]],
    [
      TWO.replaceAll(' v ', ' a.v ').replace('(v ', '(a.v '),
      '4 values of b.kind are no numbers, and count as NULL; TRY_CAST(b.kind AS DOUBLE) IS NOT NULL leaves them out',
    ],
  ],
  ["SELECT 'red' + 1", [[null]], ["'red' is no number, and counts as NULL"]],
  ['SELECT id FROM items WHERE v', [], ['3 values of v are neither true nor false, and count as NULL']],
  ['SELECT contains(doc, 1) FROM items WHERE n = 1', [[null]], ['1 value of doc is a map, which has no elements, and counts as NULL']],
]; // oxfmt-ignore

describe('values of another kind than is wanted', () => {
  let database: Database;
  before(() => {
    database = testDatabase();
  });
  after(() => database.close());

  function run(sql: string, options: RunOptions = {}) {
    const bound = bind(parse(sql), { sql, parameters: parseParameters(''), tables: () => ITEMS.catalog });
    return runPlan(database, [ITEMS], optimize(bound, { rowsWanted: 100, pushdown: true }).plan, options);
  }

  for (const [sql, rows, warnings] of CASES)
    it(`are ${warnings.length === 0 ? 'none in' : 'counted in'} ${sql}`, async () => {
      const result = await run(sql);
      expect(JSON.parse(result.json)).to.deep.equal(rows);
      expect(result.warnings).to.deep.equal(warnings);
    });

  for (const format of ['json', 'ndjson', 'csv', 'parquet'] as const)
    for (const sql of ['SELECT v + 1 FROM items', 'SELECT sum(v) FROM items'])
      it(`are counted once in ${sql} as ${format}, over all pages of items`, async () => {
        const { warnings } = await run(sql, { format, pageRows: 1 });
        expect(warnings).to.deep.equal([TWO]);
      });
});
