import { expect } from 'chai';
import { planOf } from '../fixture.ts';

const order = (sql: string): string | undefined => /\| order ([^|\n]*[^|\n ])/.exec(planOf(sql))?.[1];

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

  it('tells it the column of which a key is a function that keeps the order', () => {
    for (const [key, wanted] of [
      ['to_timestamp(order_no)', 'order_no'],
      ['to_timestamp(order_no / 1000) DESC', 'order_no DESC'],
      ['-order_no', 'order_no DESC'],
      ['100 - order_no DESC', 'order_no'],
      ['order_no * -2', 'order_no DESC'],
      ['-(order_no / -4)', 'order_no'],
      ['order_no + 1', 'order_no'],
      ['floor(order_no / 10)', 'order_no'],
      ['round(order_no, -1)', 'order_no'],
      ['CAST(order_no AS BIGINT)', 'order_no'],
      ["date_trunc('day', to_timestamp(order_no)) DESC", 'order_no DESC'],
      ['CAST(to_timestamp(order_no) AS DATE)', 'order_no'],
      ['year(to_timestamp(order_no))', 'order_no'],
      ['-order_no, total', 'order_no DESC, total'],
      ['floor(order_no) DESC, order_no DESC', 'order_no DESC'],
      ['CAST(customer_id AS VARCHAR)', 'customer_id'],
      ["'A#' || customer_id DESC", 'customer_id DESC'],
      ['left(customer_id, 2)', 'customer_id'],
      ['substr(customer_id, 1, 2)', 'customer_id'],
      ["coalesce(customer_id, 'x')", 'customer_id'],
    ] as const)
      expect(order(`SELECT total FROM orders ORDER BY ${key}`), key).to.equal(wanted);
    expect(order('SELECT t FROM (SELECT -order_no AS t FROM orders) x ORDER BY t + 1 DESC')).to.equal(
      'order_no',
    );
  });

  it('says nothing of functions that may not keep it', () => {
    for (const key of [
      // Equal in it, different in the column: what follows decides.
      'floor(order_no), total',
      'floor(order_no), order_no DESC',
      'order_no * 0',
      'order_no * total',
      '1000 / order_no',
      'order_no % 10',
      'abs(order_no)',
      'CAST(order_no AS VARCHAR)',
      'TRY_CAST(order_no AS INTEGER)',
      'month(to_timestamp(order_no))',
      // Texts of one time have many forms.
      'CAST(customer_id AS TIMESTAMP)',
      "date_trunc('day', customer_id)",
      'upper(customer_id)',
      "customer_id || 'x'",
      'left(customer_id, -1)',
      'substr(customer_id, 2, 2)',
      'right(customer_id, 2)',
      'CAST(customer_id AS INTEGER)',
      // What other attributes hold is not certain.
      '-total',
      'coalesce(status, 1)',
    ])
      expect(order(`SELECT total FROM orders ORDER BY ${key}`), key).to.equal(undefined);
  });
});
