import { expect } from 'chai';
import { planOf } from '../fixture.ts';

/** The kinds of the statement's joins, the outermost first. */
function joinsOf(sql: string): readonly string[] {
  return [...planOf(sql).matchAll(/^ *(\w+) join/gm)].map((match) => match[1] ?? '');
}

const LEFT = 'FROM customers c LEFT JOIN orders o ON o.customer_id = c.id';

describe('make-outer-joins-inner', () => {
  const INNER: readonly string[] = [
    `SELECT 1 ${LEFT} WHERE o.total > 5`,
    `SELECT 1 ${LEFT} WHERE o.total + c.age = 5`,
    `SELECT 1 ${LEFT} WHERE o.status IS NOT NULL`,
    `SELECT 1 ${LEFT} WHERE o.status LIKE 'a%' AND c.age = 1`,
    `SELECT 1 ${LEFT} WHERE o.status IN ('a', 'b')`,
    `SELECT 1 ${LEFT} WHERE o.status NOT IN ('a', 'b')`,
    `SELECT 1 ${LEFT} WHERE o.total NOT BETWEEN 1 AND 2`,
    `SELECT 1 ${LEFT} WHERE NOT o.total = 5`,
    `SELECT 1 ${LEFT} WHERE o.total = 5 OR o.status = 'a'`,
    `SELECT 1 ${LEFT} WHERE CAST(o.total AS VARCHAR) = '5'`,
    `SELECT 1 ${LEFT} WHERE o.status IN (SELECT product_id FROM lines)`,
    'SELECT 1 FROM orders o RIGHT JOIN customers c ON o.customer_id = c.id WHERE o.total > 5',
  ];
  for (const sql of INNER) {
    it(`makes one of: ${sql}`, () => expect(joinsOf(sql)).to.deep.equal(['inner']));
  }

  const KEPT: readonly string[] = [
    `SELECT 1 ${LEFT}`,
    `SELECT 1 ${LEFT} WHERE c.age > 5`,
    `SELECT 1 ${LEFT} WHERE o.status IS NULL`,
    `SELECT 1 ${LEFT} WHERE o.status IS DISTINCT FROM 'a'`,
    `SELECT 1 ${LEFT} WHERE o.total = 5 OR c.age = 5`,
    `SELECT 1 ${LEFT} WHERE coalesce(o.total, 1) = 1`,
    `SELECT 1 ${LEFT} WHERE (o.total = 5) IS NOT TRUE`,
    `SELECT 1 ${LEFT} WHERE CASE WHEN o.total = 5 THEN FALSE ELSE TRUE END`,
    `SELECT 1 ${LEFT} WHERE o.status NOT IN (SELECT product_id FROM lines)`,
    `SELECT 1 ${LEFT} WHERE o.status || 'a' = 'a'`,
  ];
  for (const sql of KEPT) {
    it(`keeps: ${sql}`, () => expect(joinsOf(sql)).to.deep.equal(['left']));
  }

  it('goes on to the joins below, by the conditions of those that it made inner', () => {
    const sql = `SELECT 1 ${LEFT} LEFT JOIN lines l ON l.order_no = o.order_no WHERE l.quantity = 1`;
    expect(joinsOf(sql)).to.deep.equal(['inner', 'inner']);
    expect(joinsOf(sql.replace('WHERE', 'WHERE NOT'))).to.deep.equal(['inner', 'inner']);
    expect(joinsOf(sql.replace('l.quantity', 'c.age'))).to.deep.equal(['left', 'left']);
  });

  it('lets an inner join drop rows of the outer ones that it joins', () => {
    const sql = `SELECT 1 FROM (customers c LEFT JOIN orders o ON o.customer_id = c.id) JOIN lines l ON l.order_no = o.order_no`;
    expect(joinsOf(sql)).to.deep.equal(['inner', 'inner']);
  });

  it('takes from a FULL JOIN the side that is dropped', () => {
    const full = 'SELECT 1 FROM customers c FULL JOIN orders o ON o.customer_id = c.id WHERE';
    expect(joinsOf(`${full} c.age = 1`)).to.deep.equal(['left']);
    expect(joinsOf(`${full} o.total = 1`)).to.deep.equal(['right']);
    expect(joinsOf(`${full} o.total = c.age`)).to.deep.equal(['inner']);
    expect(joinsOf(`${full} o.total IS NULL`)).to.deep.equal(['full']);
  });
});
