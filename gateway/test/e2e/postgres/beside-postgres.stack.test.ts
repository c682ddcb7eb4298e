/**
 * Statements of PostgreSQL clients over tables beside PostgreSQL itself, with the same rows in its tables: names, types, their
 * lengths and digits, and values. Each that differs says why.
 */
import { expect } from 'chai';
import { STACK_START_TIMEOUT_MS } from '../support/stack.ts';
import { besidePostgres, ofAnOrder, seen, type Beside } from './beside.ts';

/** Of one row of orders, where nothing else is said. */
const OF_AN_ORDER = [
  ...['1', "'x'", '1.5', 'true', '10000000000', '7 / 2', '-7 / 2', 'total / 4 * 4', 'no + 1', '7 % 4'],
  ...['total::int', 'total::bigint', 'total::float8', 'total::numeric(12,2)', 'total::numeric(6,0)', 'total::text'],
  ...['status::varchar(2)', 'status::char(6)', 'status::varchar', "status || '!'", 'upper(status)', 'length(status)'],
  ...['left(status, 2)', 'lpad(status, 6)', "position('E' IN status)", 'substring(status FROM 2)', "substring(status FROM 'E.')"],
  ...["split_part('a-b', '-', 2)", "replace(status, 'E', 'e')", "status LIKE 'N%'", "status ~ '^N'", "status ILIKE 'n%'"],
  ...["status ~~ 'N_W'", "status SIMILAR TO 'N%'", 'reverse(status)', 'md5(status)', 'ascii(status)', 'initcap(status)'],
  ...['status IS NULL', "coalesce(status, 'x')", "nullif(status, 'NEW')", 'greatest(no, 3)', "status IN ('NEW', 'OLD')"],
  ...["CASE WHEN no > 1 THEN 'many' ELSE 'one' END", 'CASE WHEN no > 1 THEN 1 ELSE 0 END', "status = ANY('{NEW,OLD}')"],
  ...["status = ANY('{NEW,OLD}'::text[])", "'{a,b}'::text[]", "ARRAY['a','b']", "ARRAY[1,2]", "(ARRAY['a','b','c'])[2:3]"],
  ...["array_length(ARRAY[1,2], 1)", "array_to_string(ARRAY['a','b'], '-')", "string_to_array('a,b', ',')", 'ARRAY[total, no]'],
  ...["'2024-02-29'::date", "'2024-02-29 10:00:00'::timestamp", "'2024-02-29 10:00:00+02'::timestamptz", "'10:00'::time"],
  ...["'2024-02-29'::date - '2024-02-01'::date", "'2024-02-29'::date + 1", "'2024-03-01'::timestamp - '2024-02-01'::timestamp"],
  ...["age('2024-03-02'::timestamp, '2023-01-01'::timestamp)", "interval '1 day 2 hours'", "'2024-02-29'::timestamp + interval '1 month'"],
  ...["date_trunc('month', '2024-02-29 10:00:00'::timestamp)", "date_trunc('day', '2024-02-29 10:00:00+00'::timestamptz)"],
  ...["format('%s of %s', status, no)", "format('%2$s %1$s, 100%%', status, customer_id)", "format('%s', NULL)", "format('')"],
  ...["regexp_count('a1b22c', '[0-9]+')", "regexp_count('abc', 'x*')", "regexp_count(status, 'E|W')", "regexp_count('aaa', 'aa')"],
  ...["'2024-02-29 10:00:00'::timestamp + '1 hour'", "'2 days' + to_timestamp(1709208000)"],
  ...["extract(year FROM '2024-02-29'::date)", "date_part('month', '2024-02-29'::timestamp)", "to_date('2024-02-29', 'YYYY-MM-DD')"],
  ...["extract(epoch FROM '2024-02-29 10:00:00.5'::timestamp - '2024-02-28'::timestamp) > 122400.4", "date_part('second', '10:00:01.25'::time)"],
  ...["date_part('epoch', '2024-02-29 10:00:01.123456'::timestamp)", "extract(milliseconds FROM '2024-02-29 10:00:01.123456'::timestamp) = 1123.456"],
  ...["to_timestamp('2024-02-29', 'YYYY-MM-DD')", "to_timestamp(0)", "to_char('2024-02-29'::timestamp, 'YYYY-MM-DD HH24:MI')"],
  ...["'2024-02-29 10:00:00'::timestamp AT TIME ZONE 'America/New_York'", "'2024-02-29 10:00:00+00'::timestamptz AT TIME ZONE 'UTC'"],
  ...["timezone('UTC', '2024-02-29 10:00:00'::timestamp)", "date_bin('1 hour', '2024-02-29 10:30:00'::timestamp, '2024-01-01')"],
  ...["'2024-02-29 10:00:00.6789'::timestamp(3)", "'2024-02-29 10:00:00.6789+00'::timestamp(3) with time zone", 'round(total, 1)'],
  ...['ceil(total)', 'floor(total)', 'abs(-no)', 'sign(total)', 'mod(no, 2)', 'power(2::float8, 3)', 'sqrt(4::float8)', 'trunc(total)'],
  ...["'\\x01ff'::bytea", "regexp_replace(status, 'E', 'e')", "regexp_match(status, 'N(.)')", "total::\"numeric\"", 'status::pg_catalog.text'],
  ...["array_position(ARRAY['OLD', 'NEW'], status)", "array_position(ARRAY['a', 'b', 'a'], 'a', 2)", 'array_position(ARRAY[1, NULL], NULL)'],
  ...['width_bucket(total, 0, 100, 10)', 'width_bucket(total, 100, 0, 10)', 'width_bucket(no, 0, 1, 10)', 'width_bucket(0.3::float8, 0, 1, 10)'],
  ...['width_bucket(total::float8, 0, 0.1, 7)', 'width_bucket(total, ARRAY[1, 5, 10.5, 20])', "'off'::boolean", "' Yes '::bool", "'t'::boolean"],
  ...["replace(status, 'NEW', 'on')::boolean", "(no = 1)::boolean::text", "CASE WHEN 'of'::bool THEN 1 END"],
  ...["to_json('2024-02-29 10:00:00'::timestamp)", "json_build_object('a', '2024-02-29 10:00:00.5'::timestamp)", "to_json('2024-02-29'::date)"],
  ...["to_json('10:00'::time)", "to_json('2024-02-29 10:00:00+02'::timestamptz)", "to_json(interval '1 day')"],
  ...['999', '9999.99', 'FM999999.00', 'FM999,999,990.00', '9G999D99', 'S999.9', '999.9S', '999MI', 'SG999', 'PL999', '999PR', 'FM999PR', 'L999.99', '$999.99', 'RN', 'FMRN', '99V99', '999TH', 'FM990.99', '0000.0', 'FM0.9', '9.9', '.99', 'FM9,999.990', '"a b"999'].flatMap((format) => [`to_char(total, '${format}')`, `to_char(total - 25, '${format}')`, `to_char(no - 1, '${format}')`]),
  ...["to_char(0.125::float8, 'FM0.99')", "to_char(total::float8, '9.999EEEE')", "to_char(count(*) OVER (), '999th')"],
  ...['2 ^ 10', '2 ^ -1', '2 * 3 ^ 2', '-2 ^ 2', '2 ^ 3 ^ 2', 'to_hex(no::int + 254)', "sha256('abc'::bytea)", "encode(sha256(status::bytea), 'hex')", "md5('abc'::bytea)"],
  ...["substr('banana', -1, 3)", "substr('banana', -1)", "substr('banana', 0, 2)", 'substr(status, no::int - 2, 3)', 'substr(status, -5, 2)', 'substring(status FROM no::int FOR 2)', 'substr(NULL, -1, 1)', 'substr(status, NULL, 1)'],
  ...["'{\"a\": [1, 2.50]}'::jsonb = '{\"a\":[1,2.50]}'::jsonb", "date_trunc('century', '2024-02-29'::timestamp)", "date_trunc('century', '2000-12-31'::timestamp)", "date_trunc('millennium', '2024-02-29'::timestamp)"],
  ...['1e20::float8', '1e-7::float8', '12345678901234567890::float8', '1e15::float8', '1e14::float8', '0.00001::float8', '1234567::float4', '-1e20::float8', 'ARRAY[1e20::float8]', 'total::float8 * 1e20'],
  ...['round(total::float8)', 'round(0.5::float8)', 'round(1.5::float8)', 'round(-total::float8)', 'round(total)', 'round(-0.5)', 'round(total::float8 / 3 + 0.5)'],
  ...["status COLLATE \"C\" < 'O'", 'total BETWEEN 1 AND 100', 'count(*) OVER ()', 'row_number() OVER (ORDER BY no)', 'sum(no) OVER ()'],
] as const; // oxfmt-ignore

