import { expect } from 'chai';
import { planOf } from '../fixture.ts';

const order = (sql: string): string | undefined => /\| order (.*)/.exec(planOf(sql))?.[1];

describe('hint-order-of-scan', () => {
  it('tells the scan the keys of a Sort, through filters and projections', () => {
    expect(order("SELECT total FROM orders WHERE customer_id = 'c' ORDER BY order_no DESC")).to.equal(
      'order_no DESC',
    );
    expect(order('SELECT n FROM (SELECT order_no n, total t FROM orders) x ORDER BY n, t DESC')).to.equal(
      'order_no, total DESC',
    );
    expect(
      order(
        'SELECT name FROM customers WHERE age > ALL (SELECT total FROM orders ORDER BY order_no LIMIT 2)',
      ),
    ).to.equal('order_no');
  });

  it('says nothing where one key is no column of the scan, or other nodes lie between', () => {
    for (const sql of [
      'SELECT total FROM orders ORDER BY order_no, total + 1',
      'SELECT customer_id, count(*) FROM orders GROUP BY customer_id ORDER BY customer_id',
      'SELECT o.total FROM orders o JOIN lines l ON l.order_no = o.order_no ORDER BY o.order_no',
      'SELECT * FROM (SELECT total FROM orders LIMIT 5) x ORDER BY total',
      'SELECT total FROM orders',
    ])
      expect(order(sql), sql).to.equal(undefined);
  });
});
