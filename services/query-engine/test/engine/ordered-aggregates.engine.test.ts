/** Aggregates with DISTINCT, an order of their own, or WITHIN GROUP: PostgreSQL 15's answers. */
import { expect } from 'chai';
import { startTestEngine, type TestEngine } from './test-engine.ts';

const ROWS = "(VALUES (5, -1, NULL), (1, 10, 'b'), (2, 9, 'aa'), (3, NULL, 'b'), (4, 9, 'c')) t(id, a, t)";

const CASES: readonly (readonly [call: string, value: unknown])[] = [
  ['array_agg(DISTINCT a ORDER BY a DESC NULLS LAST)', [10, 9, -1, null]],
  ['array_agg(DISTINCT a ORDER BY a DESC NULLS FIRST)', [null, 10, 9, -1]],
  ['array_agg(DISTINCT a ORDER BY a NULLS LAST)', [-1, 9, 10, null]],
  ['array_agg(DISTINCT -a ORDER BY -a NULLS LAST)', [-10, -9, 1, null]],
  ['array_agg(DISTINCT t ORDER BY t DESC NULLS LAST) FILTER (WHERE id > 1)', ['c', 'b', 'aa', null]],
  ['array_agg(a ORDER BY a DESC NULLS LAST, id DESC)', [10, 9, 9, -1, null]],
  ["string_agg(DISTINCT t, ',' ORDER BY t DESC)", 'c,b,aa'],
  ["string_agg(DISTINCT CAST(a AS VARCHAR), ',' ORDER BY CAST(a AS VARCHAR))", '-1,10,9'],
  ["string_agg(t, ',' ORDER BY length(t), id DESC)", 'c,b,b,aa'],
  ['mode() WITHIN GROUP (ORDER BY id % 3)', 1],
  ['mode() WITHIN GROUP (ORDER BY id % 3 DESC)', 2],
  ['mode() WITHIN GROUP (ORDER BY a DESC)', 9],
  ['percentile_disc(0.5) WITHIN GROUP (ORDER BY id)', 3],
  ['percentile_disc(0.5) WITHIN GROUP (ORDER BY a)', 9],
  ['percentile_disc(0.25) WITHIN GROUP (ORDER BY a DESC)', 10],
  ['percentile_disc(0.5) WITHIN GROUP (ORDER BY id DESC) FILTER (WHERE id > 1)', 4],
  ['percentile_disc(0.5) WITHIN GROUP (ORDER BY t DESC)', 'b'],
  ['percentile_disc(1) WITHIN GROUP (ORDER BY a DESC)', -1],
  ['percentile_disc(0) WITHIN GROUP (ORDER BY a DESC)', 10],
  ['percentile_cont(0.75) WITHIN GROUP (ORDER BY a DESC)', 6.5],
  ['percentile_cont(0) WITHIN GROUP (ORDER BY a DESC)', 10],
  ['sum(DISTINCT a ORDER BY a)', 18],
  ['corr(a, 1) > 0.5', null],
  ['regr_slope(a, 1) IS NULL', true],
  ['string_agg(t, NULL ORDER BY id)', 'baabc'],
];

/** Ours beside PostgreSQL's: numbers become text, and calls without an order get the values' own. */
const OWN: readonly (readonly [call: string, value: unknown])[] = [
  ['array_agg(DISTINCT a)', [null, -1, 9, 10]],
  ["string_agg(DISTINCT a, ',' ORDER BY a)", '-1,9,10'],
  ["string_agg(DISTINCT a, ',' ORDER BY a DESC NULLS LAST)", '10,9,-1'],
  ["string_agg(DISTINCT a, ',') FILTER (WHERE id > 9)", null],
  ['array_agg(DISTINCT a) FILTER (WHERE id > 9)', null],
  ['any_value(t ORDER BY id DESC)', 'c'],
  ['mode(id % 3 ORDER BY id DESC)', 2],
];

const REFUSED: readonly (readonly [call: string, message: RegExp])[] = [
  [
    "string_agg(DISTINCT t, ',' ORDER BY length(t), t)",
    /^In an aggregate with DISTINCT, ORDER BY expressions must appear in the argument list$/,
  ],
  ['array_agg(DISTINCT a ORDER BY id)', /^In an aggregate with DISTINCT, ORDER BY/],
  ['sum(DISTINCT a ORDER BY -a)', /^In an aggregate with DISTINCT, ORDER BY/],
  ['percentile_cont(0.5)', /^PERCENTILE_CONT needs WITHIN GROUP$/],
  ['percentile_disc(0.5 ORDER BY a)', /^PERCENTILE_DISC needs WITHIN GROUP$/],
  ['mode()', /^MODE takes 1 argument, or WITHIN GROUP$/],
  [
    'percentile_cont(DISTINCT 0.5) WITHIN GROUP (ORDER BY a)',
    /: DISTINCT for PERCENTILE_CONT with WITHIN GROUP$/,
  ],
  [
    'percentile_cont(0.5) WITHIN GROUP (ORDER BY a, id)',
    /: more than one ORDER BY expression for PERCENTILE_CONT with WITHIN GROUP$/,
  ],
  [
    'percentile_cont(0.5 ORDER BY id) WITHIN GROUP (ORDER BY a)',
    /: ORDER BY inside of its parentheses for PERCENTILE_CONT with WITHIN GROUP$/,
  ],
  ['mode(id) WITHIN GROUP (ORDER BY a)', /: an argument for MODE with WITHIN GROUP$/],
];

describe('an aggregate with an order', () => {
  let engine: TestEngine;
  before(async () => void (engine = await startTestEngine([])));
  after(() => engine.close());

  for (const [call, value] of CASES) {
    it(`answers as PostgreSQL does: ${call}`, async () => {
      expect((await engine.run(`SELECT ${call} FROM ${ROWS}`)).rows).to.deep.equal([[value]]);
    });
  }

  for (const [call, value] of OWN) {
    it(`keeps the order that was asked for: ${call}`, async () => {
      expect((await engine.run(`SELECT ${call} FROM ${ROWS}`)).rows).to.deep.equal([[value]]);
    });
  }

  it('keeps the order in a window', async () => {
    const call = "string_agg(DISTINCT t, '' ORDER BY t DESC) OVER (PARTITION BY a) AS r";
    const { rows } = await engine.run(`SELECT id, ${call} FROM ${ROWS} ORDER BY id`);
    expect(rows).to.deep.equal([
      [1, 'b'],
      [2, 'caa'],
      [3, 'b'],
      [4, 'caa'],
      [5, null],
    ]);
  });

  it('keeps numbers and texts that look alike apart', async () => {
    const { rows } = await engine.run(
      "SELECT array_agg(DISTINCT x ORDER BY x DESC) FROM (VALUES (9), ('9'), (10), ('a')) t(x)",
    );
    expect(rows).to.deep.equal([[['a', '9', 10, 9]]]);
  });

  for (const [call, message] of REFUSED) {
    it(`is refused by name: ${call}`, async () => {
      const { code, message: said, detail } = await engine.failure(`SELECT ${call} FROM ${ROWS}`);
      expect(said).to.match(message);
      expect(code).to.be.oneOf(['INVALID_QUERY', 'UNSUPPORTED_SQL']);
      expect(detail).to.match(/at line 1, column \d+: /);
    });
  }
});
