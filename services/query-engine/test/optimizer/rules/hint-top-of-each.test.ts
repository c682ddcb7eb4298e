import { expect } from 'chai';
import { planOf } from '../fixture.ts';

/** What the scan of the orders, or the last of them, is told. */
function told(sql: string, options = {}): string | null {
  const scans = [...planOf(sql, options).matchAll(/Scan (?:o|orders) .*$/gm)].map(([line]) => line);
  return /top (.*)$/.exec(scans.at(-1) ?? '')?.[1] ?? null;
}

const KEYS = `customer_id IN ('a', 'b')`;
const LAST = '1 of each [customer_id] by order_no DESC, ties: all';

describe('hint-top-of-each', () => {
  const FIRES: readonly (readonly [what: string, sql: string, told: string])[] = [
    ['the greatest', `SELECT customer_id, max(order_no) FROM orders WHERE ${KEYS} GROUP BY customer_id`, '1 of each [customer_id] by order_no DESC, ties: any'],
    ['the least', `SELECT min(order_no) FROM orders WHERE ${KEYS} GROUP BY customer_id`, '1 of each [customer_id] by order_no, ties: any'],
    ['groups of what keys say', `SELECT upper(customer_id), max(order_no) FROM orders WHERE ${KEYS} GROUP BY 1`, '1 of each [customer_id] by order_no DESC, ties: any'],
    ['of all rows', `SELECT max(order_no) FROM orders WHERE ${KEYS}`, '1 of each [] by order_no DESC, ties: any'],
    ['beside what is the same in all of a group', `SELECT max(order_no), min(customer_id) FROM orders WHERE ${KEYS} GROUP BY customer_id`, '1 of each [customer_id] by order_no DESC, ties: any'],
    ['of rows that a condition on the group lets through', `SELECT max(order_no) FILTER (WHERE customer_id > 'a') FROM orders WHERE ${KEYS} GROUP BY customer_id`, '1 of each [customer_id] by order_no DESC, ties: any'],
    ['a value that is never NULL, of the last', `SELECT arg_max(customer_id, order_no) FROM orders WHERE ${KEYS} GROUP BY customer_id`, LAST],
    ['a row number', `SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY customer_id ORDER BY order_no DESC) AS r FROM orders WHERE ${KEYS}) x WHERE r = 1`, LAST],
    ['row numbers up to one', `SELECT total FROM orders WHERE ${KEYS} QUALIFY row_number() OVER (PARTITION BY customer_id ORDER BY order_no) <= 3`, '3 of each [customer_id] by order_no, ties: all'],
    ['below one', `SELECT total FROM orders QUALIFY row_number() OVER (PARTITION BY customer_id ORDER BY order_no) < 3`, '2 of each [customer_id] by order_no, ties: all'],
    ['turned around', `SELECT total FROM orders QUALIFY 3 > row_number() OVER (PARTITION BY customer_id ORDER BY order_no)`, '2 of each [customer_id] by order_no, ties: all'],
    ['no whole number', `SELECT total FROM orders QUALIFY row_number() OVER (PARTITION BY customer_id ORDER BY order_no) < 2.5`, '2 of each [customer_id] by order_no, ties: all'],
    ['between', `SELECT total FROM orders QUALIFY row_number() OVER (PARTITION BY customer_id ORDER BY order_no) BETWEEN 2 AND 4`, '4 of each [customer_id] by order_no, ties: all'],
    ['of a list', `SELECT total FROM orders QUALIFY row_number() OVER (PARTITION BY customer_id ORDER BY order_no) IN (1, 3)`, '3 of each [customer_id] by order_no, ties: all'],
    ['the least of two bounds', `SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY customer_id ORDER BY order_no) AS r FROM orders) x WHERE r < 9 AND r <= 2`, '2 of each [customer_id] by order_no, ties: all'],
    ['beside other conditions above', `SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY customer_id ORDER BY order_no) AS r FROM orders) x WHERE r = 1 AND total > 3`, '1 of each [customer_id] by order_no, ties: all'],
    ['a rank', `SELECT total FROM orders QUALIFY rank() OVER (PARTITION BY customer_id ORDER BY order_no DESC) = 1`, LAST],
    ['the first of the dense ranks', `SELECT total FROM orders QUALIFY dense_rank() OVER (PARTITION BY customer_id ORDER BY order_no DESC) = 1`, LAST],
    ['dense ranks, where no two are equal', `SELECT total FROM orders QUALIFY dense_rank() OVER (PARTITION BY customer_id ORDER BY order_no DESC) <= 2`, '2 of each [customer_id] by order_no DESC, ties: none'],
    ['several ranks of one order', `SELECT rank() OVER (PARTITION BY customer_id ORDER BY order_no) FROM orders QUALIFY row_number() OVER (PARTITION BY customer_id ORDER BY order_no) = 1`, '1 of each [customer_id] by order_no, ties: all'],
    ['an order that goes on', `SELECT total FROM orders QUALIFY row_number() OVER (PARTITION BY customer_id ORDER BY order_no, upper(status)) = 1`, '1 of each [customer_id] by order_no, ties: all'],
    ['DISTINCT ON', `SELECT DISTINCT ON (customer_id) * FROM orders WHERE ${KEYS} ORDER BY customer_id, order_no DESC`, LAST],
    ['for each row around a subquery', `SELECT (SELECT total FROM orders o WHERE o.customer_id = c.id ORDER BY order_no DESC LIMIT 1) FROM customers c`, LAST],
    ['a greatest of a subquery', `SELECT (SELECT max(order_no) FROM orders o WHERE o.customer_id = c.id) FROM customers c`, '1 of each [customer_id] by order_no DESC, ties: any'],
    ['LATERAL, with those that are left out', `SELECT * FROM customers c JOIN LATERAL (SELECT total FROM orders o WHERE o.customer_id = c.id ORDER BY order_no LIMIT 2 OFFSET 1) x ON true`, '3 of each [customer_id] by order_no, ties: all'],
    ['groups of a join', `SELECT c.city, max(o.order_no) FROM customers c JOIN orders o ON o.customer_id = c.id GROUP BY c.city`, '1 of each [customer_id] by order_no DESC, ties: any'],
    ['groups of an outer join', `SELECT c.city, max(o.order_no), max(c.age) FROM customers c LEFT JOIN orders o ON o.customer_id = c.id GROUP BY c.city`, '1 of each [customer_id] by order_no DESC, ties: any'],
    ['row numbers of a join', `SELECT c.name, o.total FROM customers c JOIN orders o ON o.customer_id = c.id QUALIFY row_number() OVER (PARTITION BY c.name ORDER BY o.order_no DESC, c.id) = 1`, '1 of each [customer_id] by order_no DESC, ties: all'],
  ]; // oxfmt-ignore
  for (const [what, sql, expected] of FIRES)
    it(`tells: ${what}`, () => {
      expect(told(sql)).to.equal(expected);
      expect(told(sql, { pushdown: false })).to.equal(null);
    });

  const NOT: readonly (readonly [what: string, sql: string])[] = [
    ['each row counts', `SELECT customer_id, max(order_no), count(*) FROM orders WHERE ${KEYS} GROUP BY customer_id`],
    ['both ends are asked for', `SELECT customer_id, min(order_no), max(order_no) FROM orders WHERE ${KEYS} GROUP BY customer_id`],
    ['another column decides', `SELECT customer_id, max(order_no), max(total) FROM orders WHERE ${KEYS} GROUP BY customer_id`],
    ['the greatest are several', `SELECT customer_id, max(order_no), sum(order_no) FROM orders WHERE ${KEYS} GROUP BY customer_id`],
    ['a value may be NULL, and is passed over', `SELECT arg_max(total, order_no) FROM orders WHERE ${KEYS} GROUP BY customer_id`],
    ['only some rows count', `SELECT max(order_no) FILTER (WHERE total > 3) FROM orders WHERE ${KEYS} GROUP BY customer_id`],
    ['groups are of no key', `SELECT status, max(order_no) FROM orders WHERE ${KEYS} GROUP BY status`],
    ['groups are of another value, too', `SELECT customer_id, status, max(order_no) FROM orders WHERE ${KEYS} GROUP BY 1, 2`],
    ['there are grouping sets', `SELECT customer_id, max(order_no) FROM orders WHERE ${KEYS} GROUP BY ROLLUP (customer_id)`],
    ['the order is computed', `SELECT customer_id, max(order_no + 1) FROM orders WHERE ${KEYS} GROUP BY customer_id`],
    ['it is no key', `SELECT customer_id, max(total) FROM orders WHERE ${KEYS} GROUP BY customer_id`],
    ['the last ranks are wanted', `SELECT total FROM orders WHERE ${KEYS} QUALIFY row_number() OVER (PARTITION BY customer_id ORDER BY order_no) > 3`],
    ['a bound is no number', `SELECT total FROM orders WHERE ${KEYS} QUALIFY row_number() OVER (PARTITION BY customer_id ORDER BY order_no) <= total`],
    ['another condition may do', `SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY customer_id ORDER BY order_no) AS r FROM orders) x WHERE r = 1 OR total = 3`],
    ['no row is the nought', `SELECT total FROM orders WHERE ${KEYS} QUALIFY row_number() OVER (PARTITION BY customer_id ORDER BY order_no) < 1`],
    ['another window asks for all', `SELECT count(*) OVER (PARTITION BY customer_id) FROM orders WHERE ${KEYS} QUALIFY row_number() OVER (PARTITION BY customer_id ORDER BY order_no) = 1`],
    ['another rank has another order', `SELECT row_number() OVER (PARTITION BY customer_id ORDER BY total) FROM orders WHERE ${KEYS} QUALIFY row_number() OVER (PARTITION BY customer_id ORDER BY order_no) = 1`],
    ['another rank is of all', `SELECT row_number() OVER (ORDER BY order_no) FROM orders WHERE ${KEYS} QUALIFY row_number() OVER (PARTITION BY customer_id ORDER BY order_no) = 1`],
    ['ranks are a part of all', `SELECT total FROM orders WHERE ${KEYS} QUALIFY percent_rank() OVER (PARTITION BY customer_id ORDER BY order_no) <= 1`],
    ['a filter comes between', `SELECT total FROM (SELECT *, order_no AS n FROM orders WHERE ${KEYS} AND total > 3) x QUALIFY row_number() OVER (PARTITION BY status ORDER BY n) = 1`],
    ['DISTINCT ON has no order', `SELECT DISTINCT ON (customer_id) * FROM orders WHERE ${KEYS}`],
    ['DISTINCT has no groups', `SELECT DISTINCT customer_id FROM orders WHERE ${KEYS} ORDER BY customer_id`],
    ['a subquery has more conditions', `SELECT (SELECT total FROM orders o WHERE o.customer_id = c.id AND o.total > c.age ORDER BY order_no DESC LIMIT 1) FROM customers c`],
    ['there is no limit', `SELECT * FROM customers c JOIN LATERAL (SELECT total FROM orders o WHERE o.customer_id = c.id ORDER BY order_no) x ON true`],
    ['a join goes by other columns', `SELECT c.city, max(o.order_no) FROM customers c JOIN orders o ON o.status = c.name GROUP BY c.city`],
    ['rows of a join are counted', `SELECT c.city, max(o.order_no), count(*) FROM customers c JOIN orders o ON o.customer_id = c.id GROUP BY c.city`],
    ['the other side has the order first', `SELECT o.total FROM customers c JOIN orders o ON o.customer_id = c.id QUALIFY row_number() OVER (PARTITION BY c.name ORDER BY c.age, o.order_no) = 1`],
    ['what is joined is filtered by both', `SELECT c.city, max(o.order_no) FROM customers c JOIN orders o ON o.customer_id = c.id WHERE o.total > c.age GROUP BY c.city`],
    ['a LIMIT comes first', `SELECT customer_id, max(order_no) FROM (SELECT * FROM orders WHERE ${KEYS} LIMIT 9) o GROUP BY customer_id`],
    ['there is a window below', `SELECT customer_id, max(order_no) FROM (SELECT *, sum(total) OVER (ORDER BY order_no) AS s FROM orders WHERE ${KEYS}) o GROUP BY customer_id HAVING max(s) > 3`],
  ]; // oxfmt-ignore
  for (const [what, sql] of NOT)
    it(`does not tell where ${what}`, () => {
      expect(told(sql)).to.equal(null);
    });
});
