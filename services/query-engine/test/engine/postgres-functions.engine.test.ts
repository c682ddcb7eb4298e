/** Functions and operators of PostgreSQL that people write daily: the values are PostgreSQL 15's. */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { expect } from 'chai';
import { engineTable, n, s } from './shop.ts';
import { startTestEngine, type TestEngine } from './test-engine.ts';

const l = (values: readonly AttributeValue[]): AttributeValue => ({ L: [...values] });

const EVENTS = engineTable('events', { partitionKey: { name: 'id', type: 'S' }, sortKey: null }, [
  { id: s('a'), at: s('2024-07-01T22:30:00Z'), tags: l([s('x'), n('2')]), n: n('7') },
  { id: s('b'), at: s('2024-12-31T23:30:00Z'), tags: l([]), n: n('8') },
]);

const VALUES: readonly (readonly [expression: string, values: readonly unknown[]])[] = [
  ["DATE(at AT TIME ZONE 'Europe/Vienna')", ['2024-07-02', '2025-01-01']],
  ["DATE_TRUNC('day', at AT TIME ZONE 'America/New_York')", ['2024-07-01T00:00:00', '2024-12-31T00:00:00']],
  [
    "TIMESTAMP '2024-07-01 12:00:00' AT TIME ZONE 'Europe/Vienna' AT TIME ZONE 'UTC'",
    ['2024-07-01T10:00:00', '2024-07-01T10:00:00'],
  ],
  ["NOW() AT TIME ZONE 'Europe/Vienna' > NOW()", [true, true]],
  ["TO_CHAR(at, 'YYYY-MM')", ['2024-07', '2024-12']],
  ["TO_CHAR(CAST(at AS TIMESTAMP), 'DD Mon YYYY HH24:MI')", ['01 Jul 2024 22:30', '31 Dec 2024 23:30']],
  ["CAST(TO_DATE('06.05.2024', 'DD.MM.YYYY') AS VARCHAR)", ['2024-05-06', '2024-05-06']],
  [
    "CAST(TO_TIMESTAMP('2024/05/06 07', 'YYYY/MM/DD HH24') AS VARCHAR)",
    ['2024-05-06 07:00:00', '2024-05-06 07:00:00'],
  ],
  ["INITCAP('hELLO wORLD')", ['Hello World', 'Hello World']],
  ["ARRAY_TO_STRING(tags, '-')", ['x-2', '']],
  ["DATE_BIN(INTERVAL '1 hour', at, TIMESTAMP '2024-01-01')", ['2024-07-01T22:00:00', '2024-12-31T23:00:00']],
  ['ARRAY_LENGTH(tags, 1)', [2, null]],
  [
    "JSON_BUILD_OBJECT('n', n, 'id', id)",
    [
      { n: 7, id: 'a' },
      { n: 8, id: 'b' },
    ],
  ],
  ["SUBSTRING(id FROM '^(.)')", ['a', 'b']],
  ["SUBSTRING(at FROM 'T([0-9]+):')", ['22', '23']],
  ["SUBSTRING(id FROM 'z')", [null, null]],
  ["tags || ARRAY['y']", [['x', 2, 'y'], ['y']]],
];

const REFUSED: readonly (readonly [expression: string, words: string])[] = [
  ["at AT TIME ZONE 'Europe/Viena'", "did you mean 'Europe/Vienna'"],
  ["at AT TIME ZONE '+02:00'", "for example 'Europe/Paris'"],
  ["TO_CHAR(at, 'Month')", 'FMMonth'],
  ["TO_CHAR(n, '999')", 'ROUND'],
  ["LEFT(id, 'x')", 'LEFT takes a number as argument 2'],
  ["FROM_UNIXTIME(n, '%Y')", 'write STRFTIME'],
  ["JSON_BUILD_OBJECT('a')", 'names and values in turns'],
  ["SUBSTRING(id FROM 'a' FOR '#')", 'REGEXP_EXTRACT'],
  ['ARRAY_LENGTH(tags, 2)', 'dimension 1'],
];

describe("PostgreSQL's daily functions", () => {
  let engine: TestEngine;
  before(async () => {
    engine = await startTestEngine([EVENTS]);
  });
  after(() => engine.close());

  for (const [expression, values] of VALUES)
    it(`${expression} is ${JSON.stringify(values)}`, async () => {
      const { rows } = await engine.run(`SELECT ${expression} FROM events ORDER BY id`);
      expect(rows.map((row) => (row as readonly unknown[])[0])).to.deep.equal(values);
    });

  for (const [expression, words] of REFUSED)
    it(`${expression} is refused: ${words}`, async () => {
      const { code, detail } = await engine.failure(`SELECT ${expression} FROM events`);
      expect(code).to.equal('INVALID_QUERY');
      expect(detail).to.include(words);
    });

  it('what SUM and YEAR leave out is counted, of what the conditions ask for', async () => {
    const advice = 'TRY_CAST(id AS DOUBLE) IS NOT NULL leaves them out';
    const { rows, warnings } = await engine.run('SELECT SUM(id), MAX(YEAR(at)) FROM events');
    expect(rows).to.deep.equal([[null, 2024]]);
    expect(warnings).to.deep.equal([`2 values of id are no numbers, and count as NULL; ${advice}`]);
    const some = await engine.run("SELECT id + 1 FROM events WHERE at > '2024-12' AND n > 7");
    expect(some.warnings).to.deep.equal([`1 value of id is no number, and counts as NULL; ${advice}`]);
  });

  it('JSON_AGG makes a list', async () => {
    expect((await engine.run('SELECT JSON_AGG(n) FROM events')).rows).to.deep.equal([[[7, 8]]]);
  });
});
