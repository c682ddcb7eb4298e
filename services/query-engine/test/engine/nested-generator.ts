/**
 * Random queries built of relations inside relations, each with a text `k` and a number `n`, NULLs among both: joins of
 * every kind, set operations, groups, windows, subqueries that refer outwards.
 */
import { choiceFrom } from './choice.ts';
import type { GeneratedQuery } from './query-generator.ts';

interface Relation {
  readonly sql: string;
  /** About how many rows: joins are kept from multiplying. */
  readonly rows: number;
}

const ROWS_MAX = 1500;

export function nestedGenerator(seed: number): () => GeneratedQuery {
  const { int, pick, maybe } = choiceFrom(seed);

  const where = (): string =>
    maybe(0.6)
      ? ` WHERE ${pick([
          () => `customer = 'c${int(5)}'`,
          () => `customer IN ('c${int(4)}', 'c${int(6)}') AND number < ${int(60)}`,
          () => `number BETWEEN ${int(30)} AND ${20 + int(40)}`,
          () => `quantity > ${int(6)} OR note IS NOT NULL`,
          () => `NOT (status = 'open' AND total > ${int(60)})`,
          () =>
            `(customer = 'c${int(4)}' AND number = ${int(60)}) OR (customer = 'c${int(4)}' AND number = ${int(60)})`,
        ])()}`
      : '';

  const leaf = (): Relation =>
    pick([
      () => ({ sql: `SELECT customer AS k, number AS n FROM shop.orders${where()}`, rows: 30 }),
      () => ({ sql: `SELECT customer AS k, quantity AS n FROM shop.orders${where()}`, rows: 30 }),
      () => ({ sql: `SELECT note AS k, quantity AS n FROM shop.orders${where()}`, rows: 30 }),
      () => ({ sql: `SELECT status AS k, total AS n FROM shop.orders${where()}`, rows: 30 }),
      () => ({ sql: `SELECT id AS k, LENGTH(city) AS n FROM shop.customers`, rows: 5 }),
      () => ({ sql: `SELECT city AS k, CASE WHEN vip THEN 1 END AS n FROM shop.customers`, rows: 5 }),
      () => ({ sql: `SELECT id AS k, 3 AS n FROM shop.customers WHERE id IN ('c${int(5)}', 'c${int(7)}')`, rows: 2 }),
    ])(); // oxfmt-ignore

  const condition = (q: string): string =>
    pick([
      () => `${q}n > ${int(20)}`,
      () => `${q}n IS ${pick(['', 'NOT '])}NULL`,
      () => `${q}k = 'c${int(5)}'`,
      () => `${q}k IS ${pick(['', 'NOT '])}NULL`,
      () => `${q}k <> 'open' OR ${q}n = ${int(9)}`,
      () => `NOT (${q}n < ${int(30)})`,
      () => `${q}n IS DISTINCT FROM ${int(9)}`,
      () => `${q}n NOT IN (1, ${int(20)}, NULL) OR ${q}k LIKE 'c%'`,
    ])();

  const join = (a: Relation, b: Relation): Relation => {
    const kind = pick(['JOIN', 'LEFT JOIN', 'RIGHT JOIN', 'FULL JOIN']);
    const more = pick(['', '', ' AND a.n < b.n', ` AND a.n IS NOT NULL`, ` AND b.n > ${int(9)}`]);
    const filter = maybe(0.5) ? ` WHERE ${pick([condition('a.'), condition('b.'), 'a.k IS NULL'])}` : '';
    const columns = pick(['a.k AS k, b.n AS n', 'b.k AS k, a.n AS n', 'COALESCE(a.k, b.k) AS k, a.n + b.n AS n']);
    const on = pick(['a.k = b.k', 'a.k = b.k', 'a.k = b.k', 'a.n = b.n', 'a.k IS NOT DISTINCT FROM b.k']);
    return {
      sql: `SELECT ${columns} FROM (${a.sql}) a ${kind} (${b.sql}) b ON ${on}${more}${filter}`,
      rows: Math.max(a.rows, b.rows, (a.rows * b.rows) / 4),
    };
  }; // oxfmt-ignore

  const relation = (depth: number): Relation => {
    if (depth === 0) return leaf();
    const inner = (): Relation => relation(depth - 1);
    const over = (a: Relation, make: (a: string) => string): Relation => ({ sql: make(a.sql), rows: a.rows });
    const one = inner();
    return pick([
      () => over(one, (a) => `SELECT k, n + 1 AS n FROM (${a}) q WHERE ${condition('q.')}`),
      () => over(one, (a) => `SELECT k, COUNT(*) AS n FROM (${a}) q GROUP BY k${maybe(0.5) ? ` HAVING MAX(n) > ${int(20)}` : ''}`),
      () => over(one, (a) => `SELECT DISTINCT k, n FROM (${a}) q`),
      () => over(one, (a) => `SELECT k, SUM(n) OVER (PARTITION BY k) AS n FROM (${a}) q`),
      () => over(one, (a) => `SELECT k, n FROM (${a}) q ORDER BY n${maybe(0.5) ? ' DESC' : ''}, k LIMIT ${int(20)}`),
      () => over(one, (a) => `SELECT MAX(k) AS k, ${pick(['SUM', 'MIN', 'COUNT'])}(n) AS n FROM (${a}) q`),
      () => over(one, (a) => `SELECT k, n FROM (${a}) q WHERE ${pick(['', 'NOT '])}EXISTS (SELECT 1 FROM (${leaf().sql}) r WHERE r.k = q.k${maybe(0.4) ? ' AND r.n > q.n' : ''})`),
      () => over(one, (a) => `SELECT k, n FROM (${a}) q WHERE ${pick(['k', 'n'])} ${pick(['', 'NOT '])}IN (SELECT ${pick(['k', 'k', 'n'])} FROM (${leaf().sql}) r${maybe(0.5) ? ' WHERE k IS NOT NULL AND n IS NOT NULL' : ''})`.replace(/WHERE k( NOT)? IN \(SELECT n/, 'WHERE n$1 IN (SELECT n').replace(/WHERE n( NOT)? IN \(SELECT k/, 'WHERE k$1 IN (SELECT k')),
      () => over(one, (a) => `SELECT k, (SELECT MAX(r.n) FROM (${leaf().sql}) r WHERE r.k = q.k) AS n FROM (${a}) q`),
      () => {
        const two = relation(depth - 1);
        const operator = pick(['UNION', 'UNION ALL', 'INTERSECT', 'EXCEPT', 'EXCEPT ALL']);
        return { sql: `SELECT k, n FROM ((${one.sql}) ${operator} (${two.sql})) q`, rows: one.rows + two.rows };
      },
      () => {
        const joined = join(one, relation(depth - 1));
        return joined.rows > ROWS_MAX ? over(one, (a) => `SELECT DISTINCT k, n FROM (${a}) q`) : joined;
      },
      () => {
        const joined = join(one, leaf());
        return joined.rows > ROWS_MAX ? one : joined;
      },
    ])();
  }; // oxfmt-ignore

  return () => {
    const { sql } = relation(1 + int(3));
    if (maybe(0.2)) {
      return { sql: `WITH w AS (${sql}) SELECT a.k, b.n, COUNT(*) AS c FROM (SELECT DISTINCT k, n FROM w) a LEFT JOIN (SELECT DISTINCT k, n FROM w) b ON a.k = b.k AND a.n <= b.n GROUP BY a.k, b.n`, ordered: false }; // oxfmt-ignore
    }
    return { sql: `SELECT k, n FROM (${sql}) q`, ordered: false };
  };
}
