/** SQL that PostgreSQL's regression queries use: its answers. */
import { expect } from 'chai';
import { customers, orders } from './shop.ts';
import { startTestEngine, type TestEngine } from './test-engine.ts';

const T = "(VALUES (1, 'x', 10), (2, 'x', 20), (3, 'y', 30)) t(a, b, v)";

/** Rows, in the order of the statement. */
const CASES: readonly (readonly [what: string, cases: readonly (readonly [sql: string, rows: unknown])[]])[] =
  [
    [
      'grouping sets',
      [
        [`SELECT sum(v) FROM ${T} GROUP BY ()`, [[60]]],
        [`SELECT sum(v), count(*) FROM ${T} WHERE a > 9 GROUP BY ()`, [[null, 0]]],
        [`SELECT 1 FROM ${T} WHERE a > 9 GROUP BY () HAVING count(*) = 0`, [[1]]],
        ['SELECT count(*) FROM shop.orders WHERE number > 999 GROUP BY GROUPING SETS ((), ())', [[0], [0]]],
        [
          `SELECT b, sum(v) FROM ${T} GROUP BY (), b ORDER BY b`,
          [
            ['x', 30],
            ['y', 30],
          ],
        ],
        [
          `SELECT b, a > 1 AS c, sum(v) FROM ${T} GROUP BY GROUPING SETS (b, ROLLUP (a > 1)) ORDER BY b, c`,
          [
            [null, null, 60],
            [null, false, 10],
            [null, true, 50],
            ['x', null, 30],
            ['y', null, 30],
          ],
        ],
        [
          `SELECT b, sum(v), grouping(b) FROM ${T} GROUP BY GROUPING SETS ((), GROUPING SETS ((b), ()), CUBE (b)) ORDER BY b`,
          [
            [null, 60, 1],
            [null, 60, 1],
            [null, 60, 1],
            ['x', 30, 0],
            ['x', 30, 0],
            ['y', 30, 0],
            ['y', 30, 0],
          ],
        ],
      ],
    ],
    [
      'a join with a name',
      [
        [
          "SELECT j.name, j.number FROM (shop.customers c JOIN shop.orders o ON o.customer = c.id) AS j WHERE j.id = 'c1' AND number < 6 ORDER BY number",
          [
            ['bob', 1],
            ['bob', 5],
          ],
        ],
        [`SELECT j.one, v FROM ((VALUES (1, 2)) x(p, q) JOIN ${T} ON p = a) j (one, two)`, [[1, 10]]],
        [`SELECT * FROM ((VALUES (1, 2)) x(a, q) JOIN ${T} USING (a)) AS j`, [[1, 2, 'x', 10]]],
        [`SELECT j.v FROM (((VALUES (1, 2)) x(a, q) NATURAL JOIN ${T})) AS j`, [[10]]],
        [
          `SELECT q, k.v FROM ((VALUES (1)) x(a) JOIN ${T} USING (a)) j JOIN ((VALUES (5)) y(q) CROSS JOIN ${T}) k ON k.a = j.a`,
          [[5, 10]],
        ],
      ],
    ],
    [
      'percentiles of a list',
      [
        [
          `SELECT percentile_cont(ARRAY[0, 0.25, 1]) WITHIN GROUP (ORDER BY v), percentile_disc(ARRAY[0.5, 1]) WITHIN GROUP (ORDER BY v) FROM ${T}`,
          [
            [
              [10, 15, 30],
              [20, 30],
            ],
          ],
        ],
        [
          `SELECT percentile_cont(ARRAY[0, 0.25, 1]) WITHIN GROUP (ORDER BY v DESC), percentile_disc(ARRAY[0, 0]) WITHIN GROUP (ORDER BY b DESC) FROM ${T}`,
          [
            [
              [30, 25, 10],
              ['y', 'y'],
            ],
          ],
        ],
        [
          `SELECT b, percentile_disc(ARRAY[0.1, 0.9]) WITHIN GROUP (ORDER BY v) FILTER (WHERE a > 1) FROM ${T} GROUP BY b ORDER BY b`,
          [
            ['x', [20, 20]],
            ['y', [30, 30]],
          ],
        ],
        [`SELECT percentile_cont(ARRAY[0.5]) WITHIN GROUP (ORDER BY v) FROM ${T} WHERE a > 9`, [[null]]],
        // Of several types: numbers before texts, as they sort.
        [
          'SELECT percentile_disc(ARRAY[0.1, 0.9]) WITHIN GROUP (ORDER BY code) FROM shop.orders WHERE number < 4',
          [[[0, '3']]],
        ],
      ],
    ],
    [
      'lists of subqueries',
      [
        [`SELECT ARRAY(SELECT v FROM ${T} ORDER BY v DESC)`, [[[30, 20, 10]]]],
        [`SELECT ARRAY(SELECT b FROM ${T} ORDER BY v DESC LIMIT 2)`, [[['y', 'x']]]],
        [`SELECT ARRAY(SELECT v FROM ${T} WHERE FALSE), ARRAY(SELECT NULL)`, [[[], [null]]]],
        [`SELECT ARRAY(SELECT DISTINCT b FROM ${T} ORDER BY b DESC)`, [[['y', 'x']]]],
        [`SELECT ARRAY(SELECT v FROM ${T} UNION ALL SELECT 5 ORDER BY 1 DESC LIMIT 3)`, [[[30, 20, 10]]]],
        [`SELECT ARRAY(WITH w AS (SELECT * FROM ${T}) SELECT a FROM w ORDER BY v DESC)`, [[[3, 2, 1]]]],
        [`SELECT 20 = ANY (ARRAY(SELECT v FROM ${T})), ARRAY(VALUES (2), (1))[0]`, [[true, 2]]],
        [
          'SELECT id, ARRAY(SELECT number FROM shop.orders WHERE customer = c.id ORDER BY number DESC LIMIT 2) FROM shop.customers c ORDER BY id',
          [
            ['c0', [56, 52]],
            ['c1', [57, 53]],
            ['c2', [58, 54]],
            ['c3', [59, 55]],
            ['c4', []],
          ],
        ],
      ],
    ],
  ];

