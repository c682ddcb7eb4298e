/** SQL of other systems that is refused, and what to write instead. Every line is run by a test. */
export interface Refused {
  readonly sql: string;
  /** SQL that does the same, or words where there is none. */
  readonly instead: { readonly sql: string } | { readonly words: string };
}

const sql = (text: string) => ({ sql: text });
const words = (text: string) => ({ words: text });

export const REFUSED: readonly Refused[] = Object.freeze([
  { sql: 'SELECT number FROM shop.orders LIMIT 5, 10', instead: sql('SELECT number FROM shop.orders LIMIT 10 OFFSET 5') },
  { sql: 'SELECT TOP 5 number FROM shop.orders', instead: sql('SELECT number FROM shop.orders LIMIT 5') },
  { sql: 'SELECT `name` FROM shop.customers', instead: sql('SELECT "name" FROM shop.customers') },
  { sql: "SELECT name 'who' FROM shop.customers", instead: sql('SELECT name "who" FROM shop.customers') },
  { sql: "SELECT name FROM shop.customers WHERE city == 'Bern'", instead: sql("SELECT name FROM shop.customers WHERE city = 'Bern'") },
  { sql: 'SELECT * FROM shop.orders TABLESAMPLE (10 PERCENT)', instead: sql('SELECT * FROM shop.orders LIMIT 10') },
  { sql: 'SELECT COUNT(o.*) FROM shop.orders o', instead: sql('SELECT COUNT(*) FROM shop.orders o') },
  { sql: 'SELECT name FROM shop.customers c ANTI JOIN shop.orders o ON o.customer = c.id', instead: sql('SELECT name FROM shop.customers c WHERE NOT EXISTS (SELECT 1 FROM shop.orders o WHERE o.customer = c.id)') },
  { sql: 'SELECT name FROM shop.customers c LEFT SEMI JOIN shop.orders o ON o.customer = c.id', instead: sql('SELECT name FROM shop.customers c SEMI JOIN shop.orders o ON o.customer = c.id') },
  { sql: 'SELECT number FROM shop.orders WHERE number BETWEEN SYMMETRIC 9 AND 3', instead: sql('SELECT number FROM shop.orders WHERE number BETWEEN 3 AND 9') },
  { sql: 'SELECT status, count(*) FROM shop.orders GROUP BY ALL', instead: sql('SELECT status, count(*) FROM shop.orders GROUP BY status') },
  { sql: 'SELECT status, count(*) FROM shop.orders GROUP BY status WITH ROLLUP', instead: sql('SELECT status, count(*) FROM shop.orders GROUP BY ROLLUP (status)') },
  { sql: 'SELECT id FROM shop.customers MINUS SELECT customer FROM shop.orders', instead: sql('SELECT id FROM shop.customers EXCEPT SELECT customer FROM shop.orders') },
  { sql: "SELECT name FROM shop.customers ORDER BY 'name'", instead: sql('SELECT name FROM shop.customers ORDER BY name') },
  { sql: 'SELECT DISTINCT ON (customer) number FROM shop.orders ORDER BY number DESC', instead: sql('SELECT DISTINCT ON (customer) number FROM shop.orders ORDER BY customer, number DESC') },
  { sql: 'SELECT * FROM shop.customers a JOIN shop.customers b', instead: sql('SELECT * FROM shop.customers a CROSS JOIN shop.customers b') },
  { sql: "SELECT GROUP_CONCAT(name SEPARATOR '-') FROM shop.customers", instead: sql("SELECT STRING_AGG(name, '-') FROM shop.customers") },
  { sql: 'WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT max(n) + 1 FROM r) SELECT n FROM r', instead: words('the name once, in FROM, and no aggregate: each step has only the rows that came last') },
  { sql: 'SELECT RANDOM()', instead: words('nothing: every page of a result runs the statement again') },
  { sql: 'SELECT 1; SELECT 2', instead: words('one request for each') },
  { sql: 'DELETE FROM shop.orders', instead: words('nothing: queries only read') },
  { sql: 'EXPLAIN SELECT 1', instead: words('the request with mode `plan`') },
]); // oxfmt-ignore
