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
  ["TO_CHAR(at, 'Month') || '|' || TO_CHAR(at, 'FMMonth,')", ['July     |July,', 'December |December,']],
  [
    "TO_CHAR(at, 'DAY dy MON, Q/YYYY D DD')",
    ['MONDAY    mon JUL, 3/2024 2 01', 'TUESDAY   tue DEC, 4/2024 3 31'],
  ],
  ['TO_CHAR(at, \'"D" HH12:MI am\')', ['D 10:30 pm', 'D 11:30 pm']],
  ["TO_CHAR(at, 'Q')", ['3', '4']],
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
  ["at AT TIME ZONE 'asia/Kolkata'", ['2024-07-02T04:00:00', '2025-01-01T05:00:00']],
  ["at AT TIME ZONE 'US/Pacific'", ['2024-07-01T15:30:00', '2024-12-31T15:30:00']],
  ["ARRAY_TO_STRING(ARRAY['a', NULL, 'c'], ',', '*')", ['a,*,c', 'a,*,c']],
  ["ARRAY_TO_STRING(ARRAY['a', NULL], ',', NULL)", ['a', 'a']],
  ['ARRAY_TO_STRING(tags, NULL)', [null, null]],
  [
    "STRING_TO_ARRAY('xx~~yy~~zz', '~~', 'yy')",
    [
      ['xx', null, 'zz'],
      ['xx', null, 'zz'],
    ],
  ],
  [
    "STRING_TO_ARRAY(id || 'é', NULL)",
    [
      ['a', 'é'],
      ['b', 'é'],
    ],
  ],
  ["STRING_TO_ARRAY('', NULL)", [[], []]],
  [
    "REGEXP_MATCH('foobarbequebaz', '(bar)(beque)')",
    [
      ['bar', 'beque'],
      ['bar', 'beque'],
    ],
  ],
  ["REGEXP_MATCH('foobarbequebaz', 'bar.*que')", [['barbeque'], ['barbeque']]],
  [
    "REGEXP_MATCH(id, '(?:(a)|(b))')",
    [
      ['a', null],
      [null, 'b'],
    ],
  ],
  ["REGEXP_MATCH(id, 'B', 'i')", [null, ['b']]],
  ["REGEXP_MATCH('a\nb', 'a.b')", [['a\nb'], ['a\nb']]],
  [
    "REGEXP_SPLIT_TO_ARRAY('the quick  brown', '\\s+')",
    [
      ['the', 'quick', 'brown'],
      ['the', 'quick', 'brown'],
    ],
  ],
  ["REGEXP_REPLACE('foobarbaz', 'b(..)', 'X\\1Y', 'g')", ['fooXarYXazY', 'fooXarYXazY']],
  ["REGEXP_REPLACE('foobarbaz', 'b..', '[\\&]', 'g')", ['foo[bar][baz]', 'foo[bar][baz]']],
  ["ENCODE('123\\\\'::bytea, 'hex')", ['3132335c5c', '3132335c5c']],
  ["ENCODE(DECODE('12ABcd00ff5c', 'hex'), 'base64')", ['EqvNAP9c', 'EqvNAP9c']],
  ["ENCODE(DECODE('410012ff5c', 'hex'), 'escape')", ['A\\000\x12\\377\\\\', 'A\\000\x12\\377\\\\']],
  ["ENCODE(DECODE('A\\000\\377\\\\', 'escape'), 'hex')", ['4100ff5c', '4100ff5c']],
  // Lines of 76 characters, broken even after the last where it is full.
  ["STRPOS(ENCODE(CONVERT_TO(REPEAT('x', 57), 'UTF8'), 'base64'), CHR(10))", [77, 77]],
  ["LENGTH(ENCODE(CONVERT_TO(REPEAT('x', 58), 'UTF8'), 'base64'))", [81, 81]],
  ["STRPOS(ENCODE(CONVERT_TO(REPEAT('x', 56), 'UTF8'), 'base64'), CHR(10))", [0, 0]],
  ["CONVERT_FROM(DECODE('Z3LD\nvMOf', 'base64'), 'UTF8')", ['grüß', 'grüß']],
  ["DECODE(NULL, 'hex')", [null, null]],
  [
    "JSONB_TYPEOF(tags) || JSON_TYPEOF('1.5') || JSON_TYPEOF('null') || JSON_TYPEOF(tags->0)",
    ['arraynumbernullstring', null],
  ],
  ['TO_JSONB(id)', ['a', 'b']],
];