const REFUSED: readonly (readonly [sql: string, code: string, detail: RegExp])[] = [
  [
    `SELECT 1 FROM ${T} GROUP BY ROLLUP (a, CUBE (b))`,
    'UNSUPPORTED_SQL',
    /CUBE inside of ROLLUP or CUBE; write it inside of GROUPING SETS/,
  ],
  ['SELECT c.id FROM (shop.customers c JOIN shop.orders o ON TRUE) AS j', 'COLUMN_NOT_FOUND', /c\.id/],
  [
    'SELECT * FROM (shop.customers c JOIN shop.orders o ON TRUE) AS j (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o)',
    'INVALID_QUERY',
    /but 15 names are given/,
  ],
  [
    `SELECT percentile_cont(ARRAY[0.5, 1.5]) WITHIN GROUP (ORDER BY v) FROM ${T}`,
    'INVALID_QUERY',
    /constants from 0 to 1; write ARRAY\[0\.25, 0\.5\]/,
  ],
  [
    `SELECT percentile_cont(ARRAY[v]) WITHIN GROUP (ORDER BY v) FROM ${T}`,
    'INVALID_QUERY',
    /constants from 0 to 1/,
  ],
  [`SELECT percentile_cont(ARRAY[]) WITHIN GROUP (ORDER BY v) FROM ${T}`, 'INVALID_QUERY', /an empty list/],
  [
    `SELECT percentile_cont(ARRAY[${'0.5, '.repeat(100)}0.5]) WITHIN GROUP (ORDER BY v) FROM ${T}`,
    'INVALID_QUERY',
    /a list of more than 100; ask for fewer/,
  ],
  // It gave the percentile from below: PostgreSQL has no window there at all.
  [
    `SELECT percentile_disc(0.25) WITHIN GROUP (ORDER BY v DESC) OVER () FROM ${T}`,
    'UNSUPPORTED_SQL',
    /descending order with OVER; compute it in a subquery/,
  ],
  [
    `SELECT ARRAY(SELECT a, b FROM ${T})`,
    'PARSE_ERROR',
    /ARRAY \(…\) of 2 columns; it takes a subquery of one/,
  ],
  [`SELECT ARRAY(SELECT * FROM ${T})`, 'INVALID_QUERY', /must have one column, not 3/],
  ['SELECT ARRAY(1, 2)', 'PARSE_ERROR', /a list is written ARRAY\[1, 2\]/],
];

describe('the engine gives what the standard says', () => {
  let engine: TestEngine;
  before(async () => {
    engine = await startTestEngine([customers(), orders()]);
  });
  after(() => engine.close());

  for (const [what, cases] of CASES) {
    it(`for ${what}`, async () => {
      for (const [sql, rows] of cases) {
        expect((await engine.run(sql)).rows, sql).to.deep.equal(rows);
        expect((await engine.runScanning(sql)).rows, `scanning: ${sql}`).to.deep.equal(rows);
      }
      expect(engine.disagreements).to.deep.equal([]);
    });
  }

  it('and says what is wrong with the rest', async () => {
    for (const [sql, code, detail] of REFUSED) {
      const error = await engine.failure(sql);
      expect(error.code, sql).to.equal(code);
      expect(error.detail, sql).to.match(detail);
    }
    expect(engine.disagreements).to.deep.equal([]);
  });
});