const WHOLE = [
  'SELECT CASE WHEN no > 1 THEN 1 / (no - 1) END > 0, no / NULLIF(no - 1, 0) > 0 FROM shop.orders ORDER BY customer_id, no',
  'SELECT total / (no - 1) > 5 FROM shop.orders WHERE no <> 1 ORDER BY 1',
  'SELECT sum(no / (no - 1)) FILTER (WHERE no <> 1) > 1 FROM shop.orders',
  'SELECT row_to_json(o) FROM shop.orders o ORDER BY customer_id, no',
  'SELECT to_json(q) FROM (SELECT status AS "a b", count(*) AS n FROM shop.orders GROUP BY 1) q ORDER BY q."a b"',
  'SELECT c.id, row_to_json(o) FROM shop.customers c LEFT JOIN shop.orders o ON o.customer_id = c.id AND o.no = 2 ORDER BY c.id',
  'SELECT c.id, o.d FROM shop.customers c, LATERAL (SELECT to_json(x) AS d FROM (SELECT max(no) AS m FROM shop.orders WHERE customer_id = c.id) x) o ORDER BY c.id',
  ...[
    ['ARRAY[no]', 'path || o.no', 'NOT o.no = ANY(path)'],
    ['ARRAY[no]', 'array_append(path, o.no)', 'array_position(path, o.no) IS NULL'],
    ["ARRAY['a'::text, status]", 'path || o.status', 'cardinality(path) < 4'],
    ["ARRAY['a'::text, status]", 'o.status || path', "o.status <> ALL(path) OR path[1] = 'a'"],
  ].map(
    ([path, more, guard]) =>
      `WITH RECURSIVE w AS (SELECT customer_id, no, ${path} AS path FROM shop.orders WHERE no = 1 UNION ALL ` +
      `SELECT o.customer_id, o.no, ${more} FROM shop.orders o JOIN w ON w.customer_id = o.customer_id AND o.no = w.no % 2 + 1 ` +
      `WHERE ${guard}) SELECT customer_id, no, path, path[1] AS first, array_length(path, 1), array_to_string(path, '>') FROM w ` +
      'ORDER BY path, customer_id, no',
  ),
  "SELECT ARRAY[status] || 'x'::text, status || ARRAY['x'], ARRAY[status] || '{x,y}', ARRAY[no] || NULL FROM shop.orders ORDER BY 1, 4",
  'SELECT l, l[1] AS first FROM (VALUES (ARRAY[10]), (ARRAY[9, 1]), (ARRAY[9]), (NULL), (ARRAY[9, NULL])) AS a(l), shop.orders o WHERE total = 20 ORDER BY l',
  'SELECT NULLIF(no, 1) / (no - 1) FROM shop.orders WHERE no = 1',
  'SELECT * FROM shop.orders ORDER BY customer_id, no',
  'TABLE shop.orders ORDER BY customer_id, no LIMIT 2',
  'SELECT * FROM penstock.shop.orders ORDER BY total DESC LIMIT 2',
  'SELECT id, address, vip FROM shop.customers ORDER BY id',
  "SELECT address->>'zip', address->'zip', address #>> '{zip}' FROM shop.customers WHERE id = 'c3'",
  "SELECT address @> '{\"zip\": \"1000\"}', address ? 'zip' FROM shop.customers WHERE id = 'c3'",
  'SELECT count(*), count(DISTINCT status), sum(no), min(total), max(status) FROM shop.orders',
  "SELECT sum(CASE WHEN status = 'PAID' THEN 1 ELSE 0 END) / count(*) FROM shop.orders",
  "SELECT count(*) FILTER (WHERE status = 'PAID') FROM shop.orders",
  'SELECT status, count(*) FROM shop.orders GROUP BY status HAVING count(*) > 1 ORDER BY 1',
  'SELECT array_agg(status ORDER BY customer_id, no), array_agg(no ORDER BY customer_id, no) FROM shop.orders',
  'SELECT (array_agg(customer_id ORDER BY total DESC))[1] FROM shop.orders',
  'SELECT array_agg(status), array_agg(no) FROM (SELECT status, no FROM shop.orders ORDER BY total DESC) o',
  "SELECT string_agg(name, ',') FROM (SELECT name FROM shop.customers ORDER BY id DESC LIMIT 2) c",
  "SELECT status, string_agg(customer_id, ',') FROM (SELECT * FROM shop.orders ORDER BY total) o GROUP BY status ORDER BY status",
  "WITH a AS (SELECT to_json(t) AS x FROM (SELECT id FROM shop.customers ORDER BY name DESC LIMIT 2) t), b AS (SELECT json_agg(to_json(a)) AS data FROM a) SELECT data->1->'x'->>'id' FROM b",
  "SELECT c.id, o.of FROM shop.customers c LEFT JOIN LATERAL (SELECT string_agg(o.status, ',') AS of FROM (SELECT * FROM shop.orders WHERE customer_id = c.id ORDER BY no DESC) o) o ON true ORDER BY c.id",
  "SELECT string_agg(k, '') FROM (VALUES ('z'), ('a'), ('m')) v(k), shop.customers WHERE id = 'c1'",
  "SELECT array_agg(e) FROM shop.customers, unnest(ARRAY['z', 'a', name]) e WHERE id = 'c1'",
  "SELECT string_agg(status, ',' ORDER BY customer_id, no) FROM shop.orders",
  'SELECT regr_sxx(no, total), regr_syy(no, total), regr_sxy(no, total), regr_avgx(no, total), regr_avgy(no, total) FROM shop.orders WHERE total < 100',
  'SELECT bool_and(no > 0), bool_or(no > 1), every(no > 0) FROM shop.orders',
  'SELECT DISTINCT ON (status) status, no FROM shop.orders ORDER BY status, customer_id DESC',
  'SELECT c.name, o.no FROM shop.customers c LEFT JOIN shop.orders o ON o.customer_id = c.id ORDER BY 1, 2',
  'SELECT name FROM shop.customers WHERE EXISTS (SELECT 1 FROM shop.orders o WHERE o.customer_id = id) ORDER BY name',
  'SELECT city FROM shop.customers ORDER BY city',
  'SELECT city FROM shop.customers ORDER BY city DESC',
  'WITH paid AS (SELECT * FROM shop.orders WHERE total > 10) SELECT count(*) FROM paid',
  "SELECT 'x' AS kind, id FROM shop.customers UNION ALL SELECT 'y', customer_id FROM shop.orders ORDER BY 1, 2",
  'SELECT id FROM shop.customers EXCEPT SELECT customer_id FROM shop.orders ORDER BY 1',
  'SELECT id FROM shop.customers ORDER BY id OFFSET 1 ROWS FETCH FIRST 1 ROWS ONLY',
  'SELECT id FROM shop.customers ORDER BY id LIMIT 1::bigint',
  'SELECT unnest(ARRAY[1,2]) FROM shop.customers ORDER BY 1',
  'SELECT generate_series(1, 2) FROM shop.customers ORDER BY 1',
  'SELECT id FROM shop.customers WHERE (address#>ARRAY[\'zip\']::text[])::jsonb::jsonb = \'"1000"\'',
  'SELECT id FROM shop.customers WHERE address->\'zip\' = \'1000\'',
  'SELECT id FROM shop.customers WHERE address->\'zip\' <> \'1000\' AND address->\'zip\' <> \'"2"\'',
  'SELECT id FROM shop.customers WHERE address->\'zip\' NOT IN (\'"1001"\', \'5\')',
  'SELECT id FROM shop.customers WHERE address->\'zip\' IS DISTINCT FROM \'"1000"\' ORDER BY 1',
  'SELECT id FROM shop.customers WHERE \'"1000"\' = address->\'zip\' AND address->\'zip\' = to_jsonb(\'1000\'::text)',
  'SELECT id FROM shop.customers WHERE address = \'{ "zip" : "1000" }\' AND address::jsonb = \'{"zip":"1000"}\' AND address <> \'{"zip":"1","a":2}\'',
  'SELECT id FROM shop.customers WHERE jsonb_typeof((address#>ARRAY[\'zip\'])::jsonb) = \'string\' AND address#>>ARRAY[\'zip\'] LIKE \'10%\'',
  'SELECT id FROM shop.customers WHERE address->\'zip\' @> \'"1000"\' AND address @> \'{"zip":"1000"}\'',
  'SELECT (address->\'zip\')::text, address->\'zip\', (address->\'zip\')::jsonb FROM shop.customers WHERE id = \'c3\'',
  'SELECT no FROM shop.orders WHERE \'{"a":[1,2]}\'::jsonb->\'a\' = \'[1, 2]\' AND no = 2',
  'SELECT no FROM shop.orders WHERE to_jsonb(no) = \'2\' AND to_jsonb(status) = \'"PAID"\'',
  'SELECT e.key FROM shop.customers c, jsonb_each(c.address) e WHERE e.value = \'"1000"\'',
  'SELECT no FROM shop.orders o, jsonb_array_elements(\'[1,"x"]\') e WHERE e = \'"x"\' AND no = 2',
  'SELECT value FROM shop.orders o, jsonb_array_elements(\'[1,"x",[3]]\') WHERE o.no = 2 ORDER BY value::text',
  'SELECT t, t.value FROM shop.orders o, jsonb_array_elements(\'[7]\') t WHERE o.no = 2',
  'SELECT e->>\'a\' AS a, e->\'b\' AS b FROM shop.orders o, jsonb_array_elements(\'[{"a":1,"b":"c"},{"a":"z"}]\') AS e WHERE o.no = 2 ORDER BY 1',
  'SELECT count(*) FROM shop.orders o CROSS JOIN LATERAL jsonb_array_elements(\'[{"n":1},{"n":5}]\') e WHERE (e->>\'n\')::int > 1',
  'SELECT v, n FROM shop.orders o, jsonb_array_elements_text(\'["p","q",null]\') WITH ORDINALITY AS t(v, n) WHERE o.no = 2 ORDER BY n',
  'SELECT no, json_array_elements_text(\'["a",2]\') AS x FROM shop.orders WHERE no = 2 ORDER BY x',
  'SELECT jsonb_object_keys(\'{"a":1,"bb":2}\') FROM shop.orders WHERE no = 2 ORDER BY 1',
  'SELECT k FROM shop.customers c, jsonb_object_keys(c.address) AS k',
  'SELECT c.id, k FROM shop.customers c LEFT JOIN LATERAL jsonb_object_keys(c.address) k ON TRUE ORDER BY 1',
  'SELECT c.id, e.key, e.value FROM shop.customers c, jsonb_each(c.address) e',
  'SELECT c.id, e.key, e.value FROM shop.customers c LEFT JOIN LATERAL jsonb_each_text(c.address) AS e ON TRUE ORDER BY 1',
  'SELECT k, v FROM shop.orders o, jsonb_each(\'{"a":1,"b":"x","c":[1]}\') e(k, v) WHERE o.no = 2 ORDER BY k',
  'SELECT c.id FROM shop.customers c WHERE EXISTS (SELECT 1 FROM jsonb_each_text(c.address) e WHERE e.key = \'zip\' AND e.value = \'1000\')',
  'SELECT c.id FROM shop.customers c WHERE c.address->\'zip\' = \'"1000"\' AND c.address->\'zip\' IN (\'"1000"\', \'2\')',
  'SELECT json_array_elements_text(json_build_array(no, status)) AS x FROM shop.orders WHERE customer_id = \'c1\' AND no = 1 ORDER BY x',
  "SELECT rank() OVER (ORDER BY status), lag(no) OVER (ORDER BY customer_id, no) FROM shop.orders ORDER BY 1, 2",
  'SELECT grouping(status), status, count(*) FROM shop.orders GROUP BY ROLLUP (status) ORDER BY 1, 2',
  "SELECT o.customer_id FROM shop.orders o WHERE o.status = 'NEW' AND o.no = 1 ORDER BY 1",
] as const; // oxfmt-ignore

