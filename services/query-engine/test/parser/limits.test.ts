import { expect } from 'chai';
import { threadMs } from '../../../common/test/support/thread-time.ts';
import { PARSER_LIMITS } from '../../src/parser/limits.ts';
import { parse } from '../../src/parser/parse.ts';
import { print } from '../../src/parser/print.ts';
import { refusalOf } from './refusal.ts';

const { nestingMax, joinedTablesMax, selectsMax, tokensMax, treeLevelsMax, sqlBytesMax } = PARSER_LIMITS;

/** Ways to nest, each opening and closing one level a repetition. */
const nestings: readonly (readonly [string, (levels: number) => string])[] = [
  ['parentheses', (n) => `SELECT ${'('.repeat(n)}1${')'.repeat(n)}`],
  ['calls', (n) => `SELECT ${'f('.repeat(n)}1${')'.repeat(n)}`],
  ['CASE', (n) => `SELECT ${'CASE WHEN a THEN b ELSE '.repeat(n)}1${' END'.repeat(n)}`],
  ['casts', (n) => `SELECT ${'CAST('.repeat(n)}1${' AS INT)'.repeat(n)}`],
  ['scalar subqueries', (n) => `SELECT ${'(SELECT '.repeat(n)}1${')'.repeat(n)}`],
  ['derived tables', (n) => `SELECT 1 FROM ${'(SELECT 1 FROM '.repeat(n)}t${') x'.repeat(n)}`],
  [
    'joined derived tables',
    (n) => `SELECT 1 FROM ${'a JOIN (SELECT 1 FROM '.repeat(n - 1)}t${') x ON y'.repeat(n - 1)}`,
  ],
  ['joins in parentheses', (n) => `SELECT 1 FROM ${'(a JOIN '.repeat(n - 1)}t${' ON x)'.repeat(n - 1)}`],
  ['EXISTS', (n) => `SELECT 1 WHERE ${'EXISTS (SELECT 1 WHERE '.repeat(n)}a${')'.repeat(n)}`],
  ['IN', (n) => `SELECT 1 WHERE ${'a IN (SELECT b WHERE '.repeat(n)}a${')'.repeat(n)}`],
  ['set operations', (n) => `${'(SELECT 1 UNION '.repeat(n)}SELECT 1${')'.repeat(n)}`],
  ['common table expressions', (n) => `${'WITH a AS ('.repeat(n)}SELECT 1${') SELECT 1'.repeat(n)}`],
  ['ORDER BY', (n) => `SELECT 1 ORDER BY ${'(SELECT 1 ORDER BY '.repeat(n)}a${')'.repeat(n)}`],
  ['LIMIT', (n) => `SELECT 1 LIMIT ${'(SELECT 1 LIMIT '.repeat(n)}1${')'.repeat(n)}`],
  ['VALUES', (n) => `SELECT 1 WHERE ${'a IN (VALUES ('.repeat(n / 2)}1${'))'.repeat(n / 2)}`],
  [
    'DISTINCT ON',
    (n) => `SELECT 1 WHERE ${'a IN (SELECT DISTINCT ON ('.repeat(n / 2)}1${') b)'.repeat(n / 2)}`,
  ],
  ['prefix operators', (n) => `SELECT ${'NOT '.repeat(n)}a`],
];

const paths: readonly (readonly [string, (steps: number) => string])[] = [
  ['names', (n) => `SELECT a${'.b'.repeat(n)} FROM t`],
  ['subscripts', (n) => `SELECT a${'[0]'.repeat(n)} FROM t`],
  ['steps into a call', (n) => `SELECT f(a)${'[0]'.repeat(n)} FROM t`],
];

