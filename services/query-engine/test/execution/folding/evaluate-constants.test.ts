import { expect } from 'chai';
import { evaluateConstants } from '../../../src/execution/folding/evaluate-constants.ts';
import {
  FOLDED_BYTES_MAX,
  FOLDED_IN_ALL_BYTES_MAX,
  FOLDING_QUERIES_MAX,
} from '../../../src/execution/limits.ts';
import type { Expression, LiteralValue } from '../../../src/logical/expression.ts';
import { statementTime } from '../../../src/logical/statement-time.ts';
import { runInOneGo } from '../../../src/scheduling/sliced-work.ts';
import { bindSql } from '../../optimizer/fixture.ts';
import { testDatabase } from '../tables.ts';

const TIME = statementTime(Date.UTC(2026, 10, 20, 12, 34, 56, 789));

/** The expressions of a SELECT without FROM. */
function expressionsIn(sql: string): readonly Expression[] {
  const { plan } = bindSql(sql);
  if (plan.kind !== 'Project') throw new Error(`no projection: ${sql}`);
  return plan.columns.map(({ expression }) => expression);
}

describe('values of constants', () => {
  const database = testDatabase();
  after(() => database.close());

  const evaluated = async (
    constants: readonly Expression[],
    signal = new AbortController().signal,
    onStatement: () => void = () => undefined,
  ): Promise<readonly (LiteralValue | undefined)[]> => {
    const values = await evaluateConstants(constants, TIME, {
      database,
      signal,
      runSpaced: runInOneGo,
      enterStatement: async () => (onStatement(), () => undefined),
    });
    return constants.map((constant) => values.get(constant));
  };
  const valueOf = async (sql: string): Promise<LiteralValue | undefined> =>
    (await evaluated(expressionsIn(`SELECT ${sql} AS x`)))[0];

  const number = (text: string): LiteralValue => ({ type: 'number', text });
  const approximate = (text: string): LiteralValue => ({ type: 'number', text, approximate: true });
  const text = (value: string): LiteralValue => ({ type: 'text', value });
  const time = (sqlType: 'DATE' | 'TIME' | 'TIMESTAMP' | 'TIMESTAMPTZ', value: string): LiteralValue => ({
    ...{ type: 'temporal', sqlType, value },
  });
  const CASES: readonly (readonly [sql: string, value: LiteralValue | undefined])[] = [
    ['1 + 1', number('2')],
    ['-(3 - 10)', number('7')],
    [
      "CAST('12345678901234567890123456789012345678' AS HUGEINT)",
      number('12345678901234567890123456789012345678'),
    ],
    ["CAST('1.50' AS DECIMAL(10, 2))", number('1.5')],
    ['0.1 + 0.2', number('0.3')],
    // The last digits of a quotient are rounded.
    ['1 / 3.0', approximate('0.3333333333333333')],
    ["CAST('1.5' AS DOUBLE)", approximate('1.5')],
    ['CAST(1.5 AS REAL)', approximate('1.5')],
    ["CAST('1e300' AS DOUBLE)", undefined],
    ["CAST('NaN' AS DOUBLE)", undefined],
    ["CAST('Infinity' AS DOUBLE)", undefined],
    ["'CUSTOMER#' || 'ä' || '''\u{1F600}'", text("CUSTOMER#ä'\u{1F600}")],
    ["'a' || chr(0) || 'b'", text('a\0b')],
    ["upper('')", text('')],
    ["substr('abcdef', 2, 3)", text('bcd')],
    [`repeat('x', ${FOLDED_BYTES_MAX})`, text('x'.repeat(FOLDED_BYTES_MAX))],
    [`repeat('x', ${FOLDED_BYTES_MAX + 1})`, undefined],
    ["CAST('abc' AS BLOB)", { type: 'binary', base64: 'YWJj' }],
    ["'a' LIKE 'a%'", { type: 'boolean', value: true }],
    ["1 > length('ab')", { type: 'boolean', value: false }],
    ['CAST(NULL AS INTEGER) + 1', { type: 'null' }],
    ["NULLIF('a', 'a')", { type: 'null' }],
    ["DATE '2026-11-20' - INTERVAL '7 days'", time('TIMESTAMP', '2026-11-13 00:00:00')],
    ["CAST('2026-11-20' AS DATE)", time('DATE', '2026-11-20')],
    [
      "TIMESTAMP '2026-11-20 01:02:03.456789' + INTERVAL '1 second'",
      time('TIMESTAMP', '2026-11-20 01:02:04.456789'),
    ],
    ["CAST('2026-11-20 01:00:00+02:00' AS TIMESTAMPTZ)", time('TIMESTAMPTZ', '2026-11-19 23:00:00+00')],
    ["CAST('10:11:12.5' AS TIME)", time('TIME', '10:11:12.5')],
    ["TIMESTAMP 'infinity'", undefined],
    ["DATE '0044-03-15 (BC)'", undefined],
    ["INTERVAL '1 day' * 2", undefined],
    ["ARRAY['a', 'b']", undefined],
    ['CAST(\'{"a": 1}\' AS JSON)', undefined],
    ['now()', time('TIMESTAMP', '2026-11-20 12:34:56.789')],
    ['CURRENT_DATE - 7', time('DATE', '2026-11-13')],
    ['CURRENT_TIME', time('TIME', '12:34:56.789')],
    ["(SELECT now() - INTERVAL '1 day')", time('TIMESTAMP', '2026-11-19 12:34:56.789')],
    ["CAST('x' AS INTEGER)", undefined],
    ['CAST(300 AS TINYINT)', undefined],
  ];
  for (const [sql, value] of CASES)
    it(`are those that DuckDB computes: ${sql.slice(0, 60)}`, async () => {
      const found = await valueOf(sql);
      if (value?.type === 'number' && found?.type === 'number' && value.approximate === true) {
        expect(found.approximate).to.equal(true);
        expect(Number(found.text)).to.be.closeTo(Number(value.text), 1e-9);
      } else expect(found).to.deep.equal(value);
    });

  it('are found together, by one query', async () => {
    let asked = 0;
    const constants = expressionsIn(
      `SELECT ${Array.from({ length: 100 }, (_, i) => `${i} + 1 AS c${i}`).join(', ')}`,
    );
    const values = await evaluated(constants, undefined, () => asked++);
    expect(values).to.deep.equal(Array.from({ length: 100 }, (_, i) => number(String(i + 1))));
    expect(asked).to.equal(1);
  });

  it('are so many bytes at most', async () => {
    const count = (FOLDED_IN_ALL_BYTES_MAX / FOLDED_BYTES_MAX) * 3;
    const items = Array.from({ length: count }, (_, i) => `repeat('x', ${FOLDED_BYTES_MAX}) AS c${i}`);
    const values = await evaluated(expressionsIn(`SELECT ${items.join(', ')}, 1 + 1 AS n`));
    expect(values.filter((value) => value?.type === 'text').length).to.equal(count / 3);
    expect(values.at(-1)).to.deep.equal(number('2'));
  });

  it('are found where others fail', async () => {
    for (let failing = 0; failing < 9; failing++) {
      const items = Array.from({ length: 9 }, (_, i) => (i === failing ? "CAST('x' AS INT)" : `${i} + 0`));
      const constants = expressionsIn(`SELECT ${items.map((item, i) => `${item} AS c${i}`).join(', ')}`);
      const values = await evaluated(constants);
      expect(values.map((value) => value !== undefined)).to.deep.equal(items.map((_, i) => i !== failing));
    }
  });

  it('are no longer asked for where very many fail', async () => {
    let asked = 0;
    const items = Array.from({ length: 200 }, (_, i) => `CAST('x${i}' AS INT) AS c${i}`);
    const values = await evaluated(expressionsIn(`SELECT ${items.join(', ')}`), undefined, () => asked++);
    expect(values.every((value) => value === undefined)).to.equal(true);
    expect(asked).to.be.within(1, FOLDING_QUERIES_MAX);
  });

  it('are not waited for once the statement has ended', async () => {
    const ending = new AbortController();
    const reason = new Error('ended');
    const long = Array.from(
      { length: 20 },
      (_, i) => `levenshtein(repeat('a', ${3000 + i}), repeat('b', 3000)) AS c${i}`,
    );
    const constants = expressionsIn(`SELECT ${long.join(', ')}`);
    const run = evaluated(constants, ending.signal, () => setImmediate(() => ending.abort(reason)));
    expect(await run.catch((error: unknown) => error)).to.equal(reason);
  });
});
