/**
 * Forty kinds of statements made to hurt, of each as many as are wanted: what a tenant can send that means harm. Some are
 * refused, some are ended, some are answered.
 */
import { FUNCTIONS } from '../../../src/logical/functions/list.ts';
import type { ScalarFunction } from '../../../src/logical/functions/definition.ts';

export interface HostileKind {
  readonly what: string;
  /** The i-th: of another size or form than the others. */
  readonly sql: (i: number) => string;
}

const times = (count: number, text: (i: number) => string, separator: string): string =>
  Array.from({ length: count }, (_, i) => text(i)).join(separator);
const nested = (open: string, inner: string, close: string, depth: number): string =>
  open.repeat(depth) + inner + close.repeat(depth);
const product = (count: number): string => times(count, (i) => `hostile.rows ${'abcdefgh'[i]}`, ', ');
/** One of several, by the number of the statement. */
const pick = <T>(i: number, ...among: readonly T[]): T => among[i % among.length]!;

const SCALARS = FUNCTIONS.filter((each): each is ScalarFunction => each.kind === 'scalar');
const ROWS_FUNCTIONS = FUNCTIONS.filter(({ kind }) => kind === 'aggregate');
/** The longest value of each kind that can be written at once. */
const LONG = {
  any: `REPEAT('ab', 32000)`,
  text: `REPEAT('ab', 32000)`,
  instant: `'9999-12-31T23:59:59Z'`,
  interval: `INTERVAL '9999 days'`,
  double: '1.7e308',
  whole: '9223372036854775807',
  short: '2147483647',
} as const;

/** A call of each scalar function in turn, with arguments that are as long as may be. */
function longCall(i: number): string {
  const { name, takes, min, max, constants, example, written } = SCALARS[i % SCALARS.length]!;
  if (written !== 'call') return `SELECT ${name}`;
  const count = max === null ? Math.max(min, 20) : max;
  const values = Array.from({ length: count }, (_, at) => {
    const spec = takes[Math.min(at, takes.length - 1)] ?? 'any';
    const kind = spec.replace(/\?$|\.\.\.$/, '') as keyof typeof LONG;
    return constants[at] === undefined ? LONG[kind] : (example.arguments[at] ?? '1');
  });
  return `SELECT ${name}(${values.join(', ')}) AS v FROM hostile.rows`;
}

function longAggregate(i: number): string {
  const { name, example } = ROWS_FUNCTIONS[i % ROWS_FUNCTIONS.length]!;
  const values = example.arguments.map((text) => text.replaceAll(/\bx\b/g, 'a.n'));
  return `SELECT a.text || b.text AS k, ${name}(${values.join(', ')}) AS v FROM ${product(2)} GROUP BY 1`;
}

