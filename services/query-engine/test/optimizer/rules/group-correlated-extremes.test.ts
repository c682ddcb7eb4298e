import { expect } from 'chai';
import { planOf, text } from '../fixture.ts';

const LATEST = `o.order_no = (SELECT max(i.order_no) FROM orders i WHERE i.customer_id = o.customer_id)`;

const isGrouped = (sql: string): boolean => planOf(sql).includes('by i.customer_id');

describe('group-correlated-extremes', () => {
  it('asks once for the greatest of each, and for those that are wanted', () => {
    expect(planOf(`SELECT total FROM orders o WHERE customer_id IN ('a', 'b') AND ${LATEST}`)).to.equal(text`
      Project o.total
        Filter o.customer_id IN ('a', 'b') AND (o.customer_id, o.order_no) IN (subquery)
          subquery
            Project i.customer_id, max
              Aggregate MAX(i.order_no) by i.customer_id
                Filter i.customer_id IN ('a', 'b')
                  Scan i [order_no, customer_id] | filter i.customer_id IN ('a', 'b') | top 1 of each [customer_id] by order_no DESC, ties: any
          Scan o [total, customer_id, order_no] | filter o.customer_id IN ('a', 'b')
    `);
  });

  it('does so either way round, with conditions of its own, and below a join', () => {
    const least = `(SELECT min(i.order_no) FROM orders i WHERE o.customer_id = i.customer_id AND i.total > 3)`;
    expect(isGrouped(`SELECT * FROM orders o WHERE ${least} = o.order_no`)).to.equal(true);
    const joined = `SELECT * FROM customers c JOIN orders o ON o.customer_id = c.id WHERE ${LATEST}`;
    expect(isGrouped(joined)).to.equal(true);
  });

  const inner = (what: string, where = 'i.customer_id = o.customer_id'): string =>
    `SELECT * FROM orders o WHERE o.order_no = (SELECT ${what} FROM orders i WHERE ${where})`;
  const NOT: readonly (readonly [what: string, sql: string])[] = [
    ['nothing is asked of the row', `SELECT * FROM orders o WHERE o.order_no = (SELECT max(i.order_no) FROM orders i WHERE i.total > 3)`],
    ['it is no extreme', inner('sum(i.order_no)')],
    ['it is computed', inner('max(i.order_no) + 1')],
    ['only some rows count', inner('max(i.order_no) FILTER (WHERE i.total > 3)')],
    ['it is of no key', inner('max(i.total)')],
    ['the row equals no key', inner('max(i.order_no)', 'i.customer_id = o.status')],
    ['the row equals a key of another type', inner('max(i.order_no)', 'i.customer_id = o.order_no')],
    ['more is asked of the row', inner('max(i.order_no)', 'i.customer_id = o.customer_id AND i.total > o.total')],
    ['less is asked of the row', inner('max(i.order_no)', 'i.customer_id >= o.customer_id')],
    ['it is compared otherwise', `SELECT * FROM orders o WHERE o.order_no >= (SELECT max(i.order_no) FROM orders i WHERE i.customer_id = o.customer_id)`],
    ['it is part of another condition', `SELECT * FROM orders o WHERE ${LATEST} OR o.total = 3`],
    ['it is an output', `SELECT ${LATEST} FROM orders o`],
  ]; // oxfmt-ignore
  for (const [what, sql] of NOT)
    it(`does not where ${what}`, () => {
      expect(isGrouped(sql)).to.equal(false);
    });
});
