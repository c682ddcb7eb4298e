import { expect } from 'chai';
import { planOf, text } from '../fixture.ts';

describe('prune-columns', () => {
  it('reads no column where only the number of rows matters', () => {
    expect(planOf('SELECT count(*) FROM (SELECT * FROM orders) o')).to.equal(text`
      Project count
        Aggregate COUNT(*) by
          Project
            Scan orders []`);
  });

  it('reads only the columns that are used, for filters, joins and keys too', () => {
    const plan = planOf(`SELECT x.n FROM (SELECT name AS n, city, age FROM customers) x
      JOIN (SELECT * FROM orders) o ON o.status = x.city ORDER BY x.age`);
    expect(plan).to.include('[name, city, age]').and.include('Scan orders [status]');
  });

  it('drops aggregates, windows and their columns that nobody uses, but no group', () => {
    expect(planOf('SELECT t FROM (SELECT city, sum(age) t, max(vip) m FROM customers GROUP BY city) x'))
      .to.include('Aggregate SUM(customers.age) by customers.city')
      .and.include('Scan customers [city, age]');
    expect(
      planOf('SELECT name FROM (SELECT name, sum(age) OVER (PARTITION BY city) t FROM customers) x'),
    ).to.not.match(/Window|city|age/);
  });

  it('takes columns from both sides of UNION ALL', () => {
    expect(
      planOf(
        'SELECT n FROM (SELECT name n, city FROM customers UNION ALL SELECT status, total FROM orders) u',
      ),
    ).to.match(/union all of 1[^]*Scan customers \[name\][^]*Scan orders \[status\]/);
    // A SELECT list cannot be empty.
    expect(
      planOf(
        'SELECT count(*) FROM (SELECT name, city FROM customers UNION ALL SELECT status, total FROM orders) u',
      ),
    ).to.match(/union all of 1[^]*Scan customers \[name\][^]*Scan orders \[status\]/);
  });

  it('leaves whole rows to what compares them', () => {
    for (const operator of ['UNION', 'INTERSECT', 'EXCEPT', 'INTERSECT ALL', 'EXCEPT ALL'])
      expect(
        planOf(
          `SELECT n FROM (SELECT name n, city FROM customers ${operator} SELECT status, total FROM orders) u`,
        ),
        operator,
      ).to.match(/ of 2[^]*Scan customers \[name, city\][^]*Scan orders \[status, total\]/);
    expect(planOf('SELECT name FROM (SELECT DISTINCT name, city FROM customers) x')).to.include(
      '[name, city]',
    );
  });

  it('keeps of a CTE the columns that any use of it needs', () => {
    const plan = planOf(`WITH c AS (SELECT * FROM customers)
      SELECT a.name, b.city FROM c a JOIN c b ON a.id = b.id`);
    expect(plan).to.match(/Scan customers \[id, city, name\]/);
    expect(plan.match(/Cte c \[id, city, name\]/g)).to.have.length(2);
  });

  it('needs no column of EXISTS but those of its condition', () => {
    expect(
      planOf('SELECT name FROM customers c WHERE EXISTS (SELECT * FROM orders o WHERE o.customer_id = c.id)'),
    ).to.include('Scan o [customer_id]');
  });

  it('lets filters meet where a window between them is gone', () => {
    expect(
      planOf(`SELECT x FROM (SELECT age x, count(*) OVER (PARTITION BY city) n FROM customers c WHERE vip) t
        WHERE x > 5`),
    ).to.include('filter c.vip AND c.age > 5');
  });
});
