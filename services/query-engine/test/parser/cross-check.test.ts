import { expect } from 'chai';
import { threadMs } from '../../../common/test/support/thread-time.ts';
import { toDuckDbText } from '../../src/parser/cross-check/duckdb-text.ts';
import { compareTrees, crossCheck, type SerializeSql } from '../../src/parser/cross-check.ts';
import { SqlSyntaxError } from '../../src/parser/errors.ts';
import { parse } from '../../src/parser/parse.ts';
import { print } from '../../src/parser/print.ts';
import { openSerializer } from './duckdb-serializer.ts';
import { refusalOf } from './refusal.ts';

describe('the cross-check', () => {
  let serialize: SerializeSql;
  let close: () => void;
  before(async () => ({ serialize, close } = await openSerializer()));
  after(() => close());

  const compare = async (original: string, printed: string): Promise<string> =>
    (await compareTrees(await serialize(original), await serialize(printed))).kind;

  it('agrees where only the spelling differs', async () => {
    for (const [original, printed] of [
      ['SELECT (a AND b) AND c', 'SELECT a AND b AND c'],
      ["SELECT a['b'].c, tags[0]['x']", 'SELECT a."b".c, tags[0]."x"'],
      ['SELECT 1 FROM t ORDER BY a ASC LIMIT ALL', 'SELECT 1 FROM t ORDER BY a'],
      ['SELECT 1 FROM t FETCH FIRST 3 ROWS ONLY', 'SELECT 1 FROM t LIMIT 3'],
      ['SELECT ?, ?', 'SELECT $1, $2'],
      ['SELECT TRIM(LEADING a FROM b), SUBSTRING(a FOR 2)', 'SELECT LTRIM(b, a), SUBSTRING(a, 1, 2)'],
      ['SELECT a, b FROM t, u', 'SELECT a, b FROM t CROSS JOIN u'],
      [
        "SELECT timestamp with time zone '2024-01-01 00:00:00.000Z', timestamp without time zone '2024-01-01'",
        "SELECT TIMESTAMPTZ '2024-01-01 00:00:00.000Z', TIMESTAMP '2024-01-01'",
      ],
      ['SELECT ARRAY[1], current_date()', 'SELECT LIST_VALUE(1), CURRENT_DATE'],
      ['SELECT sum(a) OVER w FROM t WINDOW w AS (ORDER BY b)', 'SELECT sum(a) OVER (ORDER BY b) FROM t'],
      ['SELECT 1 FROM a JOIN b JOIN c ON x ON y', 'SELECT 1 FROM a JOIN (b JOIN c ON x) ON y'],
      ['SELECT 1 FROM a LEFT JOIN b CROSS JOIN c ON x', 'SELECT 1 FROM a LEFT JOIN (b CROSS JOIN c) ON x'],
      [
        'SELECT a FROM t WINDOW w AS (ORDER BY b) ORDER BY sum(a) OVER w',
        'SELECT a FROM t ORDER BY sum(a) OVER (ORDER BY b)',
      ],
      ['WITH x AS MATERIALIZED (SELECT 1) SELECT 2 FROM x', 'WITH x AS (SELECT 1) SELECT 2 FROM x'],
      ['SELECT 1E400, EXTRACT(epoch FROM a)', 'SELECT 1e400, EXTRACT(EPOCH FROM a)'],
    ] as const) {
      expect(await compare(original, printed), original).to.equal('Agreed');
    }
  });

  it('disagrees where the meaning differs', async () => {
    for (const [original, printed] of [
      ['SELECT a OR b AND c', 'SELECT (a OR b) AND c'],
      ['SELECT a - b - c', 'SELECT a - (b - c)'],
      ['SELECT 9007199254740993', 'SELECT 9007199254740992'],
      ['SELECT 0.30000000000000004', 'SELECT 0.3'],
      ["SELECT 'a'", "SELECT 'a '"],
      ['SELECT "a.b"', 'SELECT a.b'],
      ['SELECT a', 'SELECT a AS b'],
      ['SELECT 1 UNION SELECT 2', 'SELECT 1 UNION ALL SELECT 2'],
      ['SELECT 1 FROM t ORDER BY a DESC', 'SELECT 1 FROM t ORDER BY a'],
      ['SELECT 1 FROM t LIMIT 3', 'SELECT 1 FROM t'],
      ['SELECT 1 FROM a LEFT JOIN b USING (c)', 'SELECT 1 FROM a JOIN b USING (c)'],
      ['SELECT tags[0]', 'SELECT tags[1]'],
      ['SELECT ?, ?', 'SELECT $2, $1'],
      ['SELECT x FROM t', 'SELECT x FROM T2'],
      ['SELECT COUNT(a)', 'SELECT COUNT(DISTINCT a)'],
      ['SELECT 1 FROM s.t.i', 'SELECT 1 FROM s.t i'],
      ['SELECT 1 FROM s.t.i', 'SELECT 1 FROM s.i.t'],
      ["SELECT 'Infinity'", 'SELECT 1E400'],
    ] as const) {
      expect(await compare(original, printed), original).to.equal('Disagreed');
    }
  });

  it('finds a tree that is not of the text, and says where', async () => {
    const outcome = await crossCheck(
      'SELECT a FROM t WHERE b = 1',
      parse('SELECT a FROM t WHERE b = 2'),
      serialize,
    );
    expect(outcome.kind).to.equal('Disagreed');
    expect(outcome.kind === 'Disagreed' && outcome.where).to.match(/where_clause/);
  });

  it('reads aliases without AS that are keywords to DuckDB, but no word that belongs to an expression', async () => {
    const sql = 'SELECT a value, b /* AS */ key, c AS name, d "x" FROM t';
    expect(await crossCheck(sql, parse(sql), serialize)).to.deep.equal({ kind: 'Agreed' });
    const interval = "SELECT INTERVAL '1' DAY";
    const misread = parse("SELECT INTERVAL '1' AS DAY");
    expect(await crossCheck(interval, misread, serialize)).to.have.property('kind', 'Disagreed');
  });

  it('gives DuckDB no comments, in which its parser is quadratic', async () => {
    // 9.4 and 14 seconds of a core before they went.
    for (const comments of ['/**/'.repeat(16_000), '/*'.repeat(16_000) + '*/'.repeat(16_000)]) {
      const sql = `SELECT a ${comments}, 'b'--\n 'c' FROM t`;
      const before = process.cpuUsage();
      expect(await crossCheck(sql, parse(sql), serialize)).to.deep.equal({ kind: 'Agreed' });
      expect(process.cpuUsage(before).user / 1000).to.be.below(1_500);
    }
    expect(toDuckDbText("SELECT 1/* /* */ ' */+2 -- :a\n, '--' \"/**/\"")).to.equal(
      'SELECT 1 +2  \n, \'--\' "/**/"',
    );
  });

  it('compares the trees of a long statement at once, whether they are spelled alike or not', async () => {
    const ands = Array.from({ length: 2_400 }, (_, i) => `a${i} = ${i}`).join(' AND ');
    const printed = await serialize(`SELECT id FROM t WHERE ${ands} ORDER BY id`);
    for (const original of [
      `select id from t\nwhere ${ands} order by id`,
      `SELECT id FROM t WHERE ${ands} ORDER BY id ASC`,
    ]) {
      const tree = await serialize(original);
      const times: number[] = [];
      for (let round = 0; round < 5; round++) {
        const started = threadMs();
        expect(await compareTrees(tree, printed)).to.deep.equal({ kind: 'Agreed' });
        times.push(threadMs() - started);
      }
      // 1 and 25 milliseconds where it was written, in steps; 95 in one before.
      expect(Math.min(...times)).to.be.below(150);
    }
  });

  it('finds a digit or a number that differs in a tree that JavaScript would round', async () => {
    for (const [original, printed] of [
      ['SELECT 1e300, 9007199254740993', 'SELECT 1e300, 9007199254740992'],
      ['SELECT 170141183460469231731687303715884105727', 'SELECT 170141183460469231731687303715884105726'],
      ['SELECT \'"value":1e400,\', 1e400', 'SELECT \'"value":1e400,\', -1e400'],
      ['SELECT 0.1e0', 'SELECT 0.10000000000000001e1'],
    ] as const) {
      expect(await compare(original, original), original).to.equal('Agreed');
      expect(await compare(original, printed), original).to.equal('Disagreed');
    }
  });

  it('finds the AS before an alias in linear time, whatever stands between them', async () => {
    // An expression over the text between them took exponential time: 80 dashes stopped the process for good.
    for (const comments of ['-'.repeat(8_000) + '\n', '-- /*\n'.repeat(1_000), '/* -- */ '.repeat(1_000)]) {
      const sql = `SELECT a ${comments} value, b AS ${comments} key FROM t`;
      expect(await crossCheck(sql, parse(sql), serialize)).to.deep.equal({ kind: 'Agreed' });
    }
  });

  it('reads a star after schema and table, which DuckDB does not know, in one way', async () => {
    const original = 'SELECT s.t.*, t.a*2 FROM s.t';
    expect(await crossCheck(original, parse(original), serialize)).to.deep.equal({ kind: 'Agreed' });
    const other = parse('SELECT t.*, t.a*2 FROM s.t');
    expect(await crossCheck(original, other, serialize)).to.have.property('kind', 'Disagreed');
  });

  it('reads the order by bytes as no order of its own, wherever it is named', async () => {
    for (const [sql, without] of [
      [
        `SELECT a FROM t WHERE k = CAST($1 AS "text") COLLATE "C"`,
        `SELECT a FROM t WHERE k = CAST($1 AS "text")`,
      ],
      ['SELECT a COLLATE POSIX || b COLLATE "ucs_basic" FROM t', 'SELECT a || b FROM t'],
      ['SELECT a FROM t ORDER BY b COLLATE pg_catalog."default" DESC', 'SELECT a FROM t ORDER BY b DESC'],
      ['SELECT -a COLLATE "C", b::text COLLATE C COLLATE "binary" x FROM t', 'SELECT -a, b::text x FROM t'],
      ['SELECT a IN (1) COLLATE "C" AND b IS NULL FROM t', 'SELECT a IN (1) AND b IS NULL FROM t'],
      // A column of that name, and its alias.
      ['SELECT t.collate "C" FROM t', 'SELECT t.collate AS "C" FROM t'],
    ] as const) {
      expect(print(parse(sql)), sql).to.equal(print(parse(without)));
      expect(await crossCheck(sql, parse(sql), serialize), sql).to.deep.equal({ kind: 'Agreed' });
    }
    for (const sql of [
      'SELECT a COLLATE nocase FROM t',
      'SELECT a COLLATE "de_DE" FROM t',
      'SELECT a NOT COLLATE "C" FROM t',
    ])
      expect(refusalOf(sql), sql).to.be.instanceOf(SqlSyntaxError);
  });

  it('tells of a text that DuckDB cannot read', async () => {
    const outcome = await crossCheck('SELECT 1 +', parse('SELECT 1'), serialize);
    expect(outcome).to.include({ kind: 'Unreadable', text: 'original' });
  });

  it('spells anew, on tokens alone, only what DuckDB does not know', () => {
    for (const [sql, text] of [
      ["SELECT\u200b1,\u00a0\u3000- '\u200b' --\u00a0é", "SELECT 1,  - '\u200b'  "],
      ['SELECT\v1 --\v', 'SELECT 1  '],
      ['SELECT :a, \':b\', "x:c" -- :d', 'SELECT $a, \':b\', "x:c"  '],
      ["SELECT N'it''s'", "SELECT 'it''s'"],
      ['SELECT INTERVAL 3 DAY', "SELECT INTERVAL '3' DAY"],
      ['SELECT a%-1, a*-1', 'SELECT a% -1, a* -1'],
      [
        'SELECT a-b FROM my-table t, x JOIN p.q-r.v1 ON a-b',
        'SELECT a-b FROM "my-table" t, x JOIN "p"."q-r.v1" ON a-b',
      ],
      [
        'SELECT EXTRACT(YEAR FROM a-b), (SELECT 1 FROM c-d) FROM (e-f JOIN g-h USING (i))',
        'SELECT EXTRACT(YEAR FROM a-b), (SELECT 1 FROM "c-d") FROM ("e-f" JOIN "g-h" USING (i))',
      ],
      [
        'SELECT 1 FROM s.t.by-x, s-t.u.i, "s".a-b."i", s.a-b.c."by.x" j, "s"."t".i-j, s."t"-x',
        'SELECT 1 FROM "s"."t"."by-x", "s-t"."u"."i", "s"."a-b"."i", "s"."a-b.c"."by.x" j, "s"."t"."i-j", s."t"-x',
      ],
      ['SELECT a IS DISTINCT FROM b-c FROM t WHERE d-e', 'SELECT a IS DISTINCT FROM b-c FROM t WHERE d-e'],
    ] as const) {
      expect(toDuckDbText(sql)).to.equal(text);
    }
  });
});
