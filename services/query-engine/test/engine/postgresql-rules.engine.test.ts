/** Statements by PostgreSQL's rules: what it gives for them, each beside what they mean to us. */
import { expect } from 'chai';
import type { SqlRules } from '../../src/catalog/description.ts';
import { engineTable } from './shop.ts';
import { startTestEngine, type TestEngine } from './test-engine.ts';

const ITEMS = [
  { pk: { S: 'a' }, sk: { S: 'VALUE_1' }, n: { N: '1' }, tags: { L: [{ S: 'x' }, { S: 'y' }, { S: 'z' }] } },
  { pk: { S: 'a' }, sk: { S: 'VALUE_2' } },
  { pk: { S: 'a' }, sk: { S: 'VALUEx3' }, n: { N: '3' } },
  { pk: { S: 'a' }, sk: { S: 'a\\b' }, n: { N: '2' } },
];
const POSTGRESQL: SqlRules = { engine: 'postgresql', database: 'warehouse' };

const KEY = { partitionKey: { name: 'pk', type: 'S' }, sortKey: { name: 'sk', type: 'S' } } as const;

describe('statements by the rules of PostgreSQL', () => {
  let engine: TestEngine;
  before(async function () {
    this.timeout(60_000);
    engine = await startTestEngine([engineTable('values', KEY, ITEMS)]);
  });
  after(() => engine.close());

  const rowsBy = async (sql: string, rules?: SqlRules): Promise<unknown> => {
    const { rows } = await engine.run(sql.replace('$T', 'shop."values"'), {
      rules,
    });
    return rows;
  };
  it('name a table by their database, which no schema of ours is', async () => {
    const named = (table: string) => `SELECT sk FROM ${table} WHERE pk = 'a' AND sk = 'VALUE_1'`;
    for (const table of ['warehouse.shop."values"', '"warehouse"."shop"."values" AS v'])
      expect((await engine.run(named(table), { rules: POSTGRESQL })).rows, table).to.deep.equal([
        ['VALUE_1'],
      ]);
    const column = 'SELECT "values".sk FROM warehouse.shop."values" WHERE "values".sk = \'VALUE_1\'';
    expect((await engine.run(column, { rules: POSTGRESQL })).rows).to.deep.equal([['VALUE_1']]);
    expect((await engine.failure(named('elsewhere.shop."values"'), { rules: POSTGRESQL })).code).to.match(
      /NOT_FOUND/,
    );
    expect((await engine.failure(named('warehouse.shop."values"'))).code).to.match(/NOT_FOUND/);
  });

  /** What a statement gives by PostgreSQL's rules, and by ours. */
  const expectRows = async (sql: string, theirs: unknown, ours: unknown): Promise<void> => {
    expect(await rowsBy(sql, POSTGRESQL), sql).to.deep.equal(theirs);
    // By ours again: what is kept of the one does not answer the other.
    expect(await rowsBy(sql), sql).to.deep.equal(ours);
  };

  it('escape by the backslash in LIKE', async () => {
    const sql = "SELECT sk FROM $T WHERE pk = 'a' AND sk LIKE 'VALUE\\_%' ORDER BY sk";
    await expectRows(sql, [['VALUE_1'], ['VALUE_2']], []);
    await expectRows("SELECT sk FROM $T WHERE pk = 'a' AND sk LIKE 'a\\b'", [], [['a\\b']]);
    await expectRows("SELECT 'a%' LIKE 'a\\%', 'a_c' NOT LIKE 'a\\_c', 'A_C' ILIKE 'a\\_c'", [[true, false, true]], [[false, true, false]]); // oxfmt-ignore
    await expectRows("SELECT 'a%' LIKE 'a!%' ESCAPE '!'", [[true]], [[true]]);
    await expectRows("SELECT 'a_c' ~~ 'a\\_c'", [[true]], [[false]]);
    const failure = await engine.failure("SELECT 'a' LIKE 'a\\'", { rules: POSTGRESQL });
    expect(failure.message).to.equal('A pattern of LIKE cannot end in its escape character');
  });

  it('find the beginning of a key by LIKE, with a backslash or not', async () => {
    await engine.aws.clear();
    for (const pattern of ['VALUE\\_%', 'VALUE%'])
      await rowsBy(`SELECT sk FROM $T WHERE pk = 'a' AND sk LIKE '${pattern}'`, POSTGRESQL);
    for (const { operation, keyCondition } of await engine.aws.requests()) {
      expect(operation).to.equal('Query');
      expect(keyCondition).to.contain('begins_with');
    }
  });

  it('have seconds with their fraction', async () => {
    const of = (written: string): string => `SELECT ${written} FROM $T WHERE pk = 'a' AND sk = 'VALUE_1'`;
    const at = "'2024-02-29 10:05:01.123456'::timestamp";
    await expectRows(of(`extract(second FROM ${at}), date_part('seconds', ${at})`), [[1.123456, 1.123456]], [[1, 1]]);
    await expectRows(of(`extract(milliseconds FROM ${at}), date_part('millisecond', ${at})`), [[1123.456, 1123.456]], [[1123, 1123]]);
    await expectRows(of(`date_part('epoch', ${at})`), [[1709201101.123456]], [[1709201101]]);
    await expectRows(of(`(extract(epoch FROM ${at}) * 7)::text`), [['11964407707.864192']], [['11964407707.864193']]);
    await expectRows(of("(extract(epoch FROM interval '50 hours') / 86400)::text"), [['2.0833333333333333']], [['2.0833333333333335']]);
    await expectRows(of("extract(second FROM interval '-1.5 s'), date_part('epoch', interval '1 year 1.5 s')"), [[-1.5, 31557601.5]], [[-1, 31557602]]);
    await expectRows(of("date_part('epoch', '0001-01-01 00:00:00.000001'::timestamp)::text"), [['-62135596799.999999']], [['-62135596800']]);
    await expectRows(of("extract(second FROM '10:05:01.25'::time)"), [[1.25]], [[1]]);
    await expectRows(of("date_part('julian', '2024-02-29 18:00:00'::timestamp), date_part('day', '2024-02-29'::date)"), [[2460370.75, 29]], [[2460371, 29]]);
  }); // oxfmt-ignore

  it('have NULL above all values', async () => {
    await expectRows("SELECT n FROM $T WHERE pk = 'a' ORDER BY n", [[1], [2], [3], [null]], [[null], [1], [2], [3]]); // oxfmt-ignore
    await expectRows("SELECT n FROM $T WHERE pk = 'a' ORDER BY n DESC LIMIT 2", [[null], [3]], [[3], [2]]);
    await expectRows("SELECT n FROM $T WHERE pk = 'a' ORDER BY n NULLS FIRST LIMIT 1", [[null]], [[null]]);
    await expectRows(
      "SELECT sk, rank() OVER (ORDER BY n) FROM $T WHERE pk = 'a' ORDER BY sk LIMIT 2",
      [['VALUE_1', 1], ['VALUE_2', 4]],
      [['VALUE_1', 2], ['VALUE_2', 1]],
    ); // oxfmt-ignore
    await expectRows("SELECT string_agg(sk, ' ' ORDER BY n DESC) FROM $T WHERE pk = 'a'", [['VALUE_2 VALUEx3 a\\b VALUE_1']], [['VALUEx3 a\\b VALUE_1 VALUE_2']]); // oxfmt-ignore
  });

  it('read a partition in the order of its sort key, whatever is above what', async () => {
    for (const order of ['ASC', 'DESC']) {
      await engine.aws.clear();
      await rowsBy(`SELECT sk FROM $T WHERE pk = 'a' ORDER BY sk ${order} LIMIT 1`, POSTGRESQL);
      const [request, ...others] = await engine.aws.requests();
      expect(others).to.deep.equal([]);
      expect(request).to.include({ operation: 'Query', limit: 1 });
    }
  });

  describe('count elements of arrays from 1', () => {
    /** By PostgreSQL's rules, as PostgreSQL 15.18 answers; by ours. */
    const ARRAYS: readonly (readonly [expression: string, theirs: unknown, ours: unknown])[] = [
      ['(ARRAY[10, 20, 30])[1]', 10, 20],
      ['(ARRAY[10, 20, 30])[3]', 30, null],
      ['(ARRAY[10, 20, 30])[0]', null, 10],
      ['(ARRAY[10, 20, 30])[4 - v.n]', 30, null],
      ['(ARRAY[10, 20, 30])[v.n - 1]', null, 10],
      ['(ARRAY[10, 20, 30])[v.n - 2]', null, 30],
      ['(ARRAY[10, 20, 30]::int[])[2]', 20, 30],
      ['(ARRAY[ARRAY[1, 2], ARRAY[3, 4]])[1][2]', 2, null],
      ["(string_to_array('a,b,c', ','))[2]", 'b', 'c'],
      ["(regexp_match('abc', 'b(.)'))[1]", 'c', null],
      ["(regexp_split_to_array('a b', ' '))[1]", 'a', 'b'],
      ['(ARRAY(SELECT sk FROM $T ORDER BY sk))[1]', 'VALUE_1', 'VALUE_2'],
      ['(SELECT array_agg(sk ORDER BY sk) FROM $T)[2]', 'VALUE_2', 'VALUEx3'],
      ['(coalesce(ARRAY[1, 2], ARRAY[3]))[1]', 1, 2],
      ['(CASE WHEN v.n = 1 THEN ARRAY[1, 2] END)[1]', 1, 2],
      ['(SELECT q.l[1] FROM (SELECT array_agg(sk ORDER BY sk) AS l FROM $T) q)', 'VALUE_1', 'VALUE_2'],
      ['(SELECT l[v.n] FROM (SELECT ARRAY[7, 8] AS l) q)', 7, 8],
      ['(SELECT l[1] FROM (SELECT * FROM (SELECT ARRAY[7, 8] AS l) q) r)', 7, 8],
      ['(SELECT m[1] FROM (SELECT l FROM (SELECT ARRAY[7, 8]) q(l)) r(m))', 7, 8],
      ['(WITH c AS (SELECT ARRAY[7, 8] AS l) SELECT l[1] FROM c)', 7, 8],
      ['(SELECT max(l[1]) FROM (VALUES (ARRAY[7, 8])) q(l))', 7, 8],
      ['(SELECT max(l[1]) FROM (SELECT ARRAY[7, 8] AS l UNION ALL SELECT ARRAY[5, 9]) q)', 7, 9],
      ['array_length(ARRAY[1, 2, 3], 1)', 3, 3],
      ["array_length(string_to_array('', ','), 1)", null, null],
      ['(SELECT array_length(array_agg(sk), 1) FROM $T)', 4, 4],
      // Of a document, PostgreSQL counts from 0 too.
      ['v.tags[1]', 'y', 'y'],
      ['(SELECT t[1] FROM (SELECT v.tags AS t) q)', 'y', 'y'],
      ['(jsonb_build_array(1, 2))[1]', 2, 2],
      ['(SELECT (jsonb_agg(sk ORDER BY sk))[0] FROM $T)', 'VALUE_1', 'VALUE_1'],
    ];
    for (const [written, theirs, ours] of ARRAYS)
      it(written, async () => {
        const sql = `SELECT ${written.replaceAll('$T', () => 'shop."values"')} FROM $T v WHERE pk = 'a' AND sk = 'VALUE_1'`;
        await expectRows(sql, [[theirs]], [[ours]]);
      });

    const SLICES: readonly (readonly [slice: string, theirs: readonly number[]])[] = [
      ['1:2', [10, 20]],
      ['2:', [20, 30]],
      [':2', [10, 20]],
      [':', [10, 20, 30]],
      ['0:1', [10]],
      ['-5:2', [10, 20]],
      ['2:9', [20, 30]],
      ['3:2', []],
      ['1:0', []],
      ['-3:-1', []],
      ['v.n : v.n', [10]],
      ['v.n - 1 : v.n', [10]],
      ['1 : v.n - 1', []],
      ['v.n + 1:', [20, 30]],
    ];
    for (const [slice, theirs] of SLICES)
      it(`[${slice}]`, async () => {
        const sql = `SELECT (ARRAY[10, 20, 30])[${slice}] FROM $T v WHERE pk = 'a' AND sk = 'VALUE_1'`;
        expect(await rowsBy(sql, POSTGRESQL)).to.deep.equal([[theirs]]);
      });

    it('refuse places that are computed by places: each would take several times as long as the one within', async () => {
      const nested = Array.from({ length: 40 }).reduce<string>((place) => `(ARRAY[1, 2])[${place}]`, 'v.n');
      const sliced = Array.from({ length: 40 }).reduce<string>((p) => `((ARRAY[1])[1 : ${p}])[v.n]`, 'v.n');
      for (const place of [nested, sliced, '(ARRAY[1])[(SELECT v.n)]', '(ARRAY[1])[1 : (SELECT v.n)]']) {
        const sql = `SELECT ${place} FROM shop."values" v WHERE pk = 'a'`;
        const { code, message } = await engine.failure(sql, { rules: POSTGRESQL });
        expect([code, message]).to.deep.equal([
          'INVALID_QUERY',
          'The place of an element cannot be computed by a place of another array, or by a subquery',
        ]);
      }
    });

    it('(array_agg(x ORDER BY y))[1:2][1]', async () => {
      const first = "SELECT ((array_agg(sk ORDER BY n DESC NULLS LAST))[1:2])[1] FROM $T WHERE pk = 'a'";
      expect(await rowsBy(first, POSTGRESQL)).to.deep.equal([['VALUEx3']]);
    });
  });

  describe('divide whole numbers to whole numbers, and DynamoDB’s exactly', () => {
    // What PostgreSQL 18 gives where n is numeric.
    for (const [written, theirs, ours] of [
      ['7 / 2', 3, 3.5],
      ['-7 / 2', -3, -3.5],
      ['7 / 2 * 2', 6, 7],
      ['7.0 / 2', 3.5, 3.5],
      ['n / 2', 1.5, 1.5],
      ['n::int / 2', 1, 1.5],
      ['count(*) OVER () / 2', 0, 0.5],
      ['length(sk) / 4', 1, 1.75],
      ['(CASE WHEN n = 3 THEN 1 ELSE 0 END) / 2', 0, 0.5],
      ['7 / (SELECT count(*) FROM $T)', 1, 1.75],
      ['COALESCE(7, NULL) / 2', 3, 3.5],
      ['abs(-7) / 2.0', 3.5, 3.5],
    ] as const)
      it(written, async () => {
        const sql = `SELECT ${written.replaceAll('$T', () => 'shop."values"')} FROM $T v WHERE pk = 'a' AND n = 3`;
        await expectRows(sql, [[theirs]], [[ours]]);
      });

    it('in aggregates and conditions', async () => {
      const share = "SELECT sum(CASE WHEN n > 1 THEN 1 ELSE 0 END) / count(*) FROM $T WHERE pk = 'a'";
      await expectRows(share, [[0]], [[0.5]]);
      await expectRows("SELECT sum(n) / count(*) FROM $T WHERE pk = 'a' AND n < 3", [[1.5]], [[1.5]]);
      await expectRows("SELECT count(*) FROM $T WHERE pk = 'a' AND n > 5 / 2", [[1]], [[1]]);
      await expectRows("SELECT count(*) FROM $T WHERE pk = 'a' AND n >= 5 / 2", [[2]], [[1]]);
      await expectRows(
        "SELECT count(*) FROM $T WHERE pk = 'a' GROUP BY length(sk) / 4 ORDER BY length(sk) / 4 LIMIT 1",
        [[1]],
        [[1]],
      );
    });
  });

  describe('refuse to divide by zero', () => {
    const AT = "FROM $T v WHERE pk = 'a' AND n = 3";
    const failure = async (sql: string): Promise<string> => {
      const { code, message } = await engine.failure(
        sql.replaceAll('$T', () => 'shop."values"'),
        {
          rules: POSTGRESQL,
        },
      );
      return `${code} ${message}`;
    };
    for (const written of [
      ...[
        '1 / 0',
        'n / 0',
        'n % 0',
        'mod(n, 0)',
        'div(n, 0)',
        'n / (n - 3)',
        'n % (n - 3)',
        'n::int / (n::int - 3)',
      ],
      ...[
        'n::float8 / 0',
        'n::float8 / (n - 3)::float8',
        '(n * 2 + 1) / (n - 3)',
        'mod(n + 1, n - 3)',
        'div(n, n - 3)',
      ],
      ...[
        "INTERVAL '1 day' / (n - 3)",
        'sum(n) OVER () / (n - 3)',
        '(n - 3) / (n - 3)',
        '1 / (1 / (n * 100))::int',
      ],
    ])
      // oxfmt-ignore
      it(written, async () => {
        expect(await failure(`SELECT ${written} ${AT}`)).to.equal('EXECUTION_ERROR division by zero');
        expect(await rowsBy(`SELECT ${written} ${AT}`)).to.deep.equal([[null]]);
      });
    it('in a condition, a join, an aggregate, and the order of rows', async () => {
      for (const sql of [
        "SELECT sk FROM $T WHERE pk = 'a' AND n / (n - 3) > 1",
        "SELECT sum(n / (n - 3)) FROM $T WHERE pk = 'a'",
        "SELECT sum(n) / count(NULLIF(n, n)) FROM $T WHERE pk = 'a'",
        'SELECT a.sk FROM $T a JOIN $T b ON a.n / (b.n - 3) = 1',
        "SELECT sk FROM $T WHERE pk = 'a' ORDER BY 1 / (n - 3)",
        "SELECT 1 / (n - 3), count(*) FROM $T WHERE pk = 'a' GROUP BY 1",
      ])
        expect(await failure(sql), sql).to.equal('EXECUTION_ERROR division by zero');
    });

    for (const [written, value] of [
      ['NULL / 0', null],
      ['NULL % 0', null],
      ['mod(NULL, 0)', null],
      ['NULLIF(n, 3) / (n - 3)', null],
      ['n / NULL', null],
      ['n / NULLIF(n - 3, 0)', null],
      ['n % NULLIF(0, 0)', null],
      ['CASE WHEN n <> 3 THEN 1 / (n - 3) ELSE 5 END', 5],
      ['CASE n WHEN 3 THEN 5 ELSE 1 / (n - 3) END', 5],
      ['COALESCE(n, 1 / (n - 3))', 3],
      ['n / 2', 1.5],
      ['n / (n - 1)', 1.5],
      ['(n * 4 + 0) / (n - 1) / (n - 1)', 3],
      ['12 / n / n / n / n * 27', 4],
      ['mod(7, n)', 1],
      ['7 % n', 1],
      ['div(7, n)', 2],
    ] as const)
      it(`but not ${written}`, async () =>
        expect(await rowsBy(`SELECT ${written} ${AT}`, POSTGRESQL)).to.deep.equal([[value]]));

    for (const [sql, rows] of [
      ["SELECT 6 / (n - 3) FROM $T WHERE pk = 'a' AND n <> 3 ORDER BY n", [[-3], [-6]]],
      ["SELECT n FROM $T WHERE pk = 'a' AND n <> 3 AND 6 / (n - 3) < -3", [[2]]],
      ["SELECT n FROM $T WHERE pk = 'a' AND (n = 3 OR 6 / (n - 3) < -3) ORDER BY n", [[2], [3]]],
      ["SELECT n FROM (SELECT n FROM $T WHERE pk = 'a' AND n <> 3) q WHERE 6 / (n - 3) < -3", [[2]]],
      ["SELECT sum(6 / (n - 3)) FROM $T WHERE pk = 'a' AND n <> 3", [[-9]]],
      ["SELECT sum(6 / (n - 3)) FILTER (WHERE n <> 3) FROM $T WHERE pk = 'a'", [[-9]]],
      [
        "SELECT n, sum(1) / (n - 3) FROM $T WHERE pk = 'a' GROUP BY n HAVING n < 3 ORDER BY n",
        [
          [1, -0.5],
          [2, -1],
        ],
      ],
      [
        "SELECT string_agg(sk, ' ' ORDER BY 6 / (n - 3)) FILTER (WHERE n <> 3) FROM $T WHERE pk = 'a'",
        [['a\\b VALUE_1']],
      ],
      ['SELECT a.n FROM shop."values" a JOIN $T b ON a.n = b.n WHERE b.n <> 3 AND 6 / (a.n - 3) < -3', [[2]]],
      [
        "WITH q AS (SELECT n, 6 / (n - 3) AS x FROM $T WHERE pk = 'a' AND n < 3) SELECT x FROM q WHERE x < -3",
        [[-6]],
      ],
    ] as const)
      // oxfmt-ignore
      it(`nor of rows that are kept out: ${sql}`, async () =>
        expect(await rowsBy(sql, POSTGRESQL)).to.deep.equal(rows));
  });

  describe('find places in arrays and buckets', () => {
    // What PostgreSQL 18 gives.
    for (const [written, theirs] of [
      ['array_position(ARRAY[5, 3, 7], n)', 2],
      ['array_position(ARRAY[5, 3, 7], 8)', null],
      ["array_position(ARRAY['a', 'b', 'a'], 'a')", 1],
      ["array_position(ARRAY['a', 'b', 'a'], 'a', 2)", 3],
      ["array_position(ARRAY['a', 'b', 'a'], 'a', 4)", null],
      ["array_position(ARRAY['a', 'b', 'a'], 'b', -3)", 2],
      ["array_position(ARRAY['a', NULL], NULL)", 2],
      ["array_position(ARRAY['x', 'VALUEx3'], sk)", 2],
      ["array_position('{1,2,3}'::int[], '2')", 2],
      ["array_position(string_to_array('a,b', ','), 'b') / 2", 1],
      ["array_position(NULL::text[], 'b')", null],
      ['array_position((SELECT array_agg(sk ORDER BY sk) FROM $T), sk)', 3],
      ['array_position(ARRAY[1.50, 2], 1.5)', 1],
      ['width_bucket(5.35, 0.024, 10.06, 5)', 3],
      ['width_bucket(n, 0, 10, 5)', 2],
      ['width_bucket(n, 10, 0, 5)', 4],
      ['width_bucket(n, 3, 10, 5)', 1],
      ['width_bucket(n, 0, 3, 5)', 6],
      ['width_bucket(n, 4, 10, 5)', 0],
      ['width_bucket(n, 3, 0, 5)', 1],
      ['width_bucket(n, 10, 3, 5)', 6],
      ['width_bucket(n::float8, 0, 3.0000001, 3)', 3],
      ['width_bucket(0.3::float8, 0, 1, 10)', 4],
      ['width_bucket(n * 2 + n * 2 - 1 - 1 - 1 - 1 - 1 - 1, 0, 10, 5)', 4],
      ['width_bucket(NULLIF(n, 3), 0, 10, 5)', null],
      ['width_bucket(n, 0, 10, NULLIF(5, 5))', null],
      ['width_bucket(n, ARRAY[1, 3, 5])', 2],
      ['width_bucket(n, ARRAY[4, 5])', 0],
      ['width_bucket(n, ARRAY[1, 2])', 2],
      ['width_bucket(NULLIF(n, 3), ARRAY[1, 2])', null],
    ] as const)
      it(written, async () => {
        const sql = `SELECT ${written.replaceAll('$T', () => 'shop."values"')} FROM $T v WHERE pk = 'a' AND n = 3`;
        expect(await rowsBy(sql, POSTGRESQL)).to.deep.equal([[theirs]]);
      });
    it('from 0 by our rules, as subscripts do', async () =>
      expect(await rowsBy("SELECT array_position(tags, 'y'), array_position(tags, 'y', 2) FROM $T WHERE pk = 'a' AND n = 1")).to.deep.equal([[1, null]])); // oxfmt-ignore

    for (const [written, error] of [
      [
        "array_position(tags, 'y')",
        'INVALID_QUERY ARRAY_POSITION takes an array, and this is a list of a document or no list',
      ],
      [
        'width_bucket(n, 0, 10, 0)',
        'EXECUTION_ERROR Invalid value: WIDTH_BUCKET: count must be greater than zero',
      ],
      [
        'width_bucket(n, 1, 1, 5)',
        'EXECUTION_ERROR Invalid value: WIDTH_BUCKET: lower bound cannot equal upper bound',
      ],
      [
        'width_bucket(n, ARRAY[3, 1])',
        'INVALID_QUERY The thresholds of WIDTH_BUCKET must be a list of constant numbers, the least first',
      ],
      ['width_bucket(n, 1, 2)', 'INVALID_QUERY WIDTH_BUCKET takes 2 or 4 arguments, not 3'],
      [
        "array_position(ARRAY['a'], 'a', NULL::int)",
        'EXECUTION_ERROR Invalid value: ARRAY_POSITION: the place to begin at is NULL',
      ],
    ] as const)
      // oxfmt-ignore
      it(`refuse ${written}`, async () => {
        const sql = `SELECT ${written} FROM shop."values" v WHERE pk = 'a' AND n = 1`;
        const { code, message } = await engine.failure(sql, { rules: POSTGRESQL });
        expect(`${code} ${message}`).to.equal(error);
      });
  });

  describe('carry arrays through WITH RECURSIVE', () => {
    // From 1 over 3 and 2 round again.
    const walk = (columns: string, more: string, guard: string): string =>
      `WITH RECURSIVE w AS (SELECT n, ${columns} FROM $T WHERE pk = 'a' AND n = 1 UNION ALL ` +
      `SELECT v.n, ${more} FROM $T v JOIN w ON v.pk = 'a' AND v.n = (w.n + 1) % 3 + 1 WHERE ${guard})`;
    const PATHS = [
      [1, [1]],
      [2, [1, 3, 2]],
      [3, [1, 3]],
    ];
    for (const [more, guard] of [
      ['path || v.n', 'NOT v.n = ANY(path)'],
      ['w.path || ARRAY[v.n]', 'v.n <> ALL(w.path)'],
      ['array_append(path, v.n)', 'array_position(path, v.n) IS NULL'],
      ['array_cat(path, ARRAY[v.n])', 'NOT path @> ARRAY[v.n]'],
      ['array_prepend(v.n, path)', 'NOT v.n = ANY(path)'],
    ] as const)
      it(`${more}, ${guard}`, async () => {
        const sql = `${walk('ARRAY[n] AS path', more, guard)} SELECT n, path FROM w ORDER BY n`;
        const isBefore = more.startsWith('array_prepend');
        expect(
          await rowsBy(
            sql.replaceAll('$T', () => 'shop."values"'),
            POSTGRESQL,
          ),
        ).to.deep.equal(PATHS.map(([n, path]) => [n, isBefore ? (path as number[]).toReversed() : path]));
      });
    it('of texts, with a flag of the cycle, elements and lengths, in the order of the arrays', async () => {
      const sql =
        `${walk('ARRAY[sk] AS path, false AS cycle', 'path || v.sk, v.sk = ANY(path)', 'NOT cycle')} ` +
        'SELECT path[1] AS first, path[array_length(path, 1)] AS last, cardinality(path), cycle FROM w ORDER BY path DESC';
      expect(
        await rowsBy(
          sql.replaceAll('$T', () => 'shop."values"'),
          POSTGRESQL,
        ),
      ).to.deep.equal([
        ['VALUE_1', 'VALUE_1', 4, true],
        ['VALUE_1', 'a\\b', 3, false],
        ['VALUE_1', 'VALUEx3', 2, false],
        ['VALUE_1', 'VALUE_1', 1, false],
      ]);
    });
    // What PostgreSQL 18 gives where n is 3.
    for (const [written, theirs] of [
      ["ARRAY['x'] || sk", ['x', 'VALUEx3']],
      ["sk || ARRAY['x']", ['VALUEx3', 'x']],
      ["ARRAY['x'] || '{y,z}'", ['x', 'y', 'z']],
      ['ARRAY[1] || NULL', [1]],
      ['ARRAY[1, 2] || n || 4', [1, 2, 3, 4]],
      ['ARRAY[1] || NULLIF(n, 3)', [1, null]],
      ["array_append(ARRAY['x'], NULL)", ['x', null]],
      ["array_to_string(array_append(ARRAY['x'], sk), '>')", 'x>VALUEx3'],
      ["'a' || n", 'a3'],
    ] as const)
      it(written, async () =>
        expect(await rowsBy(`SELECT ${written} FROM $T WHERE pk = 'a' AND n = 3`, POSTGRESQL)).to.deep.equal([
          [theirs],
        ]),
      );
    it('sort arrays by their elements, the shorter before the longer', async () => {
      const arrays =
        "(VALUES (ARRAY[10]), (ARRAY[9, 1]), (ARRAY[9]), (NULL), (ARRAY[9, NULL])) AS a(l), $T WHERE pk = 'a' AND n = 3";
      for (const [order, rows] of [
        ['l', [[9], [9, 1], [9, null], [10], null]],
        ['l DESC', [null, [10], [9, null], [9, 1], [9]]],
        ["1", [[9], [9, 1], [9, null], [10], null]],
        ["l || 0", [null, [9], [9, 1], [9, null], [10]]],
      ] as const)
        expect(await rowsBy(`SELECT l FROM ${arrays} ORDER BY ${order}`, POSTGRESQL), order).to.deep.equal(rows.map((one) => [one])); // oxfmt-ignore
      expect(await rowsBy(`SELECT json_agg(l ORDER BY l), max(row) FROM (SELECT l, row_number() OVER (ORDER BY l) AS row FROM ${arrays}) q WHERE l IS NOT NULL`, POSTGRESQL)).to.deep.equal([[[[9], [9, 1], [9, null], [10]], 4]]); // oxfmt-ignore
    });
    it('refuse what PostgreSQL would take for something else', async () => {
      for (const [written, error] of [
        ["ARRAY['x'] || 'y'", 'malformed array literal'],
        ["ARRAY['x'] || $1", 'A parameter beside an array needs a type'],
      ] as const)
        expect((await engine.failure(`SELECT ${written} FROM shop."values"`, { rules: POSTGRESQL, parameters: ['y'] })).message).to.equal(error); // oxfmt-ignore
    });
  });

  describe('write numbers by formats', () => {
    // What PostgreSQL 18 gives where n is numeric, and -1234.5 or 0.005.
    for (const [format, theirs] of [
      ['9999.99', '-1234.50| 3.00| .01'],
      ['FM999,990.00', '-1,234.50|3.00|0.01'],
      ['9G999D9', '-1,234.5| 3.0| .0'],
      ['999', '-###| 3| 0'],
      ['S9999', '-1235| +3| +0'],
      ['9999MI', '1235-| 3 | 0 '],
      ['9999.9PR', '<1234.5>| 3.0 | .0 '],
      ['L0000', '  -1235|  0003|  0000'],
      ['FM9990.099', '-1234.5|3.0|0.005'],
      ['FMRN', '###############|III|###############'],
      ['9999V9', '-12345| 30| 0'],
      ['9th', '-#| 3rd| 0th'],
      ['"n = "FM9999.', 'refused'],
    ] as const)
      it(format, async () => {
        const written = (value: string): string => `to_char(${value}, '${format}')`;
        const all = ['n - 1237.5', 'n', 'n / 600'].map(written).join(", '|', ");
        const sql = `SELECT concat(${all}) FROM shop."values" WHERE pk = 'a' AND n = 3`;
        if (theirs === 'refused')
          expect((await engine.failure(sql, { rules: POSTGRESQL })).message).to.match(
            /^The format of TO_CHAR has a part/,
          );
        else {
          const rows = (await rowsBy(sql, POSTGRESQL)) as readonly (readonly string[])[];
          // Spaces are held by the test beside PostgreSQL.
          expect(rows[0]?.[0]?.replaceAll(/ +/g, ' ')).to.equal(theirs.replaceAll(/ +/g, ' '));
        }
      });
    it('of a DOUBLE, a text, a time', async () => {
      const one = "FROM $T WHERE pk = 'a' AND n = 3";
      expect(await rowsBy(`SELECT to_char(n::float8 / 7, '9.999EEEE'), to_char(0.125::float8, '0.99') ${one}`, POSTGRESQL)).to.deep.equal([[' 4.286e-01', ' 0.12']]); // oxfmt-ignore
      for (const [written, code] of [
        ["to_char(n, '9.99EEEE')", 'TYPE_ERROR'],
        ["to_char(sk, '9.99')", 'TYPE_ERROR'],
        ["to_char(1e20::float8, '9.99')", 'EXECUTION_ERROR'],
        ["to_char(n, 'YYYY')", 'TYPE_ERROR'],
        ['to_char(n, sk)', 'INVALID_QUERY'],
      ] as const)
        expect(
          (
            await engine.failure(`SELECT ${written} FROM shop."values" WHERE pk = 'a' AND n = 3`, {
              rules: POSTGRESQL,
            })
          ).code,
          written,
        ).to.equal(code);
    });
  });

  describe('read truth values', () => {
    for (const [text, value] of [
      ...['t', 'TRUE', 'tr', 'y', ' Yes ', 'on', 'oN', '1'].map((text) => [text, true] as const),
      ...['f', 'fals', 'False', 'n', 'no', 'of', 'OFF', '0', '\t0\n'].map((text) => [text, false] as const),
      ...['', 'o', 'yess', '2', 'maybe'].map((text) => [text, null] as const),
    ])
      it(JSON.stringify(text), async () => {
        // As a constant, and as a value that is computed.
        for (const written of [`'${text}'`, `replace('${text}' || n, '3', '')`]) {
          const sql = `SELECT ${written}::boolean FROM shop."values" WHERE pk = 'a' AND n = 3`;
          if (value !== null) expect(await rowsBy(sql, POSTGRESQL), sql).to.deep.equal([[value]]);
          else
            expect((await engine.failure(sql, { rules: POSTGRESQL })).message, sql).to.match(
              /^Conversion failed: Could not convert string/,
            );
        }
      });
    it('of what is none of texts, as ever', async () =>
      expect(await rowsBy("SELECT (n > 1)::bool, 2::boolean, NULL::boolean, count(*) FILTER (WHERE 'on'::bool) OVER () FROM $T WHERE pk = 'a' AND n = 3", POSTGRESQL)).to.deep.equal([[true, true, null, 1]])); // oxfmt-ignore
  });

  describe('take whole rows', () => {
    const ROW = { pk: 'a', sk: 'VALUE_1', n: 1, tags: ['x', 'y', 'z'] };
    for (const [sql, rows] of [
      ['SELECT row_to_json(v) FROM $T v WHERE n = 1', [[ROW]]],
      ["SELECT to_json(v)->>'sk', to_jsonb(v)->'n' FROM $T v WHERE n = 1", [['VALUE_1', 1]]],
      ['SELECT row_to_json("values") FROM $T WHERE n = 3', [[{ pk: 'a', sk: 'VALUEx3', n: 3, tags: null }]]],
      [
        'SELECT json_agg(q ORDER BY sk) FROM (SELECT sk, n FROM $T WHERE n > 1) q',
        [
          [
            [
              { sk: 'VALUEx3', n: 3 },
              { sk: 'a\\b', n: 2 },
            ],
          ],
        ],
      ],
      [
        'SELECT to_json(q) FROM (SELECT sk AS "a b", n * 2 AS m FROM $T WHERE n = 1) AS q',
        [[{ 'a b': 'VALUE_1', m: 2 }]],
      ],
      [
        'SELECT a.n, to_json(b) FROM $T a LEFT JOIN shop."values" b ON b.n = a.n AND b.n > 2 WHERE a.n > 1 ORDER BY 1',
        [
          [2, null],
          [3, { pk: 'a', sk: 'VALUEx3', n: 3, tags: null }],
        ],
      ],
      ["SELECT (SELECT to_json(v)->>'sk') FROM $T v WHERE n = 1", [['VALUE_1']]],
      // A column of that name is meant before.
      ['SELECT to_json(n) FROM $T n WHERE n.n = 1', [[1]]],
    ] as const)
      // oxfmt-ignore
      it(sql, async () => expect(await rowsBy(sql, POSTGRESQL)).to.deep.equal(rows));
    it('with names of a jsonb in its order', async () => {
      const sql = 'SELECT to_jsonb(v)::text, row_to_json(v)::text FROM $T v WHERE n = 1';
      expect(await rowsBy(sql, POSTGRESQL)).to.deep.equal([
        ['{"n":1,"pk":"a","sk":"VALUE_1","tags":["x","y","z"]}', '{"pk":"a","sk":"VALUE_1","n":1,"tags":["x","y","z"]}'],
      ]); // oxfmt-ignore
    });
    it('but not of joined subqueries, and nothing else', async () => {
      for (const [written, error] of [
        [
          'to_json(q) FROM $T v JOIN (SELECT 1 AS x) q ON true',
          'A whole row of a subquery that is joined cannot be taken',
        ],
        ["row_to_json('a') FROM $T", 'ROW_TO_JSON takes the alias of a table'],
      ] as const)
        // oxfmt-ignore
        expect(
          (await engine.failure(`SELECT ${written.replace('$T', () => 'shop."values"')}`, { rules: POSTGRESQL }))
            .message,
        ).to.equal(error);
    });
  });

  describe('have other names', () => {
    for (const [written, theirs, ours] of [
      ['2 ^ 10', 1024, 8],
      ['to_hex(255)', 'ff', 'FF'],
      ["substr('banana', -1, 3)", 'b', 'a'],
      ["date_trunc('century', '2024-02-29'::timestamp)", '2001-01-01T00:00:00', '2000-01-01T00:00:00'],
      ['round(2.5::float8)', 2, 3],
      ["'[1, 2]'::jsonb = '[1,2]'::jsonb", true, false],
      [
        "sha256('a'::bytea)",
        'ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs=',
        'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb',
      ],
    ] as const)
      // oxfmt-ignore
      it(written, () => expectRows(`SELECT ${written} FROM $T WHERE n = 1`, [[theirs]], [[ours]]));
    it('and refuse what would be another value without a word', async () => {
      for (const [written, error] of [
        ["'NaN'::float8", 'NaN and infinities are no numbers of tables'],
        ["'-Infinity'::numeric", 'NaN and infinities are no numbers of tables'],
        ['ARRAY[n, 2]::text', 'An array cannot be cast to text'],
      ] as const)
        expect(
          (await engine.failure(`SELECT ${written} FROM shop."values"`, { rules: POSTGRESQL })).message,
        ).to.equal(error);
    });
  });

  it('round times with a zone as those without, in both ways to write that', async () => {
    for (const type of ['timestamptz(3)', 'timestamp(3) with time zone'])
      expect(
        await rowsBy(
          `SELECT '2026-01-02T03:04:05.6789Z'::${type} FROM $T WHERE pk = 'a' AND n = 3`,
          POSTGRESQL,
        ),
      ).to.deep.equal([['2026-01-02T03:04:05.679Z']]);
  });

  it('name columns that have no name', async () => {
    const sql =
      'SELECT count(*), sum(n), max(sk)::text, 1, n.count FROM shop."values" v, (SELECT count(*) FROM shop."values") n GROUP BY n.count ORDER BY sum';
    const { columns } = await engine.run(sql, { rules: POSTGRESQL });
    expect(columns).to.deep.equal(['count', 'sum', 'max', '?column?', 'count']);
    expect((await engine.run('SELECT count(*) FROM shop."values"')).columns).to.deep.equal(['count(*)']);
  });
});
