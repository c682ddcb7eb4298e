import { expect } from 'chai';
import { planOf } from '../fixture.ts';

/** Whether each scan reads nothing, by alias. */
function silenced(sql: string): Readonly<Record<string, boolean>> {
  const scans = planOf(sql).matchAll(/Scan (\w+) \[[^\]]*\](.*)/g);
  return Object.fromEntries(
    [...scans].map(([, alias = '', rest = '']) => [alias, rest.includes('filter FALSE')]),
  );
}

describe('contradictions', () => {
  it('are found over keys, by constants of one kind', () => {
    expect(silenced("SELECT 1 FROM customers c WHERE id = 'a' AND id = 'b'")).to.deep.equal({ c: true });
    expect(silenced('SELECT 1 FROM lines l WHERE order_no = 1 AND order_no = 2.5')).to.deep.equal({
      l: true,
    });
  });

  it('are not seen where two constants may equal one value', () => {
    for (const where of [
      'vip = 5 AND vip = 6',
      "age = '5' AND age = '05'",
      "id = '5' AND id = 5",
      "id = 'a' AND id = 'a'",
      "id = 'a' OR id = 'b'",
      "id = 'a' AND name = 'b'",
    ])
      expect(silenced(`SELECT 1 FROM customers c WHERE ${where}`), where).to.deep.equal({ c: false });
    expect(silenced("SELECT 1 FROM lines l WHERE order_no = '1' AND order_no = '1.0'")).to.deep.equal({
      l: false,
    });
    expect(silenced('SELECT 1 FROM lines l WHERE order_no = 1 AND order_no = 1.0')).to.deep.equal({
      l: false,
    });
  });
});

describe('read-nothing-for-no-rows', () => {
  it('reads nothing for a condition that is never true, or for no rows wanted', () => {
    for (const tail of [
      'WHERE FALSE',
      'WHERE NULL',
      'WHERE 1 = 2',
      'WHERE NULL = id',
      "WHERE 'a' > 'b' AND age > 1",
      'LIMIT 0',
    ])
      expect(silenced(`SELECT 1 FROM customers c ${tail}`), tail).to.deep.equal({ c: true });
  });

  it('keeps the plan, so that columns have their types', () => {
    expect(planOf('SELECT CAST(age AS DATE) FROM customers WHERE FALSE')).to.include('Project CAST(');
  });

  it('reads neither side of an inner join of which one is empty', () => {
    expect(
      silenced('SELECT 1 FROM customers c JOIN orders o ON o.customer_id = c.id AND 1 = 0'),
    ).to.deep.equal({
      c: true,
      o: true,
    });
  });

  it('reads the preserved side of an outer join', () => {
    const of = (join: string, empty: string): Readonly<Record<string, boolean>> =>
      silenced(`SELECT 1 FROM (SELECT id FROM customers c ${empty === 'c' ? 'WHERE FALSE' : ''}) c
        ${join} JOIN (SELECT customer_id FROM orders o ${empty === 'o' ? 'WHERE FALSE' : ''}) o ON o.customer_id = c.id`);
    expect(of('LEFT', 'o')).to.deep.equal({ c: false, o: true });
    expect(of('LEFT', 'c')).to.deep.equal({ c: true, o: true });
    expect(of('RIGHT', 'c')).to.deep.equal({ c: true, o: false });
    expect(of('RIGHT', 'o')).to.deep.equal({ c: true, o: true });
    expect(of('FULL', 'c')).to.deep.equal({ c: true, o: false });
  });

  it('knows that an aggregate without GROUP BY has a row of no rows', () => {
    const sql = 'SELECT 1 FROM orders o, (SELECT count(*) n FROM customers c WHERE FALSE) x';
    expect(silenced(sql)).to.deep.equal({ o: false, c: true });
    expect(silenced(sql.replace('FALSE', 'FALSE GROUP BY city'))).to.deep.equal({ o: true, c: true });
    expect(silenced(sql.replace('FALSE', 'FALSE GROUP BY ROLLUP (city)'))).to.deep.equal({
      o: false,
      c: true,
    });
  });

  it('takes set operations at their word', () => {
    const of = (operator: string): Readonly<Record<string, boolean>> =>
      silenced(`SELECT id FROM customers c WHERE FALSE ${operator} SELECT customer_id FROM orders o`);
    expect(of('UNION ALL')).to.deep.equal({ c: true, o: false });
    expect(of('INTERSECT')).to.deep.equal({ c: true, o: true });
    expect(of('EXCEPT')).to.deep.equal({ c: true, o: true });
    expect(
      silenced('SELECT id FROM customers c EXCEPT SELECT customer_id FROM orders o WHERE FALSE'),
    ).to.deep.equal({ c: false, o: true });
  });

  it('silences subqueries too, and only those that nobody asks', () => {
    expect(
      silenced('SELECT 1 FROM customers c WHERE id IN (SELECT customer_id FROM orders o) LIMIT 0'),
    ).to.deep.equal({ c: true, o: true });
    expect(
      silenced('SELECT 1 FROM customers c WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE 1 = 0)'),
    ).to.deep.equal({ c: false, o: true });
  });
});
