/** Statements over the catalogs that are meant to take all of a worker's time or memory. */

/** It takes no memory, and goes on until its time is over. */
export const ENDLESS = 'SELECT count(*) FROM generate_series(1, 999999) a, generate_series(1, 999999) b';

/** So many steps, each over the one before. */
function chain(count: number, first: string, next: (before: string) => string, last: string): string {
  const steps = Array.from({ length: count }, (_, i) => `, a${i + 1} AS (${next(`a${i}`)})`);
  return `WITH a0 AS (${first})${steps.join('')} ${last} a${count}`;
}

const list = (count: number, text: string): string => Array.from({ length: count }, () => text).join(', ');

/** Of a million characters and more, each of another text: nothing of it can be computed beforehand. */
const LONG = "WITH a AS (SELECT repeat('x', 999999) || amname AS s FROM pg_am)";

export const SOME_NASTY: readonly string[] = [
  'SELECT count(*) FROM pg_proc a, pg_proc b, pg_proc c, pg_proc d WHERE a.proname < b.proname AND c.proname > d.proname',
  'SELECT a.*, b.* FROM pg_proc a, pg_proc b, pg_proc c ORDER BY a.prosrc, b.prosrc, c.oid',
  "SELECT string_agg(a.prosrc || b.prosrc, ',') FROM pg_proc a, pg_proc b, pg_proc c",
  'SELECT array_agg(a.proname || b.proname) FROM pg_proc a, pg_proc b, pg_attribute c',
  'SELECT count(*) FROM generate_series(1, 1000000000) a, pg_class',
  ENDLESS,
  "SELECT repeat('x', 1000000000) FROM pg_class",
  "SELECT replace(repeat('x', 900000), 'x', repeat('y', 900000)) FROM pg_class",
  "SELECT lpad('x', 2000000000) FROM pg_class",
  "WITH RECURSIVE t AS (SELECT 'x' AS s UNION ALL SELECT s || s FROM t) SELECT length(s) FROM t, pg_am LIMIT 100",
  'WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM t) SELECT max(n) FROM t, pg_am',
  'WITH RECURSIVE t AS (SELECT oid FROM pg_proc UNION ALL SELECT p.oid FROM pg_proc p, t) SELECT count(*) FROM t',
  "SELECT count(*) FROM pg_proc a, pg_proc b WHERE (a.prosrc || b.prosrc) ~ '((a*)*)*(b+)+(x+x+)+y'",
  "SELECT count(*) FROM pg_proc WHERE prosrc ~ (SELECT repeat('(x{0,900}){0,900}', 400))",
  'SELECT * FROM information_schema.columns a, information_schema.columns b, information_schema.column_privileges c',
  `SELECT ${'('.repeat(150)}1${')'.repeat(150)} FROM pg_class`,
  `SELECT 1${' + 1'.repeat(5000)} FROM pg_class`,
  `SELECT * FROM pg_class WHERE ${Array.from({ length: 2000 }, (_, i) => `relname = 'x${i}'`).join(' OR ')}`,
  `WITH a AS (SELECT * FROM pg_proc)${Array.from({ length: 12 }, (_, i) => `, a${i} AS (SELECT x.* FROM a${i === 0 ? '' : i - 1} x, a${i === 0 ? '' : i - 1} y)`).join('')} SELECT count(*) FROM a11`,
  `SELECT ${'quote_ident('.repeat(40)}relname${')'.repeat(40)} FROM pg_class`,
  // Texts that grow without a recursion.
  `${LONG} SELECT max(length(concat(${list(1500, 's')}))) FROM a`,
  chain(
    14,
    "SELECT repeat('x', 999999) AS s FROM pg_am LIMIT 1",
    (a) => `SELECT s || s AS s FROM ${a}`,
    'SELECT max(length(s)) FROM',
  ),
  chain(
    6,
    "SELECT string_agg(prosrc, '') AS s FROM pg_proc",
    (a) => `SELECT string_agg(s, '') AS s FROM ${a}, pg_am, pg_am b`,
    'SELECT length(s) FROM',
  ),
];

