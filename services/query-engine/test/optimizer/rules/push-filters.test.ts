import { expect } from 'chai';
import { planOf, text } from '../fixture.ts';

/** What the scan under this alias is told. */
function told(sql: string, alias: string): string {
  return (
    new RegExp(`Scan ${alias} \\[[^\\]]*\\](?: \\| filter ([^|\\n]*))?`).exec(planOf(sql))?.[1]?.trim() ?? ''
  );
}

describe('push-filters', () => {
  it('makes an inner join of a cross join with an equality in WHERE', () => {
    expect(
      planOf("SELECT c.name, o.total FROM customers c, orders o WHERE c.id = o.customer_id AND c.city = 'B'"),
    ).to.equal(text`
      Project c.name, o.total
        inner join c.id = o.customer_id
          Filter c.city = 'B'
            Scan c [name, id, city] | filter c.city = 'B'
          Scan o [total, customer_id]`);
  });

  it('takes conjuncts of an inner join to the side that they are about', () => {
    const sql = 'SELECT 1 FROM customers c JOIN orders o ON c.name = o.status AND c.age > 3 AND o.total > 5';
    expect([told(sql, 'c'), told(sql, 'o')]).to.deep.equal(['c.age > 3', 'o.total > 5']);
  });

  describe('at an outer join', () => {
    const left = 'SELECT 1 FROM customers c LEFT JOIN orders o ON c.name = o.status';
    const right = 'SELECT 1 FROM customers c RIGHT JOIN orders o ON c.name = o.status';
    const full = 'SELECT 1 FROM customers c FULL JOIN orders o ON c.name = o.status';

    it('takes WHERE to the preserved side only', () => {
      expect(told(`${left} WHERE c.age > 3`, 'c')).to.equal('c.age > 3');
      expect(told(`${right} WHERE o.total > 5`, 'o')).to.equal('o.total > 5');
      for (const predicate of ['o.total > 5 OR c.age > 3', 'o.total IS NULL', 'coalesce(o.total, 0) = 0'])
        expect(told(`${left} WHERE ${predicate}`, 'o'), predicate).to.equal('');
      for (const predicate of ['coalesce(c.age, 4) > 3', 'c.age IS NULL', 'c.age = 1 OR o.total = 2'])
        expect(told(`${right} WHERE ${predicate}`, 'c'), predicate).to.equal('');
    });

    it('takes ON to the other side only', () => {
      expect(told(`${left} AND o.total > 5`, 'o')).to.equal('o.total > 5');
      expect(told(`${left} AND c.age > 3`, 'c')).to.equal('');
      expect(told(`${right} AND c.age > 3`, 'c')).to.equal('c.age > 3');
      expect(told(`${right} AND o.total > 5`, 'o')).to.equal('');
    });

    it('takes nothing to either side of a full join', () => {
      const sql = `${full} AND c.age > 3 AND o.total > 5 WHERE c.city IS NULL AND o.status IS NULL`;
      expect([told(sql, 'c'), told(sql, 'o')]).to.deep.equal(['', '']);
      expect(planOf(sql)).to.include('Filter c.city IS NULL AND o.status IS NULL');
    });

    it('takes nothing through an inner join into the side without a match', () => {
      const sql = `SELECT 1 FROM (customers c LEFT JOIN orders o ON c.name = o.status)
        JOIN lines l ON l.quantity = c.age WHERE o.total IS NULL AND l.quantity > 1`;
      expect([told(sql, 'o'), told(sql, 'l')]).to.deep.equal(['', 'l.quantity > 1']);
    });
  });

  it('goes through the projection of a derived table, its expressions put in', () => {
    expect(told('SELECT n FROM (SELECT age + 1 n FROM customers c) x WHERE n > 5', 'c')).to.equal(
      '(c.age + 1) > 5',
    );
  });

  it('reads a table in two subqueries no more often than it was', () => {
    const plan =
      planOf(`SELECT n FROM (SELECT id, (SELECT count(*) FROM orders o WHERE o.customer_id = c.id) n
      FROM customers c) x WHERE n > 0`);
    expect(plan.match(/Scan o /g)).to.have.length(1);
  });

  it('goes below GROUP BY when it is about the groups only', () => {
    const grouped = 'SELECT city, sum(age) s FROM customers c GROUP BY city';
    expect(told(`SELECT s FROM (${grouped}) x WHERE city = 'B'`, 'c')).to.equal("c.city = 'B'");
    expect(told(`${grouped} HAVING city = 'B' AND count(*) > 1`, 'c')).to.equal("c.city = 'B'");
    expect(told(`SELECT s FROM (${grouped}) x WHERE s > 1`, 'c')).to.equal('');
    expect(
      told(
        "SELECT 1 FROM (SELECT city, sum(age) FROM customers c GROUP BY ROLLUP (city)) x WHERE city = 'B'",
        'c',
      ),
    ).to.equal('');
  });

  it('goes below a window when every function is partitioned by it', () => {
    const rank = (partition: string): string =>
      `SELECT city, rank() OVER (PARTITION BY ${partition} ORDER BY age) r, sum(age) OVER (PARTITION BY city) s FROM customers c`;
    expect(told(`SELECT r, s FROM (${rank('city, name')}) x WHERE city = 'B'`, 'c')).to.equal("c.city = 'B'");
    expect(told(`SELECT r, s FROM (${rank('name')}) x WHERE city = 'B'`, 'c')).to.equal('');
    expect(told(`SELECT r, s FROM (${rank('city')}) x WHERE r = 1`, 'c')).to.equal('');
  });

  it('goes below DISTINCT and ORDER BY, but not below DISTINCT ON or LIMIT', () => {
    const where = "WHERE city = 'B'";
    expect(told(`SELECT 1 FROM (SELECT DISTINCT city FROM customers c) x ${where}`, 'c')).to.equal(
      "c.city = 'B'",
    );
    expect(told(`SELECT 1 FROM (SELECT city FROM customers c ORDER BY age) x ${where}`, 'c')).to.equal(
      "c.city = 'B'",
    );
    for (const inner of [
      'SELECT DISTINCT ON (name) name, city FROM customers c ORDER BY name',
      'SELECT city FROM customers c LIMIT 5',
      'SELECT city FROM customers c ORDER BY age LIMIT 5',
      'SELECT city FROM customers c OFFSET 5',
    ])
      expect(told(`SELECT 1 FROM (${inner}) x ${where}`, 'c'), inner).to.equal('');
  });

  describe('at a set operation', () => {
    const over = (operator: string, where: string): string => `SELECT * FROM
      (SELECT id v, age n FROM customers c ${operator} SELECT customer_id, total FROM orders o) u WHERE ${where}`;

    it('goes to both sides, and stays above where their types may differ', () => {
      for (const operator of ['UNION ALL', 'UNION', 'INTERSECT', 'EXCEPT']) {
        const sql = over(operator, "v > 'k' AND n = 5");
        expect(told(sql, 'c'), operator).to.equal("c.id > 'k' AND c.age = 5");
        expect(told(sql, 'o'), operator).to.equal("o.customer_id > 'k' AND o.total = 5");
        expect(planOf(sql), operator).to.match(/^ {2}Filter n = 5$/m);
      }
    });

    it('does not compare in one type what the result compares in another', () => {
      const sql = over('UNION ALL', "n < '2'");
      expect([told(sql, 'c'), told(sql, 'o')]).to.deep.equal(['', '']);
    });

    it('reads only the branch that a constant column names', () => {
      const plan = planOf(`SELECT * FROM (SELECT 'a' src, id FROM customers c
        UNION ALL SELECT 'b', customer_id FROM orders o) u WHERE src = 'a'`);
      expect(plan)
        .to.match(/Scan c \[id\]$/m)
        .and.match(/Scan o \[customer_id\] \| filter FALSE$/m);
    });
  });

  it('keeps predicates with outer columns out of groups and set operations', () => {
    const plan = planOf(`SELECT name FROM customers c WHERE EXISTS
      (SELECT 1 FROM (SELECT customer_id, count(*) FROM orders o GROUP BY customer_id) g WHERE g.customer_id = c.id)`);
    expect(plan).to.match(/Filter o\.customer_id = c\.id[^]*Aggregate/);
  });
});
