/** What users of other databases write: the answers they expect, or an error that says what to write instead. */
import { expect } from 'chai';
import { documents, emptyTable, mixed, oddNames } from './odd-tables.ts';
import { customers, orders } from './shop.ts';
import { startTestEngine, type TestEngine } from './test-engine.ts';

const answers: Readonly<Record<string, readonly (readonly [sql: string, rows: unknown])[]>> = {
  names: [
    [`SELECT id, "select", "order", "first-name", "a.b", "with space", üml FROM shop."my-odd.table_1" WHERE id = 'a'`, [['a', 1, 'o1', 'Jo', 5, 'sp', 'ü']]],
    [`SELECT name, "Name" FROM shop."my-odd.table_1" WHERE id = 'b'`, [['lo2', 'Up2']]],
    [`SELECT id FROM shop.my-odd.table_1`, [['a'], ['b']]],
    [`SELECT "my-odd.table_1".id FROM shop."my-odd.table_1" WHERE shop."my-odd.table_1".id = 'a'`, [['a']]],
    [`SELECT shop.documents.* FROM shop.documents, shop.customers c WHERE pk = 'q' AND sk = 1 AND c.id = 'c0'`, [['q', 1, null, 1e20, null, 'not a date', null, null, null, null, null]]],
    [`SELECT c.* FROM shop.documents d, shop.empty c`, []],
    [`SELECT id AS select, id "My Id" FROM shop.customers WHERE id = 'c0'`, [['c0', 'c0']]],
    [`SELECT name regexp FROM shop.customers WHERE id = 'c1'`, [['bob']]],
  ],
  documents: [
    [`SELECT d.address.city, d.address.geo.lat, d.tags[0], d.tags[2].deep, d.address.zip + 1 FROM shop.documents d WHERE pk = 'p'`, [['Bern', 46.9, 'a', 1, 3001], ['Oslo', null, null, null, null]]],
    [`SELECT address FROM shop.documents WHERE pk = 'q'`, [[null], ['just text']]],
    [`SELECT address.nope, text.deeper FROM shop.documents WHERE pk = 'q' AND sk = 2`, [[null, null]]],
    [`SELECT SIZE(tags), CONTAINS(tags, 'a') FROM shop.documents WHERE pk = 'p'`, [[3, true], [0, false]]],
    [`SELECT text, emoji, LENGTH(emoji), LENGTH(combined), UPPER(emoji) FROM shop.documents WHERE pk = 'q' AND sk = 2`, [['a\u0000b', '😀é', 2, 2, '😀É']]],
    [`SELECT sk FROM shop.documents WHERE marks = 'it''s "x" \\ % _' AND marks LIKE '%!%%' ESCAPE '!'`, [[2]]],
  ],
  lists: [
    [`SELECT [1, 'a', NULL, [2], TRUE], ARRAY[], ([1, 2])[0], SIZE([1, 2]), ARRAY_CONTAINS(ARRAY[1, 2], 2)`, [[[1, 'a', null, [2], true], [], 1, 2, true]]],
    [`SELECT JSON_ARRAY(id, address.street, NULL) FROM shop.customers WHERE id = 'c0'`, [[['c0', 'Street 0', null]]]],
    [`SELECT [9007199254740993, 12345678901234567890.5] = [9007199254740993, 12345678901234567890.5]`, [[true]]],
    [`SELECT MODE(5), MODE(NULL), SUBSTRING('abc', '2'), LEFT('abc', TRUE)`, [[5, null, 'bc', 'a']]],
  ],
  'values of any type': [
    [`SELECT id FROM shop.mixed WHERE v = 1`, [['one'], ['text-one'], ['true']]],
    [`SELECT id FROM shop.mixed WHERE v = 0`, [['zero']]],
    [`SELECT id FROM shop.mixed WHERE v = ''`, [['empty']]],
    [`SELECT id FROM shop.mixed WHERE v = true`, [['one'], ['text-one'], ['true']]],
    [`SELECT id FROM shop.mixed WHERE NOT (v <= 'x') AND v IS NOT NULL ORDER BY id`, [['half'], ['large'], ['map'], ['one'], ['tiny'], ['true'], ['zero']]],
    [`SELECT id FROM shop.mixed WHERE v = '01' AND id = 'one'`, [['one']]],
    [`SELECT id FROM shop.mixed WHERE v = '1.0'`, [['one']]],
    [`SELECT id FROM shop.mixed WHERE NOT (v < 5) AND NOT (v > 3) AND id < 'c'`, [['binaries'], ['binary']]],
    [`SELECT id, c.vip FROM shop.customers c WHERE c.vip = 't' AND c.vip = 'true'`, [['c0', true]]],
    [`SELECT c.id, o.number FROM shop.customers c LEFT JOIN shop.orders o ON o.customer = c.id AND o.number < 6 AND c.id IN (SELECT id FROM shop.customers WHERE vip) ORDER BY 1, 2`, [['c0', 0], ['c0', 4], ['c1', null], ['c2', null], ['c3', null], ['c4', null]]],
    [`SELECT number FROM shop.orders WHERE number NOT IN (SELECT name FROM shop.customers) AND customer = 'c1' AND number < 6`, [[1], [5]]],
    [`SELECT MODE(SQRT(4)) FROM shop.orders`, [[2]]],
    [`SELECT id FROM shop.mixed WHERE v IS NULL ORDER BY id`, [['missing'], ['null']]],
    [`SELECT count(*), count(v), count(DISTINCT v) FROM shop.mixed`, [[17, 15, 15]]],
    [`SELECT id FROM shop.mixed WHERE v > 1 ORDER BY id`, [['half'], ['large']]],
    [`SELECT id, TYPEOF(v) FROM shop.mixed WHERE id IN ('one', 'text', 'true', 'null', 'map', 'binary') ORDER BY id`, [['binary', 'BLOB'], ['map', 'JSON'], ['null', 'NULL'], ['one', 'NUMBER'], ['text', 'VARCHAR'], ['true', 'BOOLEAN']]],
    [`SELECT v FROM shop.mixed WHERE id IN ('texts', 'numbers', 'binaries') ORDER BY id`, [[['YQ==', 'eg==']], [[2, 10]], [['a', 'b']]]],
    [`SELECT * FROM shop.empty`, []],
    [`SELECT count(*), sum(id), max(id) FROM shop.empty`, [[0, null, null]]],
  ],
  'casts': [
    [`SELECT CAST(1.23456789 AS DECIMAL), 1.5::NUMERIC, CAST(7 AS DEC), CAST('12345678901234567890.55' AS DECIMAL)`, [[1.23456789, 1.5, 7, Number('12345678901234567890.55')]]],
    [`SELECT CAST(amount AS DECIMAL) FROM shop.documents`, [[10.25], [0.1], [1e20], [null]]],
    [`SELECT TRY_CAST('abc' AS DECIMAL), TRY_CAST('2024-13-01' AS DATE), CAST('3000000000' AS SIGNED)`, [[null, null, 3000000000]]],
    [`SELECT '5'::int + 1, 5::text || 'x', CAST(true AS INT), CAST('true' AS BOOLEAN)`, [[6, '5x', 1, true]]],
    [`SELECT TRY_CAST(created AS TIMESTAMP) FROM shop.documents`, [['2024-03-05T10:20:30.123'], ['2024-02-29T23:59:59'], [null], [null]]],
  ],
  'dates in text': [
    [`SELECT sk FROM shop.documents WHERE created = TIMESTAMP '2024-03-05 10:20:30.123'`, [[1]]],
    [`SELECT sk FROM shop.documents WHERE TIMESTAMPTZ '2024-03-01 00:00:00+00' < created`, [[1]]],
    [`SELECT sk FROM shop.documents WHERE created >= TIMESTAMP '2024-03-01 00:00:00'`, [[1]]],
    [`SELECT sk FROM shop.documents WHERE created BETWEEN DATE '2024-02-29' AND DATE '2024-03-06'`, [[1], [2]]],
    [`SELECT sk FROM shop.documents WHERE day IN (DATE '2024-03-05')`, [[1]]],
    [`SELECT EXTRACT(YEAR FROM created), DATE_TRUNC('month', created), created + INTERVAL 1 DAY FROM shop.documents WHERE pk = 'p' AND sk = 2`, [[2024, '2024-02-01T00:00:00', '2024-03-01T23:59:59']]],
    [`SELECT DATE '2024-03-05' - DATE '2024-03-01', DATE_DIFF('day', '2024-03-05', '2024-03-08'), LAST_DAY('2024-02-10')`, [[4, 3, '2024-02-29']]],
  ],
  'zones in text': [
    [`SELECT EXTRACT(HOUR FROM t), DATE_TRUNC('day', t), CAST(t AS TIMESTAMP), CAST(t AS DATE), CAST(t AS TIMESTAMPTZ) FROM (SELECT '2024-03-01T00:30:00+02:00' AS t) q`, [[22, '2024-02-29T00:00:00', '2024-02-29T22:30:00', '2024-02-29', '2024-02-29T22:30:00Z']]],
    [`SELECT t = TIMESTAMP '2024-02-29 22:30:00', t < DATE '2024-03-01', t BETWEEN DATE '2024-02-29' AND TIMESTAMP '2024-02-29T22:30:00Z' FROM (SELECT '2024-03-01T00:30:00+02:00' AS t) q`, [[true, true, true]]],
    [`SELECT DATE_DIFF('minute', '2024-03-01T00:30:00+02:00', '2024-02-29T22:30:00Z'), TIMESTAMP '2024-03-01T00:30:00+02:00'`, [[0, '2024-02-29T22:30:00']]],
    [`SELECT count(*) FROM (SELECT '2024-03-01T00:30:00+02:00' AS t UNION ALL SELECT 1) q WHERE t = TIMESTAMP '2024-02-29 22:30:00'`, [[1]]],
  ],
  'NULL': [
    [`SELECT NULL = NULL, NULL AND FALSE, NULL OR TRUE, NOT NULL, NULL IS NOT DISTINCT FROM NULL`, [[null, false, true, null, true]]],
    [`SELECT 1 IN (1, NULL), 2 IN (1, NULL), 2 NOT IN (1, NULL), NULL IN (1), 5 NOT BETWEEN NULL AND 3`, [[true, null, null, null, true]]],
    [`SELECT 'a' || NULL, CONCAT('a', NULL, 1), GREATEST(1, NULL, 3), 1 / 0, 1 % 0`, [[null, 'a1', 3, null, null]]],
    [`SELECT number FROM shop.orders WHERE number < 8 ORDER BY quantity, number`, [[0], [5], [7], [1], [2], [3], [4], [6]]],
    [`SELECT number FROM shop.orders WHERE number < 8 ORDER BY quantity DESC NULLS LAST, number LIMIT 2`, [[6], [4]]],
  ],
  'numbers and text': [
    [`SELECT 5 / 2, -7 % 3, 7.5 % 2, 0.1 + 0.2, 10 / 4 * 2`, [[2.5, -1, 1.5, 0.3, 5]]],
    [`SELECT ROUND(2.5), ROUND(-2.5), ROUND(1.005, 2), ROUND(1234, -2), TRUNC(-1.9), TRUNCATE(1.999, 2)`, [[3, -3, 1.01, 1200, -1, 1.99]]],
    [`SELECT ROUND(12345678901234567890123.55, -2) = 12345678901234567890100, ROUND(-12345678901234567890123.55, -1) = -12345678901234567890120, ROUND(99.99, -2), ROUND(49.9, -2), ROUND(5.5, -9), ROUND(CAST('12345678901234567890123456789012345678' AS HUGEINT), -2) = 12345678901234567890123456789012345700`, [[true, true, 100, 0, 0, true]]],
    [`SELECT TRUNC(12345678901234567890199.55, -2) = 12345678901234567890100, TRUNC(-199, -2), TRUNC(199.99, -1), TRUNC(5, -3)`, [[true, -100, 190, 0]]],
    [`SELECT TRUNC(12345678901234567.129, 2) = 12345678901234567.12, TRUNC(-1.999, 2), TRUNC(7, 2), TRUNC(1.5, 5), TRUNC(0.05, 1)`, [[true, -1.99, 7, 1.5, 0]]],
    [`SELECT '5' + 1, 'a' || 1, 1 || 2, true = 1, 'a' = 'a ', 'é' > 'z'`, [[6, 'a1', '12', true, false, true]]],
    [`SELECT 'abc' LIKE 'A%', 'abc' ILIKE 'A%', 'a%c' LIKE 'a!%c' ESCAPE '!'`, [[false, true, true]]],
    [`SELECT REGEXP_EXTRACT('abc', 'b(.)', 1), REGEXP_LIKE('abc', 'a.c'), SPLIT_PART('a-b-c', '-', 2)`, [['c', true, 'b']]],
    [`SELECT name FROM shop.customers WHERE 'true' = vip`, [['ann']]],
  ],
  'patterns': [
    [`SELECT name FROM shop.customers WHERE name ~ '^[ab]' ORDER BY name`, [['ann'], ['bob']]],
    [`SELECT name FROM shop.customers WHERE name !~ '^[ab]' ORDER BY name`, [['cem'], ['dee'], ['eve']]],
    [`SELECT 'abc' ~ 'b', 'abc' ~ 'B', 'abc' ~* 'B', 'abc' !~* 'B', 'a' || 'b' ~ 'ab', NULL ~ 'a', 'a' ~ 'a' = TRUE`, [[true, false, true, false, true, null, true]]],
    [`SELECT 'abc' SIMILAR TO 'a%', 'abc' SIMILAR TO 'b', 'abc' SIMILAR TO '(a|x)_c', 'a.c' SIMILAR TO 'a.c', 'abc' SIMILAR TO 'a.c'`, [[true, false, true, true, false]]],
    [`SELECT 'a%' SIMILAR TO 'a\\%', 'ab' SIMILAR TO 'a\\%', 'aab' SIMILAR TO 'a{2}b', 'x' NOT SIMILAR TO '[a-c]', '7' SIMILAR TO '[[:digit:]]+', 'a' SIMILAR TO 'b|a', 'ab' SIMILAR TO 'b|a', NULL SIMILAR TO 'a'`, [[true, false, true, true, true, true, false, null]]],
    [`SELECT 'x$' SIMILAR TO 'x$', 'x' SIMILAR TO 'x$', 'a]' SIMILAR TO 'a]', 'x' SIMILAR TO NULL`, [[true, false, true, null]]],
  ],
  'elements of lists': [
    [`SELECT name FROM shop.customers WHERE city = ANY (ARRAY['Bern', 'Zug']) ORDER BY 1`, [['ann'], ['cem'], ['eve']]],
    [`SELECT name FROM shop.customers WHERE id <> ALL (ARRAY['c1', 'c2']) ORDER BY 1`, [['ann'], ['dee'], ['eve']]],
    [`SELECT number FROM shop.orders WHERE number > ALL ([50, 57]) ORDER BY 1`, [[58], [59]]],
    [`SELECT 1 < ANY ([0, 5]), 1 = ANY (ARRAY[]), 1 <> ALL ([]), 1 >= SOME ([1]), 1 = ANY ([2, NULL])`, [[true, false, true, true, null]]],
    [`SELECT id FROM shop.customers WHERE 't2' = ANY (tags)`, [['c2']]],
    [`SELECT id FROM shop.customers WHERE 't2' <> ALL (tags) ORDER BY 1`, [['c0'], ['c1'], ['c3'], ['c4']]],
    [`SELECT tags[-1], tags[2], address.geo[0 + 1], tags[LENGTH(id) - 2], (ARRAY['a', 'b'])[-1] FROM shop.customers WHERE id = 'c1'`, [['x', null, 1.5, 't1', 'b']]],
    [`SELECT tags[sk - 1], tags[sk + 1].deep, address['zi' || 'p'], (address)[CASE WHEN sk = 1 THEN 'city' ELSE 'zip' END] FROM shop.documents`, [['a', 1, 3000, 'Bern'], [null, null, null, null], [null, null, null, null], [null, null, null, null]]],
    [`SELECT c.tags[o.number] FROM shop.customers c JOIN shop.orders o ON o.customer = c.id WHERE o.number < 4 ORDER BY c.id`, [['t0'], ['x'], [null], [null]]],
    [`SELECT sk, (SELECT TO_JSON(a.address).city FROM shop.customers c WHERE c.id = 'c1') FROM shop.documents a WHERE pk = 'p'`, [[1, 'Bern'], [2, 'Oslo']]],
    [`SELECT (SELECT a.v.geo[o.number + 1] FROM shop.orders o WHERE o.customer = a.id AND o.number < 2) FROM (SELECT id, TO_JSON(address) AS v FROM shop.customers) a ORDER BY id`, [[0.5], [null], [null], [null], [null]]],
  ],
  'steps into what is computed': [
    [`SELECT COALESCE(address, 'none').city, (CASE WHEN sk = 1 THEN address ELSE 'none' END).zip FROM shop.documents`, [['Bern', 3000], ['Oslo', null], [null, null], [null, null]]],
    [`SELECT (SELECT COALESCE(a.address, 'none').city FROM shop.customers c WHERE c.id = 'c1') FROM shop.documents a WHERE pk = 'p'`, [['Bern'], ['Oslo']]],
    [`SELECT ([[1, 3]])[0][0 + 1], address.geo['l' || 'at'] FROM shop.documents WHERE pk = 'p' AND sk = 1`, [[3, 46.9]]],
    [`SELECT ('no document').x, (5).x, (TRUE)[0], ('{"x":7}').x`, [[null, null, null, 7]]],
  ],
  'stars': [
    [`SELECT * EXCLUDE (tags, address) FROM shop.customers WHERE id = 'c1'`, [['c1', 'Oslo', 'bob', false]]],
    [`SELECT * EXCLUDE TAGS REPLACE (UPPER(name) AS name, 1 AS vip) RENAME (city AS town) FROM shop.customers WHERE id = 'c1'`, [['c1', { geo: [1, 1.5], street: 'Street 1' }, 'Oslo', 'BOB', 1]]],
    [`SELECT c.* EXCLUDE (tags, address), o.* REPLACE total * 2 AS total FROM shop.customers c JOIN shop.orders o ON o.customer = c.id WHERE c.id = 'c1' AND number = 1`, [['c1', 'Oslo', 'bob', false, 'c1', 1, '1', null, '2024-02-15T10:00:00Z', 1, 'paid', 2.5]]],
    [`SELECT town FROM (SELECT * RENAME city AS town FROM shop.customers) q WHERE town = 'Oslo' LIMIT 1`, [['Oslo']]],
  ],
  'FROM first': [
    [`FROM shop.customers SELECT name WHERE id = 'c1'`, [['bob']]],
    [`FROM (FROM shop.orders SELECT customer, count(*) AS n GROUP BY customer) q ORDER BY n, customer LIMIT 2`, [['c0', 15], ['c1', 15]]],
    [`SELECT name FROM shop.customers WHERE id IN (FROM shop.orders SELECT customer WHERE number = 1)`, [['bob']]],
    [`WITH a AS (FROM shop.my-odd.table_1 SELECT id) FROM a UNION ALL FROM a ORDER BY 1`, [['a'], ['a'], ['b'], ['b']]],
  ],
  'TABLE, which is SELECT * of it': [
    [`SELECT id FROM (TABLE shop.my-odd.table_1 ORDER BY id LIMIT 1 OFFSET 1) t`, [['b']]],
    [`WITH a AS (SELECT id FROM shop.my-odd.table_1) TABLE a UNION ALL (TABLE a) ORDER BY 1 LIMIT 3`, [['a'], ['a'], ['b']]],
    [`SELECT count(*) FROM (TABLE shop.customers) c WHERE EXISTS (TABLE shop.orders)`, [[5]]],
  ],
  'joins that filter': [
    [`SELECT name FROM shop.customers c SEMI JOIN shop.orders o ON o.customer = c.id AND o.total > 70 ORDER BY name`, [['bob'], ['cem'], ['dee']]],
    [`SELECT * FROM (SELECT id, name FROM shop.customers) c SEMI JOIN (SELECT customer AS id FROM shop.orders WHERE number < 2) o USING (id) JOIN (SELECT 'c1' AS k) k ON k.k = c.id`, [['c1', 'bob', 'c1']]],
    [`SELECT count(*) FROM shop.orders o SEMI JOIN shop.customers c ON o.customer = c.id AND c.id = 'c1'`, [[15]]],
  ],
  'whole parts of quotients': [
    [`SELECT 7 // 2, -7 // 2, 7 // -2, 7.5 // 2, 1 // 0, 0 // 5, 2 * 7 // 4, 0.3 // 0.1, '9' // 2, NULL // 2, DIV(9, 4)`, [[3, -3, -3, 3, null, 0, 3, 3, 4, null, 2]]],
    [`SELECT 12345678901234567890123456789012345678 // 3 = 4115226300411522630041152263004115226, 123456789012345678.5 // 0.25 = 493827156049382714`, [[true, true]]],
    [`SELECT number // 20 AS bucket, count(*) FROM shop.orders GROUP BY bucket ORDER BY bucket`, [[0, 20], [1, 20], [2, 20]]],
  ],
  'limits inside of queries': [
    [`SELECT k, m FROM (SELECT k, 1 AS m FROM (SELECT customer AS k, number AS n FROM shop.orders ORDER BY n DESC LIMIT 2) a) b ORDER BY k`, [['c2', 1], ['c3', 1]]],
    [`SELECT k, m FROM (SELECT k, 1 AS m FROM (SELECT k, n FROM (SELECT DISTINCT customer AS k, number AS n FROM shop.orders) q ORDER BY n DESC LIMIT 2) a) b`, [['c2', 1], ['c3', 1]]],
    [`SELECT k FROM (SELECT k FROM (SELECT DISTINCT customer AS k, number AS n FROM shop.orders ORDER BY n DESC LIMIT 2) a) b`, [['c2'], ['c3']]],
    [`WITH a AS (SELECT DISTINCT customer AS k, number AS n FROM shop.orders ORDER BY n DESC LIMIT 2) SELECT x.k FROM a x JOIN a y ON x.n = y.n`, [['c2'], ['c3']]],
  ],
  'shapes of queries': [
    [`SELECT COALESCE(customer, 'none', status), COALESCE(-1, total) FROM shop.orders GROUP BY customer ORDER BY 1 LIMIT 1`, [['c0', -1]]],
    [`SELECT customer, number FROM shop.orders QUALIFY ROW_NUMBER() OVER (PARTITION BY customer ORDER BY number DESC) = 1 ORDER BY customer`, [['c0', 56], ['c1', 57], ['c2', 58], ['c3', 59]]],
    [`SELECT DISTINCT ON (customer) customer, number FROM shop.orders ORDER BY customer, number DESC`, [['c0', 56], ['c1', 57], ['c2', 58], ['c3', 59]]],
    [`SELECT customer, GROUPING(customer), COUNT(*) FROM shop.orders GROUP BY GROUPING SETS ((customer), ()) ORDER BY 1 LIMIT 2`, [[null, 1, 60], ['c0', 0, 15]]],
    [`SELECT customer, status, COUNT(*) FROM shop.orders GROUP BY ROLLUP (customer, status) ORDER BY 1, 2 LIMIT 2`, [[null, null, 60], ['c0', null, 15]]],
    [`SELECT SUM(total) FILTER (WHERE status = 'paid') FROM shop.orders`, [[737.5]]],
    [`SELECT number, SUM(total) OVER (ORDER BY number ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM shop.orders ORDER BY number LIMIT 3`, [[0, 0], [1, 1.25], [2, 3.75]]],
    [`SELECT c.name FROM shop.customers c NATURAL JOIN (SELECT 'c1' AS id) x`, [['bob']]],
    [`SELECT id, c.name, z FROM shop.customers c JOIN (SELECT 'c1' AS id, 5 AS z) x USING (id)`, [['c1', 'bob', 5]]],
    [`SELECT * FROM (VALUES (1, 'a'), (2, 'b')) v(x, y)`, [[1, 'a'], [2, 'b']]],
    [`SELECT number FROM shop.orders ORDER BY number OFFSET 3 ROWS FETCH NEXT 2 ROWS ONLY`, [[3], [4]]],
    [`SELECT id FROM shop.customers WHERE id > ALL (SELECT customer FROM shop.orders)`, [['c4']]],
    [`SELECT id FROM shop.customers WHERE (id, name) IN (SELECT customer, 'bob' FROM shop.orders)`, [['c1']]],
    [`SELECT STRING_AGG(name, ',' ORDER BY name DESC), PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY name = 'ann') IS NULL FROM shop.customers WHERE id < 'c2'`, [['bob,ann', false]]],
    [`SELECT id FROM shop.customers EXCEPT ALL SELECT customer FROM shop.orders`, [['c4']]],
    [`WITH a(x) AS (SELECT id FROM shop.customers) SELECT x FROM a WHERE x = 'c1'`, [['c1']]],
    [`SELECT id FROM shop.customers WHERE id = any('{}')`, []],
    [`SELECT id FROM shop.customers WHERE id = any('{c1,c2}')`, [['c1'], ['c2']]],
    [`SELECT id FROM shop.customers WHERE id = any('{c0,c2}'::text[])`, [['c0'], ['c2']]],
    [`SELECT id FROM shop.customers WHERE id = any(array['c1','c2']::"text"[])`, [['c1'], ['c2']]],
    [`SELECT number FROM shop.orders WHERE customer = 'c0' AND number = any('{4, 8}'::pg_catalog.int4[])`, [[4], [8]]],
    [`SELECT number FROM shop.orders WHERE customer = 'c0' AND number <> all('{0,4,8,12}') AND number < 20`, [[16]]],
    [`SELECT '{1,-2,+3,"4",null}'::int[], '{a, b c ,"d\\"\\\\e,f"}'::text[], ARRAY['1.50']::numeric[], '{true}'::boolean[]`, [[[1, -2, 3, 4, null], ['a', 'b c', 'd"\\e,f'], [1.5], [true]]]],
    [`SELECT number::"int4", CAST(number AS pg_catalog.int8), customer::pg_catalog.text FROM shop.orders WHERE customer = 'c0' AND number = 4`, [[4, 4, 'c0']]],
    [`SELECT id FROM shop.customers ORDER BY id LIMIT 1::bigint OFFSET CAST('1' AS int)`, [['c1']]],
    [`SELECT id FROM shop.customers ORDER BY id LIMIT '2'`, [['c0'], ['c1']]],
  ],
}; // oxfmt-ignore

