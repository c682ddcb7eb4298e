/** What translating keeps and refuses, statement by statement; whole statements with their rows are in `test/engine/dialects`. */
import { expect } from 'chai';
import { FUNCTIONS } from '../../../src/logical/functions/list.ts';
import { DIALECTS, type Dialect, type DialectName } from '../../../src/parser/dialects/dialect.ts';
import { toStrftime, type FormatStyle } from '../../../src/parser/dialects/functions/date-formats.ts';
import { FUNCTION_RULES } from '../../../src/parser/dialects/functions/translate-call.ts';
import { NoOfferError } from '../../../src/parser/dialects/no-offer.ts';
import { translate } from '../../../src/parser/dialects/translate.ts';

function dialectNamed(name: DialectName): Dialect {
  const found = DIALECTS.find((dialect) => dialect.name === name);
  if (found === undefined) throw new Error(`no dialect ${name}`);
  return found;
}
const ours = (name: DialectName, sql: string): string => translate(sql, dialectNamed(name));
const where = (name: DialectName, condition: string): string =>
  ours(name, `SELECT 1 FROM t WHERE ${condition}`).replace('SELECT 1 FROM t WHERE ', '');

describe('translating a dialect', () => {
  it('keeps the grouping of AND, OR and NOT', () => {
    expect(where('MySQL', '`a` = 1 OR b = 2 AND c = 3')).to.equal('"a" = 1 OR b = 2 AND c = 3');
    expect(where('MySQL', '(`a` = 1 OR b = 2) AND c = 3')).to.equal('("a" = 1 OR b = 2) AND c = 3');
    expect(where('MySQL', 'NOT `a` = 1 && b = 2 || c = 3')).to.equal('NOT "a" = 1 AND b = 2 OR c = 3');
    expect(where('BigQuery', 'a = 1 AND NOT (`b` = 2 OR c = 3)')).to.equal(
      'a = 1 AND NOT ("b" = 2 OR c = 3)',
    );
  });

  it('keeps the grouping of arithmetic', () => {
    expect(where('MySQL', '`a` - b - c * d / e % f > -1')).to.equal('"a" - b - c * d / e % f > -1');
    expect(where('MySQL', '`a` - (b - c) * (d + e) > 1')).to.equal('"a" - (b - c) * (d + e) > 1');
  });

  for (const condition of [
    ...[
      'a & 1 = 1 | b',
      'a | b & c',
      'a << 1 + b',
      'a ^ b - c',
      'a = b = c',
      'a = b IS NULL',
      'a IN (1) = b',
    ],
    ...['a BETWEEN 1 AND 2 = b', "a RLIKE 'x' | b", 'a < b LIKE c'],
  ])
    it(`refuses what dialects group in ways of their own: ${condition}`, () => {
      for (const { name } of DIALECTS) expect(() => where(name, condition), name).to.throw(NoOfferError);
    });

  it('loses no term, and no digit', () => {
    const terms = '12345678901234567890.10 + CAST(a AS DECIMAL(38, 10)) + 1e3 + 0.1 + 007 > 1.50';
    expect(where('MySQL', `\`x\` = 1 AND ${terms}`)).to.equal(
      '"x" = 1 AND 12345678901234567890.10 + CAST(a AS DECIMAL(38,10)) + 1e3 + 0.1 + 007 > 1.50',
    );
  });

  it('keeps ORDER BY and LIMIT with the whole set operation', () => {
    expect(ours('MySQL', 'SELECT `a` FROM t UNION ALL SELECT b FROM u ORDER BY 1 LIMIT 2, 3')).to.equal(
      'SELECT "a" FROM t UNION ALL SELECT b FROM u ORDER BY 1 LIMIT 3 OFFSET 2',
    );
  });

  it('takes for names and texts what the dialect does', () => {
    expect(ours('MySQL', 'SELECT "a""b", `c``d`, \'e\\\'f\' FROM t')).to.equal(
      "SELECT 'a\"b', \"c`d\", 'e''f' FROM t",
    );
    expect(ours('SQL Server', 'SELECT [a ]]b], "c", N\'d\\e\' FROM t')).to.equal(
      'SELECT "a ]b", "c", \'d\\e\' FROM t',
    );
    expect(ours('BigQuery', 'SELECT r"\\d", "x" FROM `s.t`')).to.equal('SELECT \'\\d\', \'x\' FROM "s"."t"');
  });

  const otherwise: readonly (readonly [DialectName, string, string])[] = [
    [
      'SQLite',
      'INTERSECT binds no tighter than UNION there',
      'SELECT `a` FROM t UNION SELECT 1 INTERSECT SELECT 2',
    ],
    ['BigQuery', 'three quotes are those of one text', "SELECT `a`, '''b''' FROM t"],
    ['Hive', 'doubled quotes are none there', "SELECT `a`, 'it''s' FROM t"],
    ['MySQL', 'a date is a number of eight digits', 'SELECT CURDATE() - 7'],
    ['MySQL', "what _utf8'…' names is a character set", "SELECT _utf8'a', `b` FROM t"],
    ['SQLite', 'datetime gives a text of a form of its own', 'SELECT datetime(a) FROM `t`'],
    ['Redshift', 'TRUNC of a time is its day', 'SELECT NVL2(a, TRUNC(b), 1) FROM t'],
    ['Hive', 'the size of NULL is -1', 'SELECT size(a) FROM `t`'],
    ['MySQL', 'GREATEST of many may be NULL', `SELECT GREATEST(${'`a`, '.repeat(11)}1) FROM t`],
  ];
  for (const [name, why, sql] of otherwise)
    it(`refuses what means something else in ${name}: ${why}`, () => {
      expect(() => ours(name, sql)).to.throw(NoOfferError);
    });

  it('sorts NULL where the dialect does', () => {
    const sorted = 'SELECT a FROM t ORDER BY a, b DESC, c NULLS FIRST';
    expect(ours('SQL Server', sorted)).to.match(/ORDER BY a, b DESC, c NULLS FIRST$/);
    expect(ours('Snowflake', sorted)).to.match(/ORDER BY a NULLS LAST, b DESC NULLS FIRST, c NULLS FIRST$/);
    expect(ours('Trino', sorted)).to.match(/ORDER BY a NULLS LAST, b DESC NULLS LAST, c NULLS FIRST$/);
  });

  it('puts TOP at the end of its own query', () => {
    expect(ours('SQL Server', 'SELECT a FROM (SELECT TOP 2 a FROM t ORDER BY a) x WHERE a > 1;')).to.equal(
      'SELECT a FROM (SELECT a FROM t ORDER BY a LIMIT 2) AS x WHERE a > 1',
    );
    expect(() => ours('SQL Server', 'SELECT a FROM t UNION SELECT TOP 2 a FROM u')).to.throw(NoOfferError);
  });

  it('knows no function by what an object has anyway', () => {
    for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty'])
      expect(() => ours('MySQL', `SELECT \`a\`, ${name}(1) FROM t`), name).to.throw(NoOfferError);
  });

  const formats: readonly (readonly [FormatStyle, string, string])[] = [
    ['mysql', '%W, %d %b %Y %r %%', '%A, %d %b %Y %I:%M:%S %p %%'],
    ['java', 'EEE d MMM yyyy HH:mm:ss', '%a %-d %b %Y %H:%M:%S'],
    ['dotnet', 'dd/MM/yyyy hh:mm tt', '%d/%m/%Y %I:%M %p'],
    ['snowflake', 'dd-mon-yyyy hh24:mi:ss', '%d-%b-%Y %H:%M:%S'],
    ['redshift', 'YYYYMMDD HH:MI AM', '%Y%m%d %I:%M %p'],
    ['bigquery', '%F %T', '%Y-%m-%d %H:%M:%S'],
    ['sqlite', '%Y/%j', '%Y/%j'],
  ];
  for (const [style, format, strftime] of formats)
    it(`writes the format '${format}' of ${style} as '${strftime}'`, () => {
      expect(toStrftime(format, style)).to.equal(strftime);
    });

  const unknown: readonly (readonly [FormatStyle, string])[] = [
    ...([['mysql', '%u'], ['mysql', '%D'], ['mysql', '%'], ['java', "yyyy'T'"], ['java', 'yyyyy'], ['dotnet', 'd']] as const),
    ...([['redshift', 'Month'], ['redshift', 'MON'], ['sqlite', '%f'], ['bigquery', '%e'], ['mysql', 'yyyy']] as const),
  ]; // oxfmt-ignore
  for (const [style, format] of unknown)
    it(`does not guess at the format '${format}' of ${style}`, () => {
      expect(() => toStrftime(format, style)).to.throw(NoOfferError);
    });

  it('writes only functions that there are, with as many arguments as they take', () => {
    const byName = new Map(
      FUNCTIONS.flatMap((each) => [each.name, ...each.aliases].map((name) => [name, each])),
    );
    const wrong = FUNCTION_RULES.flatMap(({ names, count, ours: template }) => {
      if (template !== null) return [];
      const [least, most] = typeof count === 'number' ? [count, count] : count;
      return names.split(' ').filter((name) => {
        const found = byName.get(name);
        // A star is no argument.
        const min = found !== undefined && 'star' in found ? 0 : found?.min;
        return found === undefined || least < (min ?? 0) || (found.max !== null && most > found.max);
      });
    });
    expect(wrong).to.deep.equal([]);
    const called = FUNCTION_RULES.flatMap(({ ours: template }) =>
      typeof template === 'string'
        ? [...template.matchAll(/\b([A-Z_0-9]+)\(/g)].map(([, name = '']) => name)
        : [],
    );
    expect(
      called.filter((name) => !byName.has(name) && name !== 'CAST' && name !== 'TRY_CAST'),
    ).to.deep.equal([]);
    expect(called.length).to.be.above(50);
  });
});
