import { expect } from 'chai';
import { planOf } from '../fixture.ts';

const rows = (sql: string, rowsWanted: number | null = null): string | undefined =>
  /\| rows (\d+)/.exec(planOf(sql, { rowsWanted }))?.[1];

describe('push-limit-into-scan', () => {
  it('asks the scan for the rows up to the limit, its offset included', () => {
    expect(rows('SELECT name FROM customers LIMIT 3')).to.equal('3');
    expect(rows('SELECT name FROM customers LIMIT 3 OFFSET 4')).to.equal('7');
    expect(rows("SELECT name FROM customers WHERE city = 'B' LIMIT 3")).to.equal('3');
  });

  it('takes the smaller of limit and page', () => {
    expect(rows('SELECT name FROM customers', 10)).to.equal('10');
    expect(rows('SELECT name FROM customers LIMIT 3', 10)).to.equal('3');
    expect(rows('SELECT name FROM customers LIMIT 30', 10)).to.equal('10');
    expect(rows('SELECT name FROM customers LIMIT 30 OFFSET 5', 10)).to.equal('15');
  });

  it('asks for no rows where none are wanted', () => {
    expect(rows('SELECT name FROM customers LIMIT 0')).to.equal('0');
  });

  it('reads all where rows are sorted, grouped, joined or made distinct first', () => {
    for (const sql of [
      'SELECT name FROM customers ORDER BY name LIMIT 3',
      'SELECT city, count(*) FROM customers GROUP BY city LIMIT 3',
      'SELECT DISTINCT city FROM customers LIMIT 3',
      'SELECT c.name FROM customers c JOIN orders o ON o.customer_id = c.id LIMIT 3',
      'SELECT name, row_number() OVER (ORDER BY name) FROM customers LIMIT 3',
    ])
      expect(rows(sql, 10), sql).to.equal(undefined);
  });

  it('does not count on rows that a Filter may drop without the read knowing', () => {
    expect(rows('SELECT name FROM customers WHERE age > (SELECT avg(total) FROM orders) LIMIT 3')).to.equal(
      undefined,
    );
    expect(rows("SELECT * FROM (SELECT name FROM customers LIMIT 5) c WHERE name > 'a' LIMIT 3")).to.equal(
      '5',
    );
  });

  it('takes no page where the whole result is computed before the page is cut', () => {
    const sql = 'SELECT name, (SELECT max(total) FROM orders) FROM customers';
    expect(rows(sql, 10)).to.equal(undefined);
    expect(rows(`${sql} LIMIT 20`, 10)).to.equal('20');
  });

  it('asks for the rows of a limit inside a subquery', () => {
    expect(rows('SELECT name FROM customers WHERE age IN (SELECT total FROM orders LIMIT 4)')).to.equal('4');
  });
});
