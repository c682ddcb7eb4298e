/** Every document that goes out is JSON, whatever DuckDB's reader of JSON lets through. */
import { expect } from 'chai';
import { UNWRITABLE_WARNING } from '../../src/execution/results/result.ts';
import { startTestEngine, type TestEngine } from './test-engine.ts';

const INFINITE = '1e308 * 10';

/** What cannot be shown is null, with a warning. */
const SHOWN: readonly (readonly [expression: string, value: unknown])[] = [
  [`TO_JSON(${INFINITE})`, null],
  ["TO_JSON(CAST('NaN' AS DOUBLE))", null],
  [`CAST(${INFINITE} AS JSON)`, null],
  [`[${INFINITE}, 1.5, 'inf', 'NaN']`, [null, 1.5, 'inf', 'NaN']],
  [`JSON_ARRAY(-(${INFINITE}), '"', 1)`, [null, '"', 1]],
  ["JSON_EXTRACT('{\"a\": NaN}', '$.a')", null],
  [`JSON_EXTRACT('{"a": [1, -Infinity, "inf"]}', '$.a')`, [1, null, 'inf']],
  [`CASE WHEN 1 = 1 THEN ${INFINITE} ELSE 'a' END`, null],
  ["CASE WHEN 1 = 1 THEN CAST('NaN' AS DOUBLE) ELSE 'a' END", null],
  [`COALESCE(TO_JSON(${INFINITE}), 'a')`, null],
  [`(SELECT ARRAY_AGG(x ORDER BY x) FROM (VALUES (${INFINITE}), (1e0)) t(x))`, [1, null]],
];

/** Text that is JSON comes out as it is. */
const KEPT: readonly (readonly [text: string, value: unknown])[] = [
  ['[1, 2]', [1, 2]],
  ['{"a": "NaN, ]", "b": ", }", "c": "\\",]"}', { a: 'NaN, ]', b: ', }', c: '",]' }],
  ['"inf"', 'inf'],
  [' null ', null],
  ['"\\ud83d\\ude00"', '😀'],
];

/** Text that is none. */
const NO_JSON: readonly string[] = [
  ...['NaN', 'nan', '-inf', 'Infinity', '[1,]', '{"a":1,}', '[1 , ]', '{"a": NaN}', '["a", [-Infinity]]'],
  ...[
    'hello',
    '',
    '{a: 1}',
    '[1] // c',
    '/**/1',
    '01',
    '1.',
    '+1',
    "'a'",
    '[1] [2]',
    '"\\ud800"',
    '"a\tb"',
    '[,]',
  ],
];

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

describe('a document in a response', () => {
  let engine: TestEngine;
  before(async () => void (engine = await startTestEngine([])));
  after(() => engine.close());

  for (const [expression, value] of SHOWN) {
    it(`shows what JSON has no form for as null, and says so: ${expression}`, async () => {
      const { rows, warnings } = await engine.run(`SELECT ${expression} AS x`);
      expect(rows).to.deep.equal([[value]]);
      expect(warnings).to.deep.equal([UNWRITABLE_WARNING]);
    });
  }

  for (const [text, value] of KEPT) {
    it(`is the text that was cast, where that is JSON: ${text}`, async () => {
      const sql = `SELECT CAST(${quoted(text)} AS JSON), JSON_VALID(${quoted(text)})`;
      const { rows, warnings } = await engine.run(sql);
      expect(rows).to.deep.equal([[value, true]]);
      expect(warnings).to.deep.equal([]);
    });
  }

  for (const text of NO_JSON) {
    it(`is never made of text that is no JSON: ${text}`, async () => {
      const { code, message, detail } = await engine.failure(`SELECT CAST(${quoted(text)} AS JSON)`);
      expect(code).to.equal('EXECUTION_ERROR');
      expect(message).to.contain('Malformed JSON');
      expect(detail).to.match(/^at line 1, column 8: /);
      const { rows } = await engine.run(
        `SELECT TRY_CAST(${quoted(text)} AS JSON), JSON_VALID(${quoted(text)})`,
      );
      expect(rows).to.deep.equal([[null, false]]);
    });
  }

  it('names the text, and what to write instead', async () => {
    const sql = `SELECT MAX(CAST(x AS JSON)) FROM (VALUES ('[1,]')) t(x)`;
    const { message, detail } = await engine.failure(sql);
    expect(message).to.equal(
      'Invalid value: Malformed JSON: [1,] holds NaN, an infinity, or a comma before a bracket',
    );
    expect(detail).to.contain('at line 1, column 12: ').and.to.contain('TRY_CAST gives NULL instead');
  });

  it('cuts a long text in the error', async () => {
    const { message } = await engine.failure(`SELECT CAST('[1,]' || REPEAT(' ', 5000) AS JSON)`);
    expect(message.length).to.be.below(300);
  });
});