/** The error's code, and what its text or detail says. */
const refusals: readonly (readonly [sql: string, code: string, says: string])[] = [
  ['SELECT order FROM shop.orders', 'PARSE_ERROR', 'a column of this name is written "order"'],
  ["SELECT name 'n' FROM shop.customers", 'PARSE_ERROR', 'a name is put in "double quotes"'],
  ['SELECT TOP 5 number FROM shop.orders', 'PARSE_ERROR', 'write LIMIT at the end of the query'],
  ['SELECT number FROM shop.orders LIMIT 1, 2', 'PARSE_ERROR', 'write LIMIT … OFFSET …'],
  ['SELECT customer FROM shop.orders GROUP BY customer WITH ROLLUP', 'PARSE_ERROR', 'write GROUP BY ROLLUP (…)'],
  ["SELECT GROUP_CONCAT(name SEPARATOR '-') FROM shop.customers", 'PARSE_ERROR', 'STRING_AGG(x, separator)'],
  ['SELECT id FROM shop.customers MINUS SELECT customer FROM shop.orders', 'PARSE_ERROR', 'MINUS is written EXCEPT'],
  ['SELECT name FROM shop.customers WHERE id = @x', 'PARSE_ERROR', 'parameters are written :name or ?'],
  ['SELECT IF(1, 2)', 'PARSE_ERROR', 'IF takes 3 arguments, not 2'],
  ['SELECT COALESCE()', 'PARSE_ERROR', 'COALESCE takes at least 1 argument, not 0'],
  ['SELECT NULLIF(1)', 'PARSE_ERROR', 'NULLIF takes 2 arguments, not 1'],
  ['SELECT 1 BETWEEN SYMMETRIC 2 AND 1', 'UNSUPPORTED_SQL', 'BETWEEN SYMMETRIC; give the lower bound first'],
  ["SELECT name FROM shop.customers WHERE name SIMILAR TO city", 'INVALID_QUERY', 'The pattern of SIMILAR TO must be a text constant'],
  ["SELECT 'a' SIMILAR TO 'a['", 'INVALID_QUERY', "has a '[' that is not closed"],
  ["SELECT 'a' SIMILAR TO 'a{b'", 'INVALID_QUERY', "has a '{' that counts nothing"],
  ["SELECT 'a' SIMILAR TO 'a#%' ESCAPE '#'", 'UNSUPPORTED_SQL', 'a backslash makes the next character plain'],
  ["SELECT id FROM shop.customers WHERE id < ANY (tags)", 'INVALID_QUERY', 'of a list that is an attribute: = ANY, <> ALL or ARRAY_CONTAINS'],
  ["SELECT id FROM shop.customers WHERE name = ANY ('ann,bob')", 'INVALID_QUERY', "lists are written ARRAY['a', 'b']"],
  ["SELECT address['a' || 'b'].x[sk].y[sk] FROM shop.documents", 'INVALID_QUERY', 'take the first of them in a common table expression'],
  ['SELECT tags[1:number] FROM shop.customers', 'PARSE_ERROR', "write ': number' for a column"],
  ['SELECT name, o.total FROM shop.customers c SEMI JOIN shop.orders o ON o.customer = c.id', 'COLUMN_NOT_FOUND', 'o.total'],
  ['SELECT name FROM shop.customers c SEMI JOIN shop.orders o', 'PARSE_ERROR', 'SEMI JOIN without ON or USING'],
  ['SELECT name FROM shop.customers c ANTI JOIN shop.orders o ON TRUE', 'UNSUPPORTED_SQL', 'write WHERE NOT EXISTS (…)'],
  ['FROM shop.customers SELECT id FROM shop.orders', 'PARSE_ERROR', 'this clause stands too late or twice'],
  ["SELECT name FROM shop.customers ORDER BY 'name'", 'INVALID_QUERY', 'names stand in double quotes'],
  ['SELECT name FROM shop.customers ORDER BY 1.5', 'INVALID_QUERY', 'ORDER BY takes no constant but a position'],
  ['SELECT name FROM shop.customers ORDER BY -1', 'INVALID_QUERY', 'ORDER BY takes no constant but a position'],
  ["SELECT id FROM shop.customers UNION SELECT customer FROM shop.orders ORDER BY NULL", 'INVALID_QUERY', 'ORDER BY takes no constant but a position'],
  ['SELECT DISTINCT ON (customer) customer, number FROM shop.orders ORDER BY number', 'INVALID_QUERY', 'ORDER BY must start with the expressions of DISTINCT ON'],
  ['SELECT DISTINCT ON (customer, status) number FROM shop.orders ORDER BY status, number', 'INVALID_QUERY', 'ORDER BY must start with the expressions of DISTINCT ON'],
  ["SELECT 'a' REGEXP 'b'", 'UNSUPPORTED_SQL', 'write REGEXP_MATCHES(text, pattern)'],
  ["SELECT address->>'$.city' FROM shop.documents", 'UNSUPPORTED_SQL', "write -> 'name' for each step"],
  ['SELECT * EXCLUDE (nme) FROM shop.customers', 'COLUMN_NOT_FOUND', 'did you mean name?'],
  ['SELECT * EXCLUDE (name) REPLACE (1 AS Name) FROM shop.customers', 'PARSE_ERROR', 'a column of * is changed once'],
  ['SELECT id.* EXCLUDE (a) FROM (SELECT 1 AS a) id', 'INVALID_QUERY', 'SELECT has no column left'],
  ['WITH RECURSIVE r AS (SELECT 1 UNION ALL SELECT 2 LIMIT 1) SELECT * FROM r', 'UNSUPPORTED_SQL', 'write them where r is used'],
  ['WITH a AS (SELECT 1), A AS (SELECT 2) SELECT * FROM a', 'PARSE_ERROR', 'WITH has another query of this name'],
  ['SHOW TABLES', 'UNSUPPORTED_SQL', 'only SELECT is supported: tables and columns are shown by list_tables'],
  ['DESCRIBE shop.customers', 'UNSUPPORTED_SQL', 'describe_table over MCP'],
  ['SELECT NAME FROM shop."my-odd.table_1"', 'AMBIGUOUS_NAME', 'put the exact name in double quotes'],
  ['SELECT nme FROM shop.customers', 'COLUMN_NOT_FOUND', 'did you mean name?'],
  ['SELECT c.address.* FROM shop.customers c', 'UNSUPPORTED_SQL', '* after a name with a dot'],
  ['SELECT other.customers.* FROM shop.customers', 'UNSUPPORTED_SQL', 'a table in FROM'],
  ['SELECT RANDOM()', 'FUNCTION_NOT_FOUND', 'nothing random is offered'],
  ['SELECT UNNEST(tags), UNNEST(tags) FROM shop.customers', 'UNSUPPORTED_SQL', 'FROM t CROSS JOIN UNNEST(t.list) AS u(x)'],
  ["SELECT DATEDIFF('2024-03-08', '2024-03-05')", 'INVALID_QUERY', "for example DATE_DIFF('day'"],
  ['SELECT COUNT(id, name) FROM shop.customers', 'INVALID_QUERY', 'COUNT takes * or 1 argument, not 2'],
  ['SELECT CAST(1 AS UNSIGNED)', 'INVALID_QUERY', 'did you mean SIGNED?'],
  ["SELECT CAST('x' AS BIGINT)", 'EXECUTION_ERROR', "Could not convert string 'x' to BIGINT"],
  ['SELECT 1,\n  CAST(name AS BIGINT) FROM shop.customers', 'EXECUTION_ERROR', 'at line 2, column 3: Conversion failed'],
  ["SELECT CAST('1' AS BIGINT), CAST('y' AS BIGINT)", 'EXECUTION_ERROR', 'at line 1, column 29: Conversion failed'],
  ['SELECT CAST(name AS INT), CAST(name AS DATE), LENGTH(name) + CAST(name AS INT) FROM shop.customers', 'EXECUTION_ERROR', 'at line 1, column 8 or line 1, column 62: Conversion failed'],
  ["SELECT id FROM shop.customers WHERE (SELECT MAX(CAST(o.status AS DATE)) FROM shop.orders o) > NOW()", 'EXECUTION_ERROR', 'at line 1, column 49'],
  ['SELECT number, CAST(number * 1000 AS TINYINT) FROM shop.orders', 'EXECUTION_ERROR', 'at line 1, column 16'],
  ["SELECT STRPTIME(name, '%Y') FROM shop.customers", 'EXECUTION_ERROR', 'at line 1, column 8: Invalid value'],
  ["SELECT name FROM shop.customers WHERE name ~ '('", 'EXECUTION_ERROR', 'at line 1, column 39: Invalid value'],
  ["SELECT DATE '2024-02-31'", 'EXECUTION_ERROR', 'at line 1, column 8: Conversion failed'],
  ['SELECT SUM(number * 99999999999999999999999999999999999) FROM shop.orders', 'EXECUTION_ERROR', 'which part of the statement it is about cannot be told'],
  ['SELECT 1e400', 'TYPE_ERROR', 'the number 1e400 is out of range'],
  ['SELECT 1,\n  SUM(address) FROM shop.customers', 'TYPE_ERROR', 'at line 2, column 7: JSON cannot be used as a number'],
  [`SELECT UPPER('a') + 1 + X'1F'`, 'TYPE_ERROR', 'at line 1, column 8: BLOB cannot be used as a number'],
  ["SELECT AGE(TIME '01:02:03', NOW())", 'TYPE_ERROR', 'AGE does not take TIME'],
  ["SELECT DATE_ADD(DATE '2024-01-31', 5)", 'TYPE_ERROR', 'BIGINT cannot be used as INTERVAL'],
  ["SELECT DATE_TRUNC('mnth', NOW())", 'INVALID_QUERY', "DATE_TRUNC knows no unit 'mnth'; did you mean 'month'?"],
  ['SELECT DATE_TRUNC(5, NOW())', 'INVALID_QUERY', 'The unit of DATE_TRUNC must be text'],
  ['SELECT STRFTIME(placed, status) FROM shop.orders', 'INVALID_QUERY', 'must be a text constant; write it as a literal or a parameter'],
  ['SELECT STRING_AGG(name, id) FROM shop.customers', 'INVALID_QUERY', 'The separator of STRING_AGG must be a text constant'],
  ["SELECT REGEXP_MATCHES('a', 'b', 'z')", 'INVALID_QUERY', "for example 'i' or 'g'"],
  ["SELECT REGEXP_EXTRACT('a', 'b', 'c')", 'INVALID_QUERY', 'must be a constant from 0 to 9'],
  ['SELECT PERCENTILE_CONT(5) WITHIN GROUP (ORDER BY number) FROM shop.orders', 'INVALID_QUERY', 'must be a constant from 0 to 1'],
  ["SELECT 'a' LIKE 'b' ESCAPE 'cd'", 'INVALID_QUERY', 'ESCAPE takes one character'],
  ["SELECT CAST(DATE '2024-01-31' AS BIGINT)", 'EXECUTION_ERROR', 'DATE cannot be cast to BIGINT'],
  ['SELECT SUM(total) OVER (ORDER BY status RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) FROM shop.orders', 'TYPE_ERROR', 'RANGE cannot add BIGINT to VARCHAR; cast what it is ordered by'],
  ['SELECT SUM(total) OVER (ORDER BY number, status RANGE 1 PRECEDING) FROM shop.orders', 'INVALID_QUERY', 'exactly one ORDER BY expression'],
  ['SELECT SUM(total) OVER (ORDER BY number ROWS -1 PRECEDING) FROM shop.orders', 'INVALID_QUERY', 'cannot be negative'],
  ['SELECT SUM(total) OVER (ORDER BY number ROWS UNBOUNDED FOLLOWING) FROM shop.orders', 'UNSUPPORTED_SQL', 'a frame that starts at UNBOUNDED FOLLOWING'],
  ['SELECT SUM(total) OVER (ORDER BY number ROWS BETWEEN CURRENT ROW AND 1 PRECEDING) FROM shop.orders', 'UNSUPPORTED_SQL', 'swap its bounds'],
  ['SELECT RANK() FILTER (WHERE TRUE) OVER (ORDER BY number) FROM shop.orders', 'UNSUPPORTED_SQL', 'FILTER for RANK; only aggregates take it'],
  ['SELECT LAG(DISTINCT total) OVER (ORDER BY number) FROM shop.orders', 'UNSUPPORTED_SQL', 'DISTINCT for LAG; only aggregates take it'],
]; // oxfmt-ignore