export const HOSTILE_KINDS: readonly HostileKind[] = [
  { what: 'a chain of operators', sql: (i) => `SELECT ${times(900 + i * 50, () => 'n', pick(i, ' + ', ' * ', ' - '))} FROM hostile.rows` },
  { what: 'brackets', sql: (i) => `SELECT ${nested('(', 'n', ')', 80 + i * 100)} FROM hostile.rows` },
  { what: 'CASE in CASE', sql: (i) => `SELECT ${nested('CASE WHEN n = 1 THEN ', 'n', ' ELSE 2 END', 40 + i * 20)} FROM hostile.rows` },
  { what: 'eighty dashes, and signs', sql: (i) => `SELECT ${'- '.repeat(40 + i * 20)}n, ${'~ '.repeat(30 + i)}1 FROM hostile.rows` },
  { what: 'subqueries in subqueries', sql: (i) => `SELECT * FROM ${nested('(SELECT * FROM ', 'hostile.rows', ') q', 20 + i * 20)}` },
  { what: 'scalar subqueries side by side', sql: (i) => `SELECT ${times(20 + i * 5, (k) => `(SELECT MAX(n) + ${k} FROM hostile.rows)`, ', ')}` },
  { what: 'correlated subqueries in each other', sql: (i) => `SELECT count(*) FROM hostile.rows a WHERE EXISTS (SELECT 1 FROM hostile.rows b WHERE b.n + ${i} > a.n AND EXISTS (SELECT 1 FROM hostile.rows c WHERE c.n * b.n <> a.n))` },
  { what: 'many joined tables', sql: (i) => `SELECT count(*) FROM hostile.rows t0 ${times(20 + i * 6, (k) => `JOIN hostile.rows t${k + 1} ON t${k + 1}.id = t${k}.id`, ' ')}` },
  { what: 'joins of values of several types', sql: (i) => `SELECT count(*) FROM hostile.rows t0 ${times(5 + i * 4, (k) => `JOIN hostile.rows t${k + 1} ON t${k + 1}.mixed = t${k}.mixed`, ' ')}` },
  { what: 'many comparisons with OR', sql: (i) => `SELECT count(*) FROM hostile.rows WHERE ${times(300 + i * 60, (k) => `n + ${k} = mixed`, ' OR ')}` },
  { what: 'long IN lists', sql: (i) => `SELECT count(*) FROM hostile.rows WHERE text IN (${times(2_000 + i * 500, (k) => `'${k}'`, ', ')})` },
  { what: 'many keys', sql: (i) => `SELECT count(*) FROM hostile.rows WHERE id IN (${times(1_000 + i * 500, (k) => `'r${k}'`, ', ')})` },
  { what: 'many columns', sql: (i) => `SELECT ${times(300 + i * 50, (k) => `n * ${k} AS c${k}`, ', ')} FROM hostile.rows ORDER BY ${times(50, (k) => `c${k}`, ', ')}` },
  { what: 'CUBE', sql: (i) => `SELECT count(*) FROM hostile.rows GROUP BY CUBE (${times(3 + i, (k) => `n + ${k}`, ', ')})` },
  { what: 'many set operations', sql: (i) => `${times(40 + i * 20, (k) => `SELECT n + ${k} AS n FROM hostile.rows ${pick(k + i, 'UNION', 'EXCEPT', 'UNION ALL', 'INTERSECT')} `, '')}SELECT 1 AS n` },
  { what: 'CTEs over CTEs', sql: (i) => `WITH a0 AS (SELECT n FROM hostile.rows)${times(10 + i * 3, (k) => `, a${k + 1} AS (SELECT x.n FROM a${k} x JOIN a${k} y ON x.n = y.n)`, '')} SELECT count(*) FROM a${10 + i * 3}` },
  { what: 'many windows', sql: (i) => `SELECT ${times(10 + i * 4, (k) => `SUM(n + ${k}) OVER (PARTITION BY text ORDER BY n ROWS BETWEEN ${k} PRECEDING AND UNBOUNDED FOLLOWING)`, ', ')} FROM hostile.rows` },
  { what: 'a window over a product', sql: (i) => `SELECT MAX(w) FROM (SELECT ${pick(i, 'ROW_NUMBER()', 'RANK()', 'SUM(a.n)', 'LAG(a.n)')} OVER (ORDER BY a.text || b.text, ${i}) AS w FROM ${product(2)}) q` },
  { what: 'a product, counted', sql: (i) => `SELECT sum(a.n * b.n + ${i}) FROM ${product(4 + (i % 3))} WHERE a.n + b.n + c.n > d.n` },
  { what: 'a product, sorted', sql: (i) => `SELECT a.text || b.text || c.text AS t FROM ${product(3)} ORDER BY t, a.n + ${i} LIMIT 10 OFFSET ${i * 1_000}` },
  { what: 'a product, distinct', sql: (i) => `SELECT DISTINCT a.text || b.text || c.text || '${i}' AS t FROM ${product(3)}` },
  { what: 'a product, grouped', sql: (i) => `SELECT a.text || b.text AS t, c.n, count(*), max(c.text || a.text) FROM ${product(3)} GROUP BY 1, 2 HAVING count(*) > ${i}` },
  { what: 'a product, joined as one text', sql: (i) => `SELECT STRING_AGG(REPEAT(a.text, ${i + 100}), ',') FROM ${product(3)}` },
  { what: 'a product, as a list', sql: (i) => `SELECT ARRAY_AGG(a.text || b.text || ${i}) FROM ${product(3)}` },
  { what: 'a full join without keys', sql: (i) => `SELECT count(*) FROM hostile.rows a FULL JOIN (SELECT b.n FROM ${product(3)}) q ON a.n + q.n <> ${i}` },
  { what: 'patterns that explode', sql: (i) => `SELECT count(*) FROM hostile.rows WHERE REGEXP_MATCHES(REPEAT(text, 100), '${pick(i, `${nested('(', 'a', '){1,900}', 8)}`, '(a*)*(a|a)*b', '(x+x+)+y', '(.*a){25}', `${'(a?)'.repeat(200)}${'a'.repeat(200)}`, '[^a]{1000}{1000}')}${i}')` },
  { what: 'patterns that replace', sql: (i) => `SELECT MAX(LENGTH(REGEXP_REPLACE(REPEAT(text, 1000), '${pick(i, '', '.', '(.)(.)?', 'x*')}', REPEAT('y', ${100 + i * 400}), 'g'))) FROM hostile.rows` },
  { what: 'LIKE with many wildcards', sql: (i) => `SELECT count(*) FROM ${product(2)} WHERE REPEAT(a.text, 500) LIKE '${'%a_b'.repeat(30 + i * 10)}%'` },
  { what: 'edit distances', sql: (i) => `SELECT SUM(LEVENSHTEIN(REPEAT(a.text, ${50 + i * 20}), REPEAT(b.text, ${60 + i * 20}))) FROM ${product(2)}` },
  { what: 'texts doubled', sql: (i) => `WITH a0 AS (SELECT text AS t FROM hostile.rows)${times(12 + i, (k) => `, a${k + 1} AS (SELECT t || t AS t FROM a${k})`, '')} SELECT MAX(LENGTH(t)) FROM a${12 + i}` },
  { what: 'texts padded and repeated', sql: (i) => `SELECT ${pick(i, 'LENGTH(REPEAT(text, 2000000000))', 'LENGTH(LPAD(text, 2000000000))', 'LENGTH(RPAD(text, 65536, text))', `LENGTH(${nested('HEX(', 'text', ')', 14)})`, 'LENGTH(REPEAT(REPEAT(text, 60000), 60000))')} + ${i} FROM hostile.rows` },
  { what: 'each scalar function, with long arguments', sql: longCall },
  { what: 'each scalar function, the second half', sql: (i) => longCall(i + Math.floor(SCALARS.length / 2)) },
  { what: 'each aggregate, over a product', sql: (i) => longAggregate(i * 3) },
  { what: 'numbers of a hundred digits', sql: (i) => `SELECT ${times(10 + i, (k) => `CAST(n AS DECIMAL(38, ${k % 10})) * ${'9'.repeat(20)}`, ' + ')}, 1e308 * n * 1e308, ${'9'.repeat(30 + i * 5)} % (n + 1) FROM hostile.rows` },
  { what: 'series multiplied', sql: (i) => `SELECT count(*) FROM ${times(2 + (i % 3), (k) => `generate_series(1, 1000000) s${k}`, ', ')} WHERE s0.s0 % ${i + 7} = s1.s1 % 3` },
  { what: 'lists unnested', sql: (i) => `SELECT count(*) FROM ${product(2)} CROSS JOIN UNNEST(ARRAY(SELECT n FROM hostile.rows)) u(x) CROSS JOIN UNNEST(ARRAY(SELECT n + ${i} FROM hostile.rows)) v(y) WHERE x * y + a.n <> b.n` },
  { what: 'recursion', sql: (i) => `WITH RECURSIVE r(n, t) AS (SELECT 1, text FROM hostile.rows UNION ALL SELECT n + 1, ${pick(i, 't || t', "t || 'x'", 'REPEAT(t, 2)')} FROM r WHERE n < ${100 + i * 50}) SELECT count(*), MAX(LENGTH(t)) FROM r` },
  { what: 'JSON forty levels deep', sql: (i) => `SELECT ${times(5 + i, (k) => `TO_JSON(deep${'.x'.repeat(k % 30)})`, ', ')}, deep${'.x'.repeat(20 + i)} FROM hostile.deep` },
  { what: 'wide rows, all of them, sorted', sql: (i) => `SELECT * FROM hostile.wide a, hostile.wide b ORDER BY a.c${i}, b.c${i + 7} DESC, a.c${i + 90} LIMIT ${500 + i * 10}` },
]; // oxfmt-ignore
