import { expect } from 'chai';
import { planOf } from '../fixture.ts';

describe('read-paths-in-scans', () => {
  it('reads a step of a derived column from the table, and not the whole column', () => {
    const plan = planOf('SELECT x.a.city FROM (SELECT address a, total FROM orders) x');
    expect(plan).to.include('Scan orders [address.city]');
  });

  it('lets a condition on it reach the read', () => {
    const plan = planOf(
      "SELECT 1 FROM (SELECT address a FROM orders ORDER BY total) x WHERE x.a.city = 'Bonn'",
    );
    expect(plan).to.match(/Scan orders .*filter .*address\.city = 'Bonn'/);
  });

  it('reads it for every use of a common table expression', () => {
    const plan = planOf(`WITH q AS (SELECT address a, total FROM orders LIMIT 5)
      SELECT x.a.city, y.a.geo[0] FROM q x JOIN q y ON x.total = y.total`);
    expect(plan).to.match(/Scan orders \[total, address\.city, address\.geo\[?0?\]?/);
    expect(plan).to.not.match(/\[.*\baddress[,\]]/);
  });

  it('leaves what no table holds where it is', () => {
    for (const sql of [
      `SELECT x.a.city FROM (SELECT '{"city":1}' a FROM orders) x`,
      'SELECT x.a.city FROM (SELECT max(address) a FROM orders) x',
      'SELECT x.a.city FROM (SELECT address a FROM orders GROUP BY ROLLUP (address)) x',
      'SELECT x.a.city FROM (SELECT address a FROM orders EXCEPT SELECT address FROM orders) x',
    ]) {
      expect(planOf(sql), sql).to.not.include('address.city');
    }
  });
});
