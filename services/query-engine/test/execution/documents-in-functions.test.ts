/** Functions of documents and of their parts: JSON values are what they are, lists have elements, maps have names. */
import { expect } from 'chai';
import { bind } from '../../src/binder/bind.ts';
import { parseParameters } from '../../src/binder/parameters.ts';
import type { Database } from '../../src/execution/session/database.ts';
import { parse } from '../../src/parser/parse.ts';
import { optimize } from '../planning/in-one-go.ts';
import { runPlan, testDatabase, testTable } from './tables.ts';

const ITEMS = testTable(
  'items',
  ['id', 'v', 'n', 'tags', 'doc'],
  [
    ['a', '7', 1, { json: '["x",3]' }, { json: '{"city":"Graz","zip":8010,"n":"x"}' }],
    ['b', 'red', 2, { json: '[]' }, { json: '{"city":"Linz","zip":4020,"n":5}' }],
    ['c', 'blue', 3, { json: '["y"]' }, { json: '{}' }],
    ['d', undefined, 4, undefined, undefined],
  ],
);

const CASES: readonly (readonly [sql: string, rows: readonly unknown[][]])[] = [
  // JSON values are what they are.
  ["SELECT id FROM items WHERE json_extract(doc, '$.city') = 'Graz'", [['a']]],
  ["SELECT id FROM items WHERE json_extract(doc, '$.zip') = 8010", [['a']]],
  ["SELECT json_extract(doc, '$.zip') + 1 FROM items WHERE n < 3", [[8011], [4021]]],
  [
    "SELECT json_extract(json_extract(json_extract(doc, '$'), '$'), '$.city') FROM items WHERE n = 1",
    [['Graz']],
  ],
  ["SELECT json_extract(tags, '$[*]'), json_extract(doc, '$') FROM items WHERE n = 3", [[['y'], {}]]],
  // A list has elements, and a map names.
  [
    'SELECT length(tags), len(tags), size(tags), length(v) FROM items WHERE n < 3',
    [
      [2, 2, 2, 1],
      [0, 0, 0, 3],
    ],
  ],
  [
    'SELECT size(doc), cardinality(doc), length(doc) FROM items WHERE n < 4',
    [
      [3, 3, 3],
      [3, 3, 3],
      [0, 0, 0],
    ],
  ],
  [
    "SELECT json_array_length(doc, '$.city'), json_array_length(tags, '$[0]') FROM items WHERE n = 1",
    [[0, 0]],
  ],
  [
    "SELECT contains(tags, 'x'), contains(tags, 3), contains(v, 'e') FROM items WHERE n < 4",
    [
      [true, true, false],
      [false, false, true],
      [false, false, true],
    ],
  ],
];

const REFUSED: readonly (readonly [expression: string, words: string])[] = [
  ["strpos(tags, 'x')", 'STRPOS takes text as argument 1, not JSON'],
  ['octet_length(tags)', 'OCTET_LENGTH takes text, not JSON'],
  ["levenshtein('x', doc)", 'CAST(… AS VARCHAR)'],
  ["json_extract(n, '$.a')", 'takes a map, list or set as argument 1, not BIGINT'],
  ["json_extract('{}', tags)", 'takes a name, place or path as argument 2, not JSON'],
  ['array_to_string(n, 1)', 'takes a list or set as argument 1'],
];

describe('documents in functions', () => {
  let database: Database;
  before(() => {
    database = testDatabase();
  });
  after(() => database.close());

  function run(sql: string) {
    const bound = bind(parse(sql), { sql, parameters: parseParameters(''), tables: () => ITEMS.catalog });
    return runPlan(database, [ITEMS], optimize(bound, { rowsWanted: 100, pushdown: true }).plan);
  }

  for (const [sql, rows] of CASES)
    it(`are what they are in ${sql}`, async () => {
      expect(JSON.parse((await run(sql)).json)).to.deep.equal(rows);
    });

  for (const [expression, words] of REFUSED)
    it(`refuses ${expression}`, async () => {
      const failure = await run(`SELECT ${expression} FROM items`).then(
        () => null,
        (error: Error) => error.message,
      );
      expect(failure).to.include(words);
    });
});