/** Expressions of one row of orders that both refuse, by the same SQLSTATE. */
const REFUSED_OF_AN_ORDER = [
  ...['total / 0', 'total % 0', 'mod(total, 0)', 'total::int / 0', 'total::float8 / 0', 'total / (no - 1)', 'no % (no - 1)'],
  ...["'maybe'::boolean", 'status::boolean', 'width_bucket(no, 1, 1, 2)', 'width_bucket(no, 0, 1, 0)'],
  ...['mod(no, no - 1)', 'div(no, no - 1)', "interval '1 day' / (no - 1)", 'sum(no) OVER () / (no - 1)'],
] as const; // oxfmt-ignore

/** Statements that PostgreSQL answers, and that are refused by name here. */
const REFUSED_HERE = [
  [`SELECT address || '{"a":1}' FROM shop.customers`, /^0A000 .*\|\| of documents/],
  [
    `SELECT id FROM shop.customers WHERE address->'zip' = 'null'`,
    /^42601 A null within a document is NULL here/,
  ],
  [`SELECT no FROM shop.orders WHERE to_jsonb(no) > '1'`, /^0A000 .*documents by their order/],
  [`SELECT jsonb_set(address, '{zip}', '"2"') FROM shop.customers`, /^42883 .*JSONB_SET/],
] as const;