/** Names of our own, of the engine underneath, of its types, and its way to put things. */
const INSIDE =
  /\b[ctkf]\d+\b|\bps_\w+|duckdb|STRUCT|_LITERAL|LIST_VALUE|Binder Error|[Cc]andidate|No function matches|type casts?\b/i;

describe('SQL that users write', () => {
  let engine: TestEngine;
  before(async () => {
    engine = await startTestEngine([customers(), orders(), oddNames(), mixed(), documents(), emptyTable()]);
  });
  after(() => engine.close());
  afterEach(() => expect(engine.disagreements).to.deep.equal([]));

  for (const [group, cases] of Object.entries(answers)) {
    describe(group, () => {
      for (const [sql, rows] of cases) {
        it(sql, async () => expect((await engine.run(sql)).rows).to.deep.equal(rows));
      }
    });
  }

  describe('is refused with what to do', () => {
    for (const [sql, code, says] of refusals) {
      it(sql, async () => {
        const { code: actual, message, detail } = await engine.failure(sql);
        expect(actual).to.equal(code);
        expect(`${message}\n${detail}`).to.include(says);
        // Nothing of the inside: names of our own, of the engine underneath, of its types.
        expect(`${message}\n${detail}`).to.not.match(INSIDE);
      });
    }
  });
});
