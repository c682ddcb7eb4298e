/** VALUES whose rows start with anything that an expression may start with. */
import { expect } from 'chai';
import { startTestEngine, type TestEngine } from './test-engine.ts';

/** The statement, and its rows in the order of their first column. */
const CASES: readonly (readonly [sql: string, rows: readonly unknown[]])[] = [
  ['SELECT x FROM (VALUES (1), (-1)) t(x)', [[-1], [1]]],
  [
    'SELECT x FROM (VALUES (1), (+1), (- 2), (-3.5), (-(4)), (- -5)) t(x)',
    [[-4], [-3.5], [-2], [1], [1], [5]],
  ],
  [
    "SELECT x, y FROM (VALUES ('a', 1.5), ('b', -0.5)) t(x, y)",
    [
      ['a', 1.5],
      ['b', -0.5],
    ],
  ],
  ['SELECT x FROM (VALUES (1), (3-1), (2*-3), (~1)) t(x)', [[-6], [-2], [1], [2]]],
  ['SELECT x FROM (VALUES (TRUE), (NOT TRUE), (1 > -1)) t(x)', [[false], [true], [true]]],
  ['SELECT x FROM (VALUES (1), ((-2)), (CASE WHEN -1 < 0 THEN -3 END)) t(x)', [[-3], [-2], [1]]],
  [
    "SELECT x FROM (VALUES (1), (CAST('-2' AS INTEGER)), (-3::BIGINT), ((SELECT -4))) t(x)",
    [[-4], [-3], [-2], [1]],
  ],
  [
    "SELECT x FROM (VALUES (DATE '2024-01-01'), (DATE '2024-01-03'-1)) t(x)",
    [['2024-01-01'], ['2024-01-02']],
  ],
  ['SELECT x FROM ((VALUES (1), (-1))) t(x)', [[-1], [1]]],
  [
    'SELECT x, y FROM (VALUES (1), (-1)) t(x), (VALUES (2), (-2)) u(y) WHERE x = -1',
    [
      [-1, -2],
      [-1, 2],
    ],
  ],
  ['SELECT x FROM (VALUES (1), (2)) t(x) JOIN (VALUES (-1), (-2), (1-0)) u(y) ON x = -y', [[1], [2]]],
  ['WITH c(x) AS (VALUES (1), (-1)) SELECT x FROM c', [[-1], [1]]],
  ['SELECT x FROM (VALUES (1), (-1) UNION ALL VALUES (2), (-2)) t(x)', [[-2], [-1], [1], [2]]],
  ['SELECT x FROM (VALUES (-1), (1), (-2)) t(x) WHERE x IN (VALUES (1), (-2))', [[-2], [1]]],
  ['SELECT x FROM (VALUES (1), (-1) ORDER BY 1 LIMIT 1) t(x)', [[-1]]],
  ['SELECT (SELECT MIN(x) FROM (VALUES (1), (-1)) t(x)) AS x', [[-1]]],
];

describe('VALUES', () => {
  let engine: TestEngine;
  before(async () => void (engine = await startTestEngine([])));
  after(() => engine.close());

  for (const [sql, rows] of CASES) {
    it(`takes ${sql}`, async () => {
      expect((await engine.run(`SELECT * FROM (${sql}) AS q ORDER BY x`)).rows).to.deep.equal(rows);
    });
  }
});
