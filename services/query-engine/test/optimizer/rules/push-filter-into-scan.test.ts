import { expect } from 'chai';
import { walkDeep } from '../../../src/logical/visit.ts';
import { optimizeSql, planOf, text } from '../fixture.ts';

describe('push-filter-into-scan', () => {
  it('tells the scan the conjuncts of the Filter, which stays', () => {
    expect(planOf("SELECT name FROM customers WHERE id = 'a' AND city LIKE 'B%'")).to.equal(text`
      Project customers.name
        Filter customers.id = 'a' AND customers.city LIKE 'B%'
          Scan customers [name, id, city] | filter customers.id = 'a' AND customers.city LIKE 'B%'`);
  });

  it('hands the scan the very objects that the Filter holds', () => {
    let checked = 0;
    walkDeep(optimizeSql("SELECT name FROM customers WHERE id = 'a' AND age > 3").plan, {
      plan: (node) => {
        if (node.kind !== 'Filter' || node.input.kind !== 'TableScan') return;
        const { filter } = node.input;
        expect(node.predicates.every((predicate) => filter.includes(predicate))).to.equal(true);
        checked += 1;
      },
    });
    expect(checked).to.equal(1);
  });

  it('keeps subqueries and outer columns to the Filter', () => {
    const plan = planOf(`SELECT name FROM customers c WHERE city = 'B' AND EXISTS
      (SELECT 1 FROM orders o WHERE o.customer_id = c.id AND o.total > 5)`);
    expect(plan).to.match(/\| filter c\.city = 'B'$/m);
    expect(plan).to.match(/\| filter o\.total > 5$/m);
  });

  it('tells scans nothing when pushdown is off', () => {
    expect(planOf("SELECT name FROM customers WHERE id = 'a'", { pushdown: false, rowsWanted: 3 })).to
      .equal(text`
      Project customers.name
        Filter customers.id = 'a'
          Scan customers [name, id]`);
  });
});