/** Those of the long form. */
export const MORE_NASTY: readonly string[] = [
  `SELECT max(length(s)) FROM ${Array.from({ length: 12 }).reduce<string>((q, _, i) => `(SELECT s || s AS s FROM ${q}) q${i}`, "(SELECT repeat('x', 999999) AS s FROM pg_am LIMIT 1) q")}`,
  chain(
    6,
    "SELECT repeat('x', 100000) || oid AS s FROM pg_proc",
    (a) => `SELECT s || s AS s FROM ${a}`,
    'SELECT max(length(s)) FROM',
  ),
  `${LONG} SELECT max(length(${list(300, 's').replaceAll(', ', ' || ')})) FROM a`,
  `${LONG} SELECT max(length(concat_ws(',', ${list(1500, 's')}))) FROM a`,
  `${LONG} SELECT max(length(format('${'%s'.repeat(300)}', ${list(300, 's')}))) FROM a`,
  "SELECT max(length(repeat('x', 999000 + (oid::int4 % 10)))) FROM pg_proc",
  'SELECT max(length(lpad(proname, 249000))) FROM pg_proc',
  "SELECT max(length(replace(prosrc, 'a', repeat('y', 30000)))) FROM pg_proc",
  "SELECT max(length(regexp_replace(repeat('x', 900000), 'x', repeat('\\&', 1000), 'g'))) FROM pg_am",
  "SELECT max(length(regexp_replace(repeat('x', 900000) || amname, 'x', repeat('yyyyyyyyyy', 1000), 'g'))) FROM pg_am",
  `SELECT max(length(${'quote_literal('.repeat(12)}repeat('''', 900000) || amname${')'.repeat(12)})) FROM pg_am`,
  "SELECT length(string_agg(repeat(proname, 5000), '')) FROM pg_proc",
  'SELECT array_length(array_agg(repeat(proname, 5000)), 1) FROM pg_proc',
  chain(
    12,
    'SELECT array_agg(prosrc) AS x FROM pg_proc',
    (a) => `SELECT x || x AS x FROM ${a}`,
    'SELECT array_length(x, 1) FROM',
  ),
  "SELECT max(array_length(string_to_array(repeat('x,', 490000) || proname, ','), 1)) FROM pg_proc",
  'SELECT length(json_agg(repeat(proname, 5000))::text) FROM pg_proc',
  chain(
    10,
    'SELECT json_agg(prosrc)::text AS s FROM pg_proc',
    (a) => `SELECT json_build_object('a', s, 'b', s)::text AS s FROM ${a}`,
    'SELECT length(s) FROM',
  ),
  "SELECT max(length(initcap(repeat('x ', 490000) || proname))) FROM pg_proc",
  "SELECT count(*) FROM pg_proc WHERE (repeat('ab', 490000) || proname) ~ '((a|b)*)*(a|b)*c{100,900}'",
  "SELECT max(array_length(regexp_split_to_array(repeat('ab', 490000) || proname, 'b'), 1)) FROM pg_proc",
  "SELECT count(*) FROM pg_proc WHERE (repeat('ab', 490000) || proname) LIKE '%a%b%a%b%a%b%a%b%a%b%a%b%a%b%c'",
  'SELECT repeat(proname, 9000) AS s FROM pg_proc ORDER BY s DESC LIMIT 1',
  "SELECT max(length(x)) FROM (SELECT string_agg(prosrc, '') OVER (ORDER BY oid) AS x FROM pg_proc) q",
  'SELECT count(DISTINCT repeat(a.proname, 900)) FROM pg_proc a, pg_proc b',
  'SELECT count(*) FROM (SELECT generate_series(1, 1000000), generate_series(1, 1000000) FROM pg_proc) q',
  `SELECT count(*) FROM (${Array.from({ length: 60 }, () => 'SELECT repeat(proname, 900) AS s FROM pg_proc').join(' UNION ALL ')}) q`,
  'SELECT count(*) FROM (SELECT array(SELECT b.prosrc FROM pg_proc b WHERE b.oid <> a.oid) AS x FROM pg_proc a) q WHERE array_length(x, 1) > 3',
  'SELECT max(9::numeric ^ 9 ^ 9 ^ 9) FROM pg_am',
  `SELECT ${'CASE WHEN '.repeat(90)}true${' THEN true ELSE false END'.repeat(90)} FROM pg_class`,
  `SELECT ${'(SELECT '.repeat(60)}1${')'.repeat(60)} FROM pg_class`,
  `SELECT count(*) FROM pg_proc a, pg_proc b WHERE a.pronargs * b.pronargs IN (${list(9000, '7')})`,
];
