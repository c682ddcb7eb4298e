/** Queries as reports and dashboards ask them, over the shop's tables. */

/** A query with what a plain DuckDB is asked instead, where documents or parameters are written differently there. */
export interface Report {
  readonly sql: string;
  readonly plain?: string;
  readonly parameters?: unknown;
}

const q = (sql: string): Report => ({ sql });
const both = (sql: string, plain: string, parameters?: unknown): Report => ({ sql, plain, parameters });

export const REPORTS: Readonly<Record<string, readonly Report[]>> = {
  'totals and shares': [
    q(`SELECT status, count(*) AS orders, SUM(total) AS revenue, AVG(total) AS average, MIN(total), MAX(total) FROM shop.orders GROUP BY status ORDER BY revenue DESC`),
    q(`SELECT status, ROUND(100.0 * SUM(total) / SUM(SUM(total)) OVER (), 2) AS share FROM shop.orders GROUP BY status ORDER BY status`),
    q(`SELECT customer, SUM(total) AS revenue, RANK() OVER (ORDER BY SUM(total) DESC) AS place FROM shop.orders GROUP BY customer ORDER BY place`),
    q(`SELECT COALESCE(status, 'all') AS status, COALESCE(customer, 'all') AS customer, count(*), SUM(total) FROM shop.orders GROUP BY ROLLUP (status, customer) ORDER BY 1, 2`),
    q(`SELECT status, quantity IS NULL AS unknown, count(*) FROM shop.orders GROUP BY CUBE (status, quantity IS NULL) ORDER BY status, unknown`),
    q(`SELECT count(*), count(quantity), count(DISTINCT quantity), SUM(quantity), AVG(quantity), SUM(COALESCE(quantity, 0)) FROM shop.orders`),
    q(`SELECT customer, count(*) FILTER (WHERE status = 'open') AS open, count(*) FILTER (WHERE status <> 'open') AS other FROM shop.orders GROUP BY customer HAVING count(*) FILTER (WHERE status = 'open') >= 5 ORDER BY customer`),
    q(`SELECT status, STDDEV(total), VARIANCE(total), STDDEV_POP(quantity) FROM shop.orders GROUP BY status ORDER BY status`),
    // DuckDB rounds a median to as many digits as its decimals have.
    both(`SELECT status, MEDIAN(total), PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY total), PERCENTILE_DISC(0.25) WITHIN GROUP (ORDER BY number) FROM shop.orders GROUP BY status ORDER BY status`, `SELECT status, MEDIAN(total::DOUBLE), PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY total::DOUBLE), PERCENTILE_DISC(0.25) WITHIN GROUP (ORDER BY number) FROM shop.orders GROUP BY status ORDER BY status`),
    q(`SELECT SUM(total * quantity) / NULLIF(SUM(quantity), 0) AS weighted FROM shop.orders WHERE quantity > 0`),
    q(`SELECT c.city, SUM(o.total) AS revenue FROM shop.customers c LEFT JOIN shop.orders o ON o.customer = c.id GROUP BY c.city HAVING SUM(o.total) > 100 OR c.city IS NULL ORDER BY c.city`),
    q(`SELECT BOOL_AND(total > 1), BOOL_OR(quantity = 6), COUNT(*) = SUM(1) FROM shop.orders WHERE number > 1`),
    q(`SELECT customer, STRING_AGG(DISTINCT status, '/' ORDER BY status) FROM shop.orders GROUP BY customer ORDER BY customer`),
    q(`SELECT MAX_BY(number, total), MIN_BY(number, total) FROM shop.orders`),
  ],
  'pivots': [
    q(`SELECT customer, SUM(CASE WHEN status = 'open' THEN total ELSE 0 END) AS open, SUM(CASE WHEN status = 'paid' THEN total ELSE 0 END) AS paid, SUM(CASE status WHEN 'sent' THEN total END) AS sent FROM shop.orders GROUP BY customer ORDER BY customer`),
    q(`SELECT SUBSTRING(placed, 1, 7) AS month, count(*) FILTER (WHERE customer = 'c0') AS c0, count(*) FILTER (WHERE customer = 'c1') AS c1, SUM(total) FILTER (WHERE quantity IS NULL) AS unknown FROM shop.orders GROUP BY month ORDER BY month`),
    q(`SELECT CASE WHEN total < 10 THEN 'small' WHEN total < 50 THEN 'medium' ELSE 'large' END AS size, count(*), MIN(total), MAX(total) FROM shop.orders GROUP BY size ORDER BY MIN(total)`),
    q(`SELECT customer, kind, amount FROM (SELECT customer, 'open' AS kind, SUM(total) FILTER (WHERE status = 'open') AS amount FROM shop.orders GROUP BY customer UNION ALL SELECT customer, 'rest', SUM(total) FILTER (WHERE status <> 'open') FROM shop.orders GROUP BY customer) p ORDER BY customer, kind`),
    q(`SELECT quantity % 2 = 0 AS even, count(*) FROM shop.orders GROUP BY 1 ORDER BY 1`),
    q(`SELECT number // 20 AS bucket, MIN(number), MAX(number), count(*) FROM shop.orders GROUP BY bucket ORDER BY bucket`),
    q(`SELECT FLOOR(total / 25) * 25 AS low, count(*) FROM shop.orders GROUP BY low ORDER BY low`),
  ],
  'windows': [
    q(`SELECT customer, number, total, SUM(total) OVER (PARTITION BY customer ORDER BY number) AS running FROM shop.orders WHERE number < 20 ORDER BY customer, number`),
    q(`SELECT number, total - LAG(total) OVER (ORDER BY number) AS change, LEAD(status, 2, 'none') OVER (ORDER BY number) FROM shop.orders WHERE number BETWEEN 10 AND 20 ORDER BY number`),
    q(`SELECT number, AVG(total) OVER (ORDER BY number ROWS BETWEEN 2 PRECEDING AND 2 FOLLOWING) AS smooth FROM shop.orders WHERE customer = 'c1' ORDER BY number`),
    q(`SELECT * FROM (SELECT customer, number, total, ROW_NUMBER() OVER (PARTITION BY customer ORDER BY total DESC, number) AS rn FROM shop.orders) ranked WHERE rn <= 2 ORDER BY customer, rn`),
    q(`SELECT customer, number FROM shop.orders QUALIFY DENSE_RANK() OVER (PARTITION BY customer ORDER BY quantity DESC NULLS LAST) = 1 ORDER BY customer, number`),
    q(`SELECT number, NTILE(4) OVER (ORDER BY total) AS quartile, PERCENT_RANK() OVER (ORDER BY total), CUME_DIST() OVER (ORDER BY total) FROM shop.orders WHERE number < 12 ORDER BY number`),
    q(`SELECT customer, status, count(*) AS n, SUM(count(*)) OVER (PARTITION BY customer ORDER BY status) AS cumulated FROM shop.orders GROUP BY customer, status ORDER BY customer, status`),
    q(`SELECT number, FIRST_VALUE(total) OVER w, LAST_VALUE(total) OVER w, NTH_VALUE(total, 2) OVER w FROM shop.orders WHERE number < 9 WINDOW w AS (PARTITION BY status ORDER BY number ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) ORDER BY number`),
    q(`SELECT number, SUM(total) OVER (ORDER BY number RANGE BETWEEN 3 PRECEDING AND CURRENT ROW) FROM shop.orders WHERE number < 10 ORDER BY number`),
    q(`SELECT number, total > AVG(total) OVER (PARTITION BY customer) AS above FROM shop.orders WHERE number % 7 = 0 ORDER BY number`),
    q(`WITH gaps AS (SELECT customer, number, number - LAG(number) OVER (PARTITION BY customer ORDER BY number) AS gap FROM shop.orders) SELECT customer, MAX(gap), MIN(gap), count(gap) FROM gaps GROUP BY customer ORDER BY customer`),
    q(`SELECT number, number - ROW_NUMBER() OVER (PARTITION BY status ORDER BY number) AS island FROM shop.orders WHERE number < 12 ORDER BY number`),
    q(`SELECT number, count(*) OVER (PARTITION BY status ORDER BY number GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE CURRENT ROW) FROM shop.orders WHERE number < 10 ORDER BY number`),
  ],
  'dates': [
    q(`SELECT DATE_TRUNC('month', CAST(placed AS TIMESTAMP)) AS month, count(*), SUM(total) FROM shop.orders GROUP BY month ORDER BY month`),
    q(`SELECT EXTRACT(QUARTER FROM CAST(placed AS TIMESTAMP)) AS quarter, count(*) FROM shop.orders GROUP BY quarter ORDER BY quarter`),
    q(`SELECT STRFTIME(CAST(placed AS TIMESTAMP), '%Y-%m') AS month, SUM(total) FROM shop.orders GROUP BY 1 HAVING SUM(total) > 250 ORDER BY 1`),
    q(`SELECT CAST(placed AS DATE) AS day, EXTRACT(DOW FROM CAST(placed AS DATE)) AS dow, EXTRACT(WEEK FROM CAST(placed AS DATE)), DAYNAME(CAST(placed AS DATE)) FROM shop.orders WHERE number < 9 ORDER BY number`),
    q(`SELECT number, CAST(placed AS TIMESTAMP) + INTERVAL '10' DAY AS due, CAST(placed AS DATE) - INTERVAL 1 MONTH FROM shop.orders WHERE number < 4 ORDER BY number`),
    q(`SELECT number FROM shop.orders WHERE CAST(placed AS TIMESTAMP) >= TIMESTAMP '2024-03-01 00:00:00' AND CAST(placed AS TIMESTAMP) < TIMESTAMP '2024-05-01 00:00:00' AND customer = 'c2' ORDER BY number`),
    q(`SELECT customer, DATE_DIFF('day', MIN(CAST(placed AS TIMESTAMP)), MAX(CAST(placed AS TIMESTAMP))) AS days FROM shop.orders GROUP BY customer ORDER BY customer`),
    q(`SELECT LAST_DAY(CAST(placed AS DATE)) AS ends, count(*) FROM shop.orders GROUP BY ends ORDER BY ends DESC LIMIT 3`),
    q(`SELECT EPOCH(CAST(placed AS TIMESTAMP)) FROM shop.orders WHERE number IN (3, 5) ORDER BY 1`),
    q(`SELECT DATE_PART('year', CAST(placed AS DATE)) * 100 + DATE_PART('month', CAST(placed AS DATE)) AS ym, count(*) FROM shop.orders GROUP BY ym ORDER BY ym`),
    q(`WITH months AS (SELECT DISTINCT DATE_TRUNC('month', CAST(placed AS TIMESTAMP)) AS m FROM shop.orders) SELECT a.m, count(o.number) FROM months a LEFT JOIN shop.orders o ON DATE_TRUNC('month', CAST(o.placed AS TIMESTAMP)) = a.m AND o.status = 'paid' GROUP BY a.m ORDER BY a.m`),
  ],
  'cohorts and joins': [
    q(`WITH first AS (SELECT customer, MIN(number) AS n FROM shop.orders GROUP BY customer) SELECT c.name, f.n, o.status FROM shop.customers c JOIN first f ON f.customer = c.id JOIN shop.orders o ON o.customer = f.customer AND o.number = f.n ORDER BY c.name`),
    q(`WITH cohort AS (SELECT customer, SUBSTRING(MIN(placed), 1, 7) AS started FROM shop.orders GROUP BY customer), activity AS (SELECT customer, SUBSTRING(placed, 1, 7) AS month FROM shop.orders GROUP BY 1, 2) SELECT started, month, count(*) AS active FROM cohort JOIN activity USING (customer) GROUP BY started, month ORDER BY started, month`),
    q(`SELECT c.name, count(o.number) AS orders, COALESCE(SUM(o.total), 0) AS spent FROM shop.customers c LEFT JOIN shop.orders o ON o.customer = c.id AND o.status = 'paid' GROUP BY c.id, c.name ORDER BY spent DESC, c.name`),
    q(`SELECT name FROM shop.customers c WHERE NOT EXISTS (SELECT 1 FROM shop.orders o WHERE o.customer = c.id) ORDER BY name`),
    q(`SELECT c.name, (SELECT MAX(o.total) FROM shop.orders o WHERE o.customer = c.id) AS best, (SELECT count(*) FROM shop.orders o WHERE o.customer = c.id AND o.quantity > 3) AS large FROM shop.customers c ORDER BY c.name`),
    q(`SELECT o.customer, o.number, o.total FROM shop.orders o WHERE o.total > (SELECT AVG(i.total) * 1.8 FROM shop.orders i WHERE i.customer = o.customer) ORDER BY o.customer, o.number`),
    q(`SELECT a.number, b.number FROM shop.orders a JOIN shop.orders b ON a.customer = b.customer AND a.status = b.status AND a.number < b.number AND b.number - a.number <= 12 WHERE a.number < 10 ORDER BY 1, 2`),
    q(`SELECT c.id, s.status, count(o.number) FROM shop.customers c CROSS JOIN (VALUES ('open'), ('paid'), ('sent')) s(status) LEFT JOIN shop.orders o ON o.customer = c.id AND o.status = s.status GROUP BY c.id, s.status ORDER BY 1, 2`),
    q(`SELECT COALESCE(a.k, b.k) AS k, a.n, b.n FROM (SELECT customer AS k, count(*) AS n FROM shop.orders WHERE number < 3 GROUP BY customer) a FULL JOIN (SELECT id AS k, count(*) AS n FROM shop.customers WHERE id > 'c1' GROUP BY id) b ON a.k = b.k ORDER BY k`),
    q(`SELECT id FROM shop.customers EXCEPT SELECT customer FROM shop.orders WHERE status = 'open' AND number > 56 ORDER BY id`),
    q(`SELECT customer FROM shop.orders WHERE status = 'open' INTERSECT SELECT id FROM shop.customers WHERE city = 'Bern' ORDER BY 1`),
    q(`SELECT name FROM shop.customers c SEMI JOIN shop.orders o ON o.customer = c.id AND o.total > 72 ORDER BY name`),
    q(`WITH spent AS (SELECT customer, SUM(total) AS s FROM shop.orders GROUP BY customer), bounds AS (SELECT AVG(s) AS mean FROM spent) SELECT customer, s, s > mean AS above FROM spent, bounds ORDER BY customer`),
    q(`SELECT c.city, o.status, SUM(o.total) FROM shop.customers c JOIN shop.orders o ON c.id = o.customer WHERE c.city IS NOT NULL GROUP BY GROUPING SETS ((c.city, o.status), (c.city), ()) ORDER BY c.city NULLS LAST, o.status NULLS LAST`),
    q(`SELECT DISTINCT ON (customer) customer, number, total FROM shop.orders WHERE quantity IS NOT NULL ORDER BY customer, total DESC`),
  ],
  'texts': [
    q(`SELECT UPPER(LEFT(name, 1)) || SUBSTRING(name FROM 2) AS shown, LENGTH(name), REVERSE(name) FROM shop.customers ORDER BY name`),
    q(`SELECT SPLIT_PART(placed, '-', 2) AS month, count(*) FROM shop.orders GROUP BY month ORDER BY month`),
    q(`SELECT REGEXP_EXTRACT(placed, '(\\d{4})-(\\d{2})', 2) AS m, count(*) FROM shop.orders WHERE REGEXP_MATCHES(status, '^(open|paid)$') GROUP BY m ORDER BY m`),
    q(`SELECT REPLACE(TRIM('  ' || name || ' '), 'n', 'N'), LPAD(name, 6, '*'), POSITION('e' IN name), STARTS_WITH(name, 'a') FROM shop.customers ORDER BY id`),
    q(`SELECT CONCAT_WS(', ', name, city, NULL) AS label, COALESCE(NULLIF(city, 'Bern'), '-') FROM shop.customers ORDER BY id`),
    q(`SELECT name FROM shop.customers WHERE name LIKE '_e%' OR LOWER(city) = 'oslo' AND name NOT LIKE 'b%' ORDER BY name DESC`),
    q(`SELECT TRANSLATE(name, 'abc', 'xyz'), ASCII(name), CHR(ASCII(name) + 1), REPEAT(LEFT(name, 1), 3), MD5(name) FROM shop.customers ORDER BY id`),
    q(`SELECT note, LENGTH(note), REGEXP_REPLACE(note, '[0-9]+', '#', 'g') FROM shop.orders WHERE note IS NOT NULL ORDER BY number`),
    q(`SELECT CAST(SUBSTRING(id FROM 2) AS INTEGER) * 10 AS n, id || '-' || name FROM shop.customers WHERE id BETWEEN 'c1' AND 'c3' ORDER BY n`),
  ],
  'documents': [
    both(`SELECT id, address.street, address.geo[0] + address.geo[1] AS sum FROM shop.customers ORDER BY id`, `SELECT id, address->>'street', CAST(address->>'$.geo[0]' AS DOUBLE) + CAST(address->>'$.geo[1]' AS DOUBLE) FROM shop.customers ORDER BY id`),
    both(`SELECT city, AVG(address.geo[1]) FROM shop.customers GROUP BY city ORDER BY city`, `SELECT city, AVG(CAST(address->>'$.geo[1]' AS DOUBLE)) FROM shop.customers GROUP BY city ORDER BY city`),
    both(`SELECT id FROM shop.customers WHERE CONTAINS(tags, 't3') OR 't1' = ANY (tags) ORDER BY id`, `SELECT id FROM shop.customers WHERE list_contains(CAST(tags AS VARCHAR[]), 't3') OR list_contains(CAST(tags AS VARCHAR[]), 't1') ORDER BY id`),
    both(`SELECT address['street'] AS s, SIZE(tags) AS n FROM shop.customers WHERE address.geo[0] >= 3 ORDER BY s DESC`, `SELECT address->>'street' AS s, json_array_length(tags) FROM shop.customers WHERE CAST(address->>'$.geo[0]' AS INT) >= 3 ORDER BY s DESC`),
    both(`SELECT c.address.geo[0] AS lat, count(o.number) FROM shop.customers c LEFT JOIN shop.orders o ON o.customer = c.id GROUP BY c.address.geo[0] ORDER BY lat`, `SELECT CAST(c.address->>'$.geo[0]' AS INT) AS lat, count(o.number) FROM shop.customers c LEFT JOIN shop.orders o ON o.customer = c.id GROUP BY 1 ORDER BY lat`),
    both(`WITH a AS (SELECT id, address.geo AS geo FROM shop.customers) SELECT id, geo[1], geo[-1] FROM a ORDER BY geo[0] DESC LIMIT 2`, `SELECT id, CAST(address->>'$.geo[1]' AS DOUBLE), CAST(address->>'$.geo[1]' AS DOUBLE) FROM shop.customers ORDER BY id DESC LIMIT 2`),
    both(`SELECT JSON_EXTRACT(address, '$.geo[0]') FROM shop.customers WHERE address.street LIKE '%2'`, `SELECT 2`),
  ],
  'parameters': [
    both(`SELECT number, total FROM shop.orders WHERE customer = ? AND total > ? AND status <> ? ORDER BY number`, `SELECT number, total FROM shop.orders WHERE customer = 'c1' AND total > 30.5 AND status <> 'open' ORDER BY number`, ['c1', 30.5, 'open']),
    both(`SELECT name FROM shop.customers WHERE vip = :vip ORDER BY name`, `SELECT name FROM shop.customers WHERE vip = false ORDER BY name`, { vip: false }),
    both(`SELECT number FROM shop.orders WHERE quantity IS NOT DISTINCT FROM :q AND number < :most ORDER BY number`, `SELECT number FROM shop.orders WHERE quantity IS NULL AND number < 21 ORDER BY number`, { q: null, most: 21 }),
    both(`SELECT $1 || name, $2 + 1, COALESCE($3, 'none') FROM shop.customers WHERE id = $4`, `SELECT 'Mx ' || name, 42, 'none' FROM shop.customers WHERE id = 'c2'`, ['Mx ', 41, null, 'c2']),
    both(`SELECT number FROM shop.orders WHERE number IN (:a, :b, :c) ORDER BY number LIMIT :n OFFSET :skip`, `SELECT number FROM shop.orders WHERE number IN (3, 14, 15) ORDER BY number LIMIT 2 OFFSET 1`, { a: 3, b: 14, c: 15, n: 2, skip: 1 }),
    both(`SELECT count(*) FROM shop.orders WHERE CAST(placed AS TIMESTAMP) BETWEEN :from AND :to`, `SELECT count(*) FROM shop.orders WHERE CAST(placed AS TIMESTAMP) BETWEEN TIMESTAMP '2024-02-01' AND TIMESTAMP '2024-03-31'`, { from: '2024-02-01', to: '2024-03-31' }),
    both(`SELECT status, count(*) FROM shop.orders WHERE (:status IS NULL OR status = :status) GROUP BY status ORDER BY status`, `SELECT status, count(*) FROM shop.orders GROUP BY status ORDER BY status`, { status: null }),
    both(`SELECT name FROM shop.customers WHERE name ~ ? OR name LIKE ? ORDER BY name`, `SELECT name FROM shop.customers WHERE regexp_matches(name, '^d') OR name LIKE 'e%' ORDER BY name`, ['^d', 'e%']),
    both(`SELECT number + :huge FROM shop.orders WHERE number < 2 ORDER BY 1`, `SELECT number + 9007199254740000 FROM shop.orders WHERE number < 2 ORDER BY 1`, { huge: 9007199254740000 }),
  ],
}; // oxfmt-ignore