const REFUSED: readonly (readonly [expression: string, words: string])[] = [
  ["at AT TIME ZONE 'Europe/Viena'", "did you mean 'Europe/Vienna'"],
  ["at AT TIME ZONE '+02:00'", "for example 'Europe/Paris'"],
  ["TO_CHAR(at, 'FMDDth')", 'double quotes'],
  ["TO_DATE(at, 'Month')", 'FMMonth'],
  ["TO_CHAR(n, '9CC')", 'double quotes'],
  ["LEFT(id, 'x')", 'LEFT takes a number as argument 2'],
  ["FROM_UNIXTIME(n, '%Y')", 'write STRFTIME'],
  ["JSON_BUILD_OBJECT('a')", 'names and values in turns'],
  ["SUBSTRING(id FROM 'a' FOR '#')", 'REGEXP_EXTRACT'],
  ['ARRAY_LENGTH(tags, 2)', 'dimension 1'],
  ["at AT TIME ZONE 'CET'", 'is an abbreviation'],
  ["at AT TIME ZONE 'bst'", 'is an abbreviation'],
  ["TO_CHAR(at, 'SSSS')", 'EPOCH'],
  ["REGEXP_MATCH(id, 'a', 'g')", 'takes no option g'],
  ["REGEXP_MATCHES(id, 'a', 'g')", 'REGEXP_MATCH gives'],
  ['REGEXP_MATCH(id, id)', 'The pattern of REGEXP_MATCH must be a text constant'],
  ["REGEXP_MATCH(id, '((((((((((a))))))))))')", 'at most 9 groups'],
  ["ENCODE(id, 'base32')", "one of 'base64', 'hex', 'escape'"],
  ["CONVERT_FROM(DECODE('ff', 'hex'), 'LATIN1')", "'utf8'"],
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

  const FAILING: readonly (readonly [expression: string, words: string])[] = [
    ["DECODE('abc', 'hex')", 'two for each byte'],
    ["DECODE('a-c', 'base64')", 'no base64'],
    ["DECODE('\\9', 'escape')", 'three octal digits'],
    ["REGEXP_SPLIT_TO_ARRAY('the quick', '\\s*')", 'matches nothing at all'],
    ['JSON_OBJECT_AGG(NULL, n)', 'a name in JSON_OBJECT_AGG is NULL'],
    ["JSONB_OBJECT_AGG('a', n)", 'comes twice'],
    // Each would be a megabyte, for every row.
    ["ARRAY_TO_STRING(ARRAY(SELECT g FROM generate_series(1, 500) g), REPEAT('x', 3000))", 'would come out'],
    [
      "ARRAY_TO_STRING(ARRAY(SELECT NULL FROM generate_series(1, 500)), '', REPEAT('x', 3000))",
      'would come out',
    ],
  ];
  for (const [expression, words] of FAILING)
    it(`${expression} fails: ${words}`, async () => {
      const { code, message, detail } = await engine.failure(`SELECT ${expression} FROM events`);
      expect(`${message} ${detail}`).to.include(words);
      expect(code).to.equal('EXECUTION_ERROR');
    });

  it('JSON_OBJECT_AGG makes a map', async () => {
    const sql =
      "SELECT JSON_OBJECT_AGG(id, n), JSONB_OBJECT_AGG(id, tags ORDER BY n DESC), JSON_OBJECT_AGG(id, n) FILTER (WHERE n > 9), JSON_OBJECT_AGG('k', n) FROM events";
    expect((await engine.run(sql)).json).to.equal(
      '[[{"a":7,"b":8},{"b":[],"a":["x",2]},null,{"k":7,"k":8}]]',
    );
  });

  it('JSON_AGG makes a list', async () => {
    expect((await engine.run('SELECT JSON_AGG(n) FROM events')).rows).to.deep.equal([[[7, 8]]]);
  });
});