/** Statements that neither can read, and that both refuse by the same words: programs look for PostgreSQL's. */
const REFUSED_BY_THE_SAME_WORDS = [
  ...['SELECT nope FROM shop.orders', 'SELECT o.nope FROM shop.orders o', 'SELECT stauts FROM shop.orders', 'SELECT nofun(total) FROM shop.orders'],
  ...['SELECT * FROM shop.nope', 'SELECT * FROM nosuch.orders', 'SELECT no FROM shop.orders a, shop.orders b', 'SELECT status, count(*) FROM shop.orders'],
  ...['SELECT * FROM shop.orders WHERE', 'SELECT * FROM shop.orders WHERE total = = 1', 'SELECT * FROM shop.orders ORDER', 'TABLE AS orders'],
] as const; // oxfmt-ignore

/** Where values, types or names are others, and why. */
const DIFFERENCES: readonly (readonly [RegExp, string])[] = [
  [/total \/ 4 \* 4/, 'a quotient has the digits that it needs, not sixteen'],
  [/json\w*\(.*::timestamp/, 'a time in a document has a space where PostgreSQL has a T'],
  [/ARRAY\[no\] AS path|^SELECT l, l\[1\]/, 'an element of an array of numbers is announced as text'],
  [/^SELECT id, address, vip/, 'a document is written without spaces between its parts'],
];

describe('statements over tables beside PostgreSQL with the same rows', function () {
  this.timeout(STACK_START_TIMEOUT_MS);
  let beside: Beside;
  before(async () => {
    beside = await besidePostgres();
  });
  after(() => beside?.close());

  const statements = [...OF_AN_ORDER.map(ofAnOrder), ...WHOLE];
  for (const sql of statements) {
    const difference = DIFFERENCES.find(([pattern]) => pattern.test(sql))?.[1];
    it(`${sql}${difference === undefined ? '' : `: other, since ${difference}`}`, async () => {
      const [our, their] = [await seen(beside.ours, sql), await seen(beside.theirs, sql)];
      expect(typeof their, String(their)).to.equal('object');
      if (difference === undefined) expect(our).to.deep.equal(their);
      else expect(our, 'it is the same now').to.not.deep.equal(their);
    });
  }
  for (const sql of REFUSED_OF_AN_ORDER.map(ofAnOrder))
    it(`refused: ${sql}`, async () => {
      const [our, their] = [await seen(beside.ours, sql), await seen(beside.theirs, sql)];
      expect(their).to.be.a('string');
      expect(String(our).slice(0, 5), String(our)).to.equal(String(their).slice(0, 5));
    });

  for (const [sql, message] of REFUSED_HERE)
    it(`refused here: ${sql}`, async () => {
      expect(typeof (await seen(beside.theirs, sql))).to.equal('object');
      expect(await seen(beside.ours, sql)).to.match(message);
    });

  for (const sql of REFUSED_BY_THE_SAME_WORDS)
    it(`refused by the same words: ${sql}`, async () => {
      const [our, their] = [await seen(beside.ours, sql), await seen(beside.theirs, sql)];
      expect(their).to.be.a('string');
      expect(our).to.equal(their);
    });
});
