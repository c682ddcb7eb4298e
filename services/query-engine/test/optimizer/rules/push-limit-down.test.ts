import { expect } from 'chai';
import { planOf, text } from '../fixture.ts';

const LEFT = 'FROM customers c LEFT JOIN orders o ON o.customer_id = c.id';
const limitsOf = (sql: string): number => planOf(sql).match(/^ *Limit/gm)?.length ?? 0;

describe('push-limit-down', () => {
  it('limits the side that an outer join keeps', () => {
    expect(planOf(`SELECT c.id, o.total ${LEFT} LIMIT 3 OFFSET 2`)).to.equal(text`
      Limit 3 from 2
        Project c.id, o.total
          left join o.customer_id = c.id
            Limit 5 from 0
              Scan c [id] | rows 5
            Scan o [customer_id, total]
    `);
  });

  it('takes the order along that is over that side alone', () => {
    expect(planOf(`SELECT c.id AS x, o.total ${LEFT} ORDER BY c.age DESC, x LIMIT 3`)).to.include(
      '          Limit 3 from 0\n            Sort c.age DESC, c.id\n              Scan c [id, age]',
    );
    expect(limitsOf(`SELECT c.id, o.total ${LEFT} ORDER BY c.age, o.total LIMIT 3`)).to.equal(1);
    expect(limitsOf(`SELECT c.id, o.total ${LEFT} ORDER BY c.age + o.total LIMIT 3`)).to.equal(1);
  });

  it('goes on from one outer join to the next', () => {
    const sql = `SELECT 1 ${LEFT} LEFT JOIN lines l ON l.order_no = o.order_no LIMIT 3`;
    expect(planOf(sql)).to.match(/Scan c \[id\] \| rows 3/);
  });

  it('limits each branch of UNION ALL', () => {
    const union = planOf('SELECT id FROM customers UNION ALL SELECT customer_id FROM orders LIMIT 3');
    expect(union.match(/rows 3/g)).to.have.length(2);
  });

  it('sorts branches only by values that sort in them as in the union', () => {
    const union = (column: string): number =>
      limitsOf(`SELECT ${column} AS k FROM orders UNION ALL SELECT order_no FROM lines ORDER BY k LIMIT 3`);
    expect(union('order_no')).to.equal(3);
    expect(union('total')).to.equal(1);
    expect(union('customer_id')).to.equal(1);
  });

  it('does not go below what may drop or merge rows, nor below the page', () => {
    expect(limitsOf('SELECT 1 FROM customers c JOIN orders o ON o.customer_id = c.id LIMIT 3')).to.equal(1);
    expect(limitsOf('SELECT 1 FROM customers c FULL JOIN orders o ON o.customer_id = c.id LIMIT 3')).to.equal(
      1,
    );
    expect(limitsOf(`SELECT 1 ${LEFT} WHERE o.total IS NULL LIMIT 3`)).to.equal(1);
    expect(limitsOf(`SELECT DISTINCT c.id, o.total ${LEFT} LIMIT 3`)).to.equal(1);
    expect(limitsOf('SELECT id FROM customers UNION SELECT customer_id FROM orders LIMIT 3')).to.equal(1);
    expect(planOf(`SELECT c.id, o.total ${LEFT}`, { rowsWanted: 3 })).to.not.include('Limit');
  });
});
