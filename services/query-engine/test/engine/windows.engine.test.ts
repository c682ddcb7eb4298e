/** Window functions over rows with peers and NULLs: PostgreSQL 15's answers. */
import { expect } from 'chai';
import { startTestEngine, type TestEngine } from './test-engine.ts';

const ROWS =
  '(VALUES (1, 0, 1, 3), (2, 0, 1, 5), (3, 0, 2, NULL), (4, 1, 2, 4), (5, 1, 2, 1), (6, 1, NULL, 2)) t(id, p, k, v)';

/** A call, and its value for each row in the order of `id`. */
const CASES: readonly (readonly [call: string, values: readonly unknown[]])[] = [
  [
    'sum(v) OVER (ORDER BY k NULLS FIRST ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE GROUP)',
    [2, null, 5, null, null, 3],
  ],
  [
    'sum(v) OVER (ORDER BY k NULLS FIRST ROWS BETWEEN 2 PRECEDING AND 2 FOLLOWING EXCLUDE TIES)',
    [5, 11, 8, 9, 1, 10],
  ],
  [
    'sum(v) OVER (ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE GROUP)',
    [null, null, null, null, null, null],
  ],
  ['sum(v) OVER (ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE TIES)', [3, 5, null, 4, 1, 2]],
  [
    'count(*) OVER (ORDER BY k NULLS FIRST ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE TIES)',
    [5, 5, 4, 4, 4, 6],
  ],
  [
    'count(*) OVER (ORDER BY k NULLS FIRST ROWS BETWEEN CURRENT ROW AND CURRENT ROW EXCLUDE GROUP)',
    [0, 0, 0, 0, 0, 0],
  ],
  [
    'count(v) OVER (PARTITION BY p ORDER BY k DESC NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND 1 FOLLOWING EXCLUDE GROUP)',
    [0, 0, 1, 0, 1, 2],
  ],
  [
    'min(v) OVER (ORDER BY k NULLS FIRST ROWS BETWEEN 2 FOLLOWING AND UNBOUNDED FOLLOWING EXCLUDE TIES)',
    [1, 1, null, null, null, 1],
  ],
  [
    'max(v) OVER (ORDER BY k NULLS FIRST ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING EXCLUDE GROUP)',
    [2, 2, 5, 5, 5, null],
  ],
  [
    'max(v) OVER (ORDER BY k NULLS FIRST ROWS BETWEEN 0 FOLLOWING AND 2 FOLLOWING EXCLUDE TIES)',
    [3, 5, null, 4, 1, 5],
  ],
  [
    'max(v) OVER (ORDER BY k NULLS FIRST ROWS BETWEEN 2 PRECEDING AND 0 PRECEDING EXCLUDE TIES)',
    [3, 5, 5, 5, 1, 2],
  ],
  [
    'avg(v) OVER (ORDER BY k NULLS FIRST ROWS BETWEEN 3 PRECEDING AND 3 FOLLOWING EXCLUDE GROUP)',
    [3, 2.3333333333333335, 3.3333333333333335, 4, 5, 4],
  ],
  [
    'bool_or(v > 4) FILTER (WHERE id <> 2) OVER (ORDER BY k NULLS FIRST ROWS BETWEEN 3 PRECEDING AND 1 FOLLOWING EXCLUDE GROUP)',
    [false, false, false, false, null, false],
  ],
  [
    'bit_or(v) OVER (ORDER BY k NULLS FIRST ROWS BETWEEN 3 PRECEDING AND 1 FOLLOWING EXCLUDE TIES)',
    [3, 7, 7, 7, 5, 3],
  ],
  [
    'first_value(id) OVER (ORDER BY k NULLS FIRST ROWS BETWEEN CURRENT ROW AND 2 FOLLOWING EXCLUDE GROUP)',
    [3, 3, null, null, null, 1],
  ],
  [
    'first_value(id) OVER (ORDER BY k NULLS FIRST ROWS BETWEEN 1 PRECEDING AND 2 FOLLOWING EXCLUDE TIES)',
    [6, 2, 2, 4, 5, 6],
  ],
  [
    'first_value(v) OVER (ORDER BY k NULLS FIRST ROWS BETWEEN 3 PRECEDING AND 2 FOLLOWING EXCLUDE GROUP)',
    [2, 2, 2, 3, 5, 3],
  ],
  [
    'last_value(id) OVER (ORDER BY k NULLS FIRST ROWS BETWEEN CURRENT ROW AND 2 FOLLOWING EXCLUDE TIES)',
    [3, 4, 3, 4, 5, 2],
  ],
  [
    'last_value(id) OVER (ORDER BY k NULLS FIRST ROWS BETWEEN 2 PRECEDING AND 1 FOLLOWING EXCLUDE GROUP)',
    [6, 3, 2, 2, null, 1],
  ],
  [
    'rank() OVER (ORDER BY k NULLS FIRST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)',
    [2, 2, 4, 4, 4, 1],
  ],
  [
    'dense_rank() OVER (ORDER BY k NULLS FIRST ROWS BETWEEN 1 PRECEDING AND CURRENT ROW EXCLUDE GROUP)',
    [2, 2, 3, 3, 3, 1],
  ],
  [
    'percent_rank() OVER (ORDER BY k NULLS FIRST ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)',
    [0.2, 0.2, 0.6, 0.6, 0.6, 0],
  ],
  ['cume_dist() OVER (PARTITION BY p ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)', [1, 1, 1, 1, 1, 1]],
  [
    'ntile(3) OVER (ORDER BY id DESC RANGE BETWEEN 2 PRECEDING AND 1 FOLLOWING EXCLUDE GROUP)',
    [3, 3, 2, 2, 1, 1],
  ],
  [
    'row_number() OVER (ORDER BY k NULLS FIRST RANGE BETWEEN 1 PRECEDING AND CURRENT ROW)',
    [2, 3, 4, 5, 6, 1],
  ],
  [
    'lag(v, 1, 9) OVER (ORDER BY k NULLS FIRST RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING)',
    [2, 3, 5, null, 4, 9],
  ],
  [
    'lead(id, -1) OVER (ORDER BY k NULLS FIRST GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW)',
    [6, 1, 2, 3, 4, null],
  ],
  [
    'first_value(id) OVER (ORDER BY k NULLS FIRST RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING)',
    [1, 1, 1, 1, 1, 6],
  ],
  ['first_value(id) OVER (ORDER BY k NULLS FIRST RANGE CURRENT ROW)', [1, 1, 3, 3, 3, 6]],
  [
    'first_value(id) OVER (ORDER BY k NULLS FIRST GROUPS BETWEEN CURRENT ROW AND 1 FOLLOWING EXCLUDE CURRENT ROW)',
    [2, 1, 4, 3, 3, 1],
  ],
  ['last_value(id) OVER (ORDER BY k NULLS FIRST)', [2, 2, 5, 5, 5, 6]],
  ['last_value(id) OVER (PARTITION BY p)', [3, 3, 3, 6, 6, 6]],
  [
    'last_value(id) OVER (ORDER BY k NULLS FIRST RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING EXCLUDE TIES)',
    [5, 5, 3, 4, 5, 5],
  ],
  [
    'last_value(v) OVER (ORDER BY k NULLS FIRST GROUPS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW EXCLUDE GROUP)',
    [2, 2, 5, 5, 5, null],
  ],
  ['nth_value(id, 2) OVER (ORDER BY k NULLS FIRST)', [1, 1, 1, 1, 1, null]],
  [
    'nth_value(id, 3) OVER (ORDER BY k DESC NULLS FIRST GROUPS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING EXCLUDE GROUP)',
    [null, null, null, null, null, 5],
  ],
  [
    'nth_value(v, 1) OVER (ORDER BY k NULLS FIRST GROUPS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)',
    [2, 2, 2, 2, 2, null],
  ],
  [
    "string_agg(CAST(id AS VARCHAR), '-') OVER (ORDER BY k DESC NULLS LAST)",
    ['3-4-5-1-2', '3-4-5-1-2', '3-4-5', '3-4-5', '3-4-5', '3-4-5-1-2-6'],
  ],
  [
    "string_agg(CAST(id AS VARCHAR), '-') FILTER (WHERE id <> 3) OVER (ORDER BY v DESC NULLS LAST ROWS BETWEEN 2 PRECEDING AND CURRENT ROW)",
    ['2-4-1', '2', '6-5', '2-4', '1-6-5', '4-1-6'],
  ],
  [
    'array_agg(id) OVER (PARTITION BY p ORDER BY id DESC ROWS UNBOUNDED PRECEDING)',
    [[3, 2, 1], [3, 2], [3], [6, 5, 4], [6, 5], [6]],
  ],
  [
    'array_agg(v) OVER (ORDER BY k DESC NULLS LAST GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW EXCLUDE TIES)',
    [[null, 4, 1, 3], [null, 4, 1, 5], [null], [4], [1], [3, 5, 2]],
  ],
  ['count(*) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND 3 PRECEDING)', [0, 0, 0, 0, 0, 0]],
  ['count(*) OVER (ORDER BY id RANGE BETWEEN 3 FOLLOWING AND 1 FOLLOWING)', [0, 0, 0, 0, 0, 0]],
  [
    'count(*) OVER (ORDER BY k NULLS FIRST ROWS BETWEEN 0 PRECEDING AND 3 PRECEDING EXCLUDE GROUP)',
    [0, 0, 0, 0, 0, 0],
  ],
  [
    'regr_count(v, id) OVER (ORDER BY k DESC NULLS LAST RANGE BETWEEN UNBOUNDED PRECEDING AND 0 PRECEDING EXCLUDE TIES)',
    [3, 3, 0, 1, 1, 5],
  ],
  [
    'bit_xor(id) OVER (ORDER BY k DESC NULLS LAST RANGE BETWEEN UNBOUNDED PRECEDING AND 0 PRECEDING)',
    [1, 1, 2, 2, 2, 7],
  ],
  [
    'count(*) OVER (ORDER BY k NULLS FIRST RANGE BETWEEN 0 FOLLOWING AND UNBOUNDED FOLLOWING)',
    [5, 5, 3, 3, 3, 6],
  ],
  [
    'last_value(id) OVER (ORDER BY k NULLS FIRST GROUPS BETWEEN 2 FOLLOWING AND 0 FOLLOWING EXCLUDE TIES)',
    [null, null, null, null, null, null],
  ],
  [
    'sum(id) OVER (ORDER BY k NULLS FIRST RANGE BETWEEN 2 FOLLOWING AND 0 FOLLOWING EXCLUDE TIES)',
    [null, null, null, null, null, 6],
  ],
  ['corr(v, p) OVER (ORDER BY id) > 0.5', [null, null, null, false, false, false]],
];