describe('limits of the parser', () => {
  for (const [name, nest] of nestings) {
    it(`allow ${nestingMax} levels of ${name}, quickly, and print them`, () => {
      const started = threadMs();
      const printed = print(parse(nest(nestingMax)));
      expect(printed).to.be.a('string').that.is.not.empty;
      expect(threadMs() - started).to.be.below(2_000);
    });

    it(`refuse far more levels of ${name} by the limit's name`, () => {
      expect(refusalOf(nest(400)).message).to.match(
        /^Unsupported SQL: (nesting deeper than 100 levels|more than 100 joined tables)$/,
      );
    });
  }

  it('hold for the size of the text in UTF-8 bytes', () => {
    const text = (bytes: number): string => `SELECT '${'é'.repeat((bytes - 9) / 2)}'`;
    expect(() => parse(text(sqlBytesMax - 1))).not.to.throw();
    expect(refusalOf(text(sqlBytesMax + 1)).message).to.equal(
      'Unsupported SQL: more than 65536 bytes of SQL',
    );
  });

  it('hold for tokens', () => {
    const list = (items: number): string => `SELECT a${',a'.repeat(items - 1)}`;
    expect(() => parse(list(tokensMax / 2))).not.to.throw();
    expect(refusalOf(list(tokensMax / 2 + 1)).message).to.equal('Unsupported SQL: more than 10000 tokens');
  }).timeout(20_000);

  it('hold for joined tables, by JOIN and by comma', () => {
    for (const join of [' JOIN t ON a', ', t', ' CROSS JOIN t']) {
      const from = (tables: number): string => `SELECT 1 FROM t${join.repeat(tables - 1)}`;
      expect(() => parse(from(joinedTablesMax))).not.to.throw();
      expect(refusalOf(from(joinedTablesMax + 1)).message).to.equal(
        'Unsupported SQL: more than 100 joined tables',
      );
    }
  });

  it('hold for SELECTs', () => {
    const union = (selects: number): string => `SELECT 1${' UNION SELECT 1'.repeat(selects - 1)}`;
    expect(() => parse(union(selectsMax))).not.to.throw();
    expect(refusalOf(union(selectsMax + 1)).message).to.equal(
      'Unsupported SQL: more than 300 SELECTs in one statement',
    );
  });

  it('hold for the columns of all grouping sets, which DuckDB writes out one by one', () => {
    const columns = (count: number): string => Array.from({ length: count }, (_, i) => `a${i}`).join();
    const sets = (count: number): string => Array.from({ length: count }, (_, i) => `(a${i}, b${i})`).join();
    const by = (groups: string): string => `SELECT 1 FROM t GROUP BY ${groups}`;
    for (const groups of [
      columns(500),
      `ROLLUP (${columns(190)})`,
      `CUBE (${columns(11)})`,
      `GROUPING SETS (${sets(1_600)})`,
      `ROLLUP (${columns(25)}), ROLLUP (${columns(25)})`,
    ])
      expect(() => parse(by(groups)), groups.slice(0, 20)).not.to.throw();
    const refused = [
      by(`ROLLUP (${columns(4_000)})`),
      by(`CUBE (${columns(12)})`),
      by(`${columns(2_000)}, CUBE (${columns(5)})`),
      by(`ROLLUP (${columns(40)}), ROLLUP (${columns(40)})`),
      Array.from({ length: 60 }, () => by(`CUBE (${columns(8)})`)).join(' UNION ALL '),
    ];
    for (const sql of refused)
      expect(refusalOf(sql).message).to.equal(
        'Unsupported SQL: more than 20000 columns in all grouping sets together',
      );
  });

  it('hold for named windows, which the tree has whole wherever they are used', () => {
    const used = (times: number): string =>
      `SELECT ${Array.from({ length: times }, () => 'f() OVER w').join()} FROM t WINDOW w AS (ORDER BY a${', a'.repeat(1_200)})`;
    expect(() => parse(used(8))).not.to.throw();
    expect(refusalOf(used(800)).message).to.equal(
      'Unsupported SQL: more than 20000 tokens of named windows, counted wherever they are used',
    );
  });

  it('hold for the levels of the tree, which chains of operators make', () => {
    for (const step of [' + 1', '::INT', ' IS NULL']) {
      expect(() => print(parse(`SELECT a${step.repeat(treeLevelsMax - 10)}`))).not.to.throw();
      expect(refusalOf(`SELECT a${step.repeat(3_000)}`).message).to.equal(
        'Unsupported SQL: an expression deeper than 700 levels',
      );
    }
  });

  for (const [name, statement] of paths) {
    it(`hold for paths of ${name}, each step a level`, () => {
      expect(() => print(parse(statement(600)))).not.to.throw();
      expect(refusalOf(statement(1_002)).message).to.equal(
        'Unsupported SQL: an expression deeper than 700 levels',
      );
    });
  }

  it('do not hold for AND, OR and lists, which make no levels', () => {
    expect(() => parse(`SELECT 1 WHERE a = 1${' OR a = 1'.repeat(2_000)}`)).not.to.throw();
    expect(() => parse(`SELECT 1 WHERE a IN (1${', 1'.repeat(4_000)})`)).not.to.throw();
  });
});
