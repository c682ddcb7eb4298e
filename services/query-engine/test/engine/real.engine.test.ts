/** REAL: numbers of 24 binary digits, as PostgreSQL 15 computes and shows them. */
import { expect } from 'chai';
import { startTestEngine, type TestEngine } from './test-engine.ts';

const CASES: readonly (readonly [expression: string, shown: string, type: string])[] = [
  ['CAST(16777217 AS REAL)', '16777216', 'REAL'],
  ['CAST(16777217 AS FLOAT4)', '16777216', 'REAL'],
  ['CAST(0.1 AS REAL)', '0.1', 'REAL'],
  ["CAST('0.1' AS REAL)", '0.1', 'REAL'],
  ['-CAST(0.1 AS REAL)', '-0.1', 'REAL'],
  ['ABS(CAST(-0.1 AS REAL))', '0.1', 'REAL'],
  ['CAST(CAST(0.1 AS REAL) AS VARCHAR)', '"0.1"', 'VARCHAR'],
  ['CAST(0.1 AS REAL) = 0.1', 'false', 'BOOLEAN'],
  ['CAST(0.5 AS REAL) = 0.5', 'true', 'BOOLEAN'],
  ['CAST(16777217 AS REAL) = 16777217', 'false', 'BOOLEAN'],
  ['CAST(16777216 AS REAL) + CAST(1 AS REAL)', '16777216', 'REAL'],
  ['CAST(0.1 AS REAL) * CAST(3 AS REAL)', '0.3', 'REAL'],
  ['CAST(1 AS REAL) / CAST(3 AS REAL)', '0.33333334', 'REAL'],
  ['CAST(16777216 AS REAL) + 1', '16777217', 'DOUBLE'],
  ['CAST(CAST(0.1 AS REAL) AS DOUBLE)', '0.10000000149011612', 'DOUBLE'],
  ['COALESCE(CAST(NULL AS REAL), CAST(0.1 AS REAL))', '0.1', 'REAL'],
  ['(SELECT SUM(CAST(x AS REAL)) FROM (VALUES (0.1), (0.2)) t(x))', '0.3', 'REAL'],
  ['(SELECT MAX(CAST(x AS REAL)) FROM (VALUES (0.1), (0.2)) t(x))', '0.2', 'REAL'],
  ['TRY_CAST(1e300 AS REAL)', 'null', 'REAL'],
  ['CAST(123456789 AS REAL)', '123456790', 'REAL'],
  ['TO_JSON(CAST(0.1 AS REAL))', '0.1', 'JSON'],
];

describe('a REAL', () => {
  let engine: TestEngine;
  before(async () => void (engine = await startTestEngine([])));
  after(() => engine.close());

  for (const [expression, shown, type] of CASES) {
    it(`is rounded, computed with and shown as such: ${expression}`, async () => {
      const { json, types } = await engine.run(`SELECT ${expression}`);
      expect([json, types]).to.deep.equal([`[[${shown}]]`, [type]]);
    });
  }

  it('is rounded at each step of a long sum too', async () => {
    const sum = ['CAST(16777216 AS REAL)', ...Array<string>(40).fill('CAST(1 AS REAL)')].join(' + ');
    expect((await engine.run(`SELECT ${sum}, ${sum.replaceAll('+', '-')}`)).rows).to.deep.equal([
      [16777216, 16777176],
    ]);
  });

  it('fails where a number is too large for it', async () => {
    const { code, detail } = await engine.failure('SELECT CAST(1e300 AS REAL)');
    expect(code).to.equal('EXECUTION_ERROR');
    expect(detail).to.match(/^at line 1, column 8: /);
  });
});
