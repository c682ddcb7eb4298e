import { expect } from 'chai';
import { planOf } from '../fixture.ts';

/** The conjuncts that the scan of the subquery is told. */
function told(sql: string): string {
  return /Scan i \[[^\]]*\](?: \| filter ([^|\n]*))?/.exec(planOf(sql))?.[1]?.trim() ?? '';
}

const LATEST = 'SELECT i.customer_id, max(i.order_no) FROM orders i GROUP BY i.customer_id';

describe('transfer-into-memberships', () => {
  it('tells a subquery the keys that it is asked about', () => {
    const sql = (keys: string): string =>
      `SELECT * FROM orders o WHERE ${keys} AND (customer_id, order_no) IN (${LATEST})`;
    expect(told(sql(`customer_id IN ('a', 'b')`))).to.equal("i.customer_id IN ('a', 'b')");
    expect(told(sql(`customer_id = 'a'`))).to.equal("i.customer_id = 'a'");
    expect(told(sql(`customer_id = 'a' AND order_no > 3`))).to.equal("i.customer_id = 'a'");
  });

  it('says a thing once, and goes on below what the subquery is made of', () => {
    const sql = `SELECT * FROM orders o WHERE customer_id = 'a' AND customer_id IN (SELECT x.k FROM (SELECT i.customer_id AS k, sum(i.total) AS t FROM orders i WHERE i.customer_id = 'a' GROUP BY 1) x WHERE x.t > 3)`;
    expect(told(sql)).to.equal("i.customer_id = 'a'");
  });

  const NOT: readonly (readonly [what: string, sql: string])[] = [
    ['rows are to be in it not', `SELECT * FROM orders WHERE customer_id = 'a' AND (customer_id, order_no) NOT IN (${LATEST})`],
    ['it is part of another condition', `SELECT * FROM orders WHERE customer_id = 'a' AND ((customer_id, order_no) IN (${LATEST}) OR total = 3)`],
    ['it is an output', `SELECT customer_id IN (SELECT i.customer_id FROM orders i) FROM orders WHERE customer_id = 'a'`],
    ['the keys are of another type', `SELECT * FROM orders WHERE customer_id = '5' AND customer_id IN (SELECT i.order_no FROM orders i)`],
    ['it is of no keys', `SELECT * FROM orders WHERE status = 'a' AND status IN (SELECT i.status FROM orders i)`],
    ['the greatest is asked about', `SELECT * FROM orders WHERE order_no = 7 AND (customer_id, order_no) IN (${LATEST})`],
    ['another row is asked about', `SELECT * FROM orders o, customers c WHERE c.id = 'a' AND o.customer_id IN (SELECT i.customer_id FROM orders i)`],
  ]; // oxfmt-ignore
  for (const [what, sql] of NOT)
    it(`does not where ${what}`, () => {
      expect(told(sql)).to.equal('');
    });
});
