import { expect } from 'chai';
import { planOf } from '../fixture.ts';

function told(sql: string, alias: string): string {
  return (
    new RegExp(`Scan ${alias} \\[[^\\]]*\\](?: \\| filter ([^|\\n]*))?`).exec(planOf(sql))?.[1]?.trim() ?? ''
  );
}

const joined = (join: string, where: string): string =>
  `SELECT 1 FROM customers c ${join} JOIN orders o ON c.id = o.customer_id WHERE ${where}`;

describe('transfer-constants', () => {
  it('binds the other side of an inner join by the same constant, either way round', () => {
    expect(told(joined('', "c.id = 'x'"), 'o')).to.equal("o.customer_id = 'x'");
    expect(told(joined('', "o.customer_id = 'x'"), 'c')).to.equal("c.id = 'x'");
    expect(told(joined('', "c.id IN ('x', 'y')"), 'o')).to.equal("o.customer_id IN ('x', 'y')");
  });

  it('says a thing once', () => {
    expect(told(joined('', "c.id = 'x' AND o.customer_id = 'x'"), 'o')).to.equal("o.customer_id = 'x'");
  });

  it('goes along equalities, through derived tables and groups', () => {
    const sql = `SELECT 1 FROM customers c
      JOIN (SELECT customer_id k, order_no, sum(total) FROM orders o GROUP BY customer_id, order_no) g ON g.k = c.id
      JOIN lines l ON l.order_no = g.order_no AND l.product_id = c.id WHERE l.product_id = 'p'`;
    expect([told(sql, 'c'), told(sql, 'o')]).to.deep.equal(["c.id = 'p'", "o.customer_id = 'p'"]);
  });

  it('binds the side without a match by what the preserved side is bound by', () => {
    expect(told(joined('LEFT', "c.id = 'x'"), 'o')).to.equal("o.customer_id = 'x'");
    expect(told(joined('RIGHT', "o.customer_id = 'x'"), 'c')).to.equal("c.id = 'x'");
  });

  it('does not bind the preserved side by what the other is bound by, nor either of a full join', () => {
    expect(told(joined('LEFT', "o.customer_id = 'x' OR o.customer_id IS NULL"), 'c')).to.equal('');
    expect(
      told(
        "SELECT 1 FROM customers c LEFT JOIN orders o ON c.id = o.customer_id AND o.customer_id = 'x'",
        'c',
      ),
    ).to.equal('');
    const full = "SELECT 1 FROM customers c FULL JOIN orders o ON c.id = o.customer_id AND c.id = 'x'";
    expect([told(full, 'c'), told(full, 'o')]).to.deep.equal(['', '']);
  });

  it('does not bind the preserved side by its own ON', () => {
    const sql = "SELECT 1 FROM customers c LEFT JOIN orders o ON c.id = o.customer_id AND c.id = 'x'";
    expect([told(sql, 'c'), told(sql, 'o')]).to.deep.equal(['', '']);
  });

  it('carries numbers to keys, since only these have a certain type', () => {
    expect(
      told('SELECT 1 FROM customers c JOIN orders o ON c.age = o.order_no WHERE c.age = 1', 'o'),
    ).to.equal('o.order_no = 1');
    expect(
      told('SELECT 1 FROM customers c JOIN lines l ON c.age = l.quantity WHERE c.age = 5', 'l'),
    ).to.equal('');
    const toText = (value: number): string =>
      told(`SELECT 1 FROM customers c JOIN orders o ON c.age = o.customer_id WHERE c.age = ${value}`, 'o');
    expect(toText(5)).to.equal('o.customer_id = 5');
    // TRUE equals 1 and 'yes', which is not 1.
    expect(toText(1)).to.equal('');
  });

  it('carries texts that a number may equal from text keys only', () => {
    expect(told(joined('', "c.id = '05'"), 'o')).to.equal("o.customer_id = '05'");
    const byCity = (value: string): string =>
      `SELECT 1 FROM customers c JOIN orders o ON c.city = o.status WHERE c.city = '${value}'`;
    expect(told(byCity('Bonn'), 'o')).to.equal("o.status = 'Bonn'");
    for (const value of ['05', '-1', ' 7', 'true', 'T', 'epoch', 'Infinity'])
      expect(told(byCity(value), 'o'), value).to.equal('');
  });

  it('is about equality only', () => {
    expect(
      told("SELECT 1 FROM customers c JOIN orders o ON c.id > o.customer_id WHERE c.id = 'x'", 'o'),
    ).to.equal('');
    expect(told(joined('', "c.id > 'x'"), 'o')).to.equal('');
    expect(told(joined('', "c.id NOT IN ('x', 'y')"), 'o')).to.equal('');
  });
});
