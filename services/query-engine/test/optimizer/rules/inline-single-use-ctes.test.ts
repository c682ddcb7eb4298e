import { expect } from 'chai';
import { planOf } from '../fixture.ts';

describe('inline-single-use-ctes', () => {
  it('puts a CTE where it is used, so that filters and columns reach its tables', () => {
    const plan = planOf(
      "WITH c AS (SELECT * FROM customers) SELECT n FROM c AS d (i, a, b, n) WHERE i = 'x'",
    );
    expect(plan).to.not.match(/With|Cte/);
    expect(plan).to.include("Scan customers [id, name] | filter customers.id = 'x'");
  });

  it('keeps one that is used twice, and drops one that is not used', () => {
    const plan = planOf(
      'WITH c AS (SELECT * FROM customers), d AS (SELECT * FROM orders) SELECT a.id FROM c a, c b WHERE a.id = b.name',
    );
    expect(plan)
      .to.match(/^With c$/m)
      .and.not.include('orders');
  });

  it('reaches through CTEs that use each other', () => {
    const plan = planOf(
      'WITH a AS (SELECT * FROM customers), b AS (SELECT * FROM a), c AS (SELECT id FROM b WHERE age > 1) SELECT * FROM c',
    );
    expect(plan).to.not.match(/With|Cte/);
    expect(plan).to.include('filter customers.age > 1');
  });

  it('puts a CTE into the subquery that alone uses it', () => {
    const plan = planOf(`WITH o AS (SELECT * FROM orders)
      SELECT name FROM customers c WHERE EXISTS (SELECT 1 FROM o WHERE o.customer_id = c.id AND o.total > 5)`);
    expect(plan).to.not.match(/With|Cte/);
    expect(plan).to.include('Scan orders [customer_id, total] | filter orders.total > 5');
  });
});