/** Frames and calls that are refused, and what the error names. */
const REFUSED: readonly (readonly [call: string, message: RegExp])[] = [
  [
    'stddev(v) OVER (ORDER BY k ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE GROUP)',
    /^Unsupported SQL: EXCLUDE GROUP in a ROWS frame for STDDEV$/,
  ],
  [
    'sum(DISTINCT v) OVER (ORDER BY k ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE TIES)',
    /^Unsupported SQL: EXCLUDE TIES in a ROWS frame for SUM with DISTINCT$/,
  ],
  ['nth_value(v, 0) OVER (ORDER BY k)', /^The row of NTH_VALUE must be a number from 1$/],
  ['ntile(0) OVER (ORDER BY k)', /^The buckets of NTILE must be a number from 1$/],
  [
    'sum(v) OVER (ORDER BY k ROWS BETWEEN NULL PRECEDING AND CURRENT ROW)',
    /^The distance of a window frame cannot be NULL$/,
  ],
  [
    'sum(v) OVER (ORDER BY k RANGE BETWEEN NULL PRECEDING AND CURRENT ROW)',
    /^The distance of a window frame cannot be NULL$/,
  ],
  [
    "sum(v) OVER (ORDER BY k ROWS BETWEEN 'a' PRECEDING AND CURRENT ROW)",
    /^The distance of a ROWS frame must be a whole number$/,
  ],
  [
    'sum(v) OVER (ORDER BY k ROWS BETWEEN (1 - 2) PRECEDING AND CURRENT ROW)',
    /the distance of a window frame must be a number from 0/,
  ],
  [
    'sum(v) OVER (ORDER BY k GROUPS BETWEEN k PRECEDING AND CURRENT ROW)',
    /the distance of a window frame must be a number from 0/,
  ],
  [
    'sum(v) OVER (ORDER BY id RANGE BETWEEN UNBOUNDED PRECEDING AND (1 - 1) PRECEDING)',
    /the distance of this bound must be above 0: for 0, write CURRENT ROW/,
  ],
  [
    'sum(v) OVER (ORDER BY k GROUPS BETWEEN 2 FOLLOWING AND (1 - 1) FOLLOWING EXCLUDE TIES)',
    /^Unsupported SQL: EXCLUDE TIES in a GROUPS frame with computed distances on one side$/,
  ],
];

describe('a window function', () => {
  let engine: TestEngine;
  before(async () => void (engine = await startTestEngine([])));
  after(() => engine.close());

  for (const [call, values] of CASES) {
    it(`answers as PostgreSQL does: ${call}`, async () => {
      const { rows } = await engine.run(`SELECT id, ${call} AS r FROM ${ROWS} ORDER BY id`);
      expect(rows.map((row) => (row as readonly unknown[])[1])).to.deep.equal(values);
    });
  }

  for (const [call, message] of REFUSED) {
    it(`is refused by name: ${call}`, async () => {
      const error = await engine.failure(`SELECT id, ${call} AS r FROM ${ROWS} ORDER BY id`);
      expect(error.message).to.match(message);
      expect(error.code).to.not.equal('INTERNAL');
    });
  }

  it('says what to write instead of an exclusion that it does not compute', async () => {
    const call = 'stddev(v) OVER (ORDER BY k ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE GROUP)';
    const { code, detail } = await engine.failure(`SELECT ${call} FROM ${ROWS}`);
    expect(code).to.equal('UNSUPPORTED_SQL');
    expect(detail).to.match(/^at line 1, column 8: .*; write GROUPS or RANGE, or EXCLUDE CURRENT ROW/);
  });
});
