import { expect } from 'chai';
import { problemsOf } from '../../src/logical/validate.ts';
import { inlinableCtes, inlineCtes } from '../../src/optimizer/inline-ctes.ts';
import { bindSql, print } from './fixture.ts';

/** The statement with all its repeatable CTEs written out; how many there are. */
function repeated(sql: string): { readonly count: number; readonly text: string } {
  const { plan } = bindSql(sql);
  const ids = inlinableCtes(plan);
  const written = inlineCtes(plan, new Set(ids));
  expect(problemsOf(written)).to.deep.equal([]);
  return { count: ids.length, text: print(written) };
}

const countOf = (cte: string): number => repeated(`WITH c AS (${cte}) SELECT 1 FROM c x, c y`).count;

describe('writing CTEs out at each use', () => {
  it('gives each use a copy under columns of its own', () => {
    const { text } = repeated(
      'WITH c AS (SELECT id AS i, age FROM customers WHERE age > 1) SELECT a.i FROM c a JOIN c b ON a.i = b.i WHERE b.age < 5',
    );
    expect(text).to.not.match(/With|Cte/);
    expect(text.match(/Filter customers\.age > 1/g)).to.have.length(2);
  });

  it('copies whatever a CTE may consist of', () => {
    const { count, text } = repeated(`WITH
        a AS (SELECT city, count(*) AS n, max(age) AS top FROM customers GROUP BY city HAVING count(*) > 1),
        b AS (SELECT city AS x, sum(n) OVER (PARTITION BY city) AS s FROM a UNION ALL SELECT status, 1 FROM orders),
        c AS (WITH i AS (SELECT DISTINCT x FROM b) SELECT p.x, q.x AS y FROM i p LEFT JOIN i q ON p.x = q.x
              WHERE EXISTS (SELECT 1 FROM b WHERE b.x = p.x) AND p.x IN (VALUES ('a'), ('b')))
      SELECT v.x, w.y FROM c v, c w WHERE v.x = w.y ORDER BY 1`);
    expect(count).to.equal(3);
    expect(text).to.not.match(/With|Cte/);
  });

  it('leaves outer columns of a correlated subquery alone', () => {
    const { count } = repeated(
      'SELECT (WITH o AS (SELECT total FROM orders WHERE customer_id = c.id) SELECT max(a.total) FROM o a, o b) FROM customers c',
    );
    expect(count).to.equal(1);
  });

  it('is not for what is used once', () => {
    expect(repeated('WITH c AS (SELECT * FROM customers) SELECT 1 FROM c').count).to.equal(0);
  });

  it('is not for what picks rows by their place, for each copy might pick others', () => {
    expect(countOf('SELECT * FROM customers')).to.equal(1);
    expect(countOf('SELECT * FROM customers LIMIT 3')).to.equal(0);
    expect(countOf('SELECT * FROM customers WHERE id IN (SELECT customer_id FROM orders LIMIT 3)')).to.equal(
      0,
    );
    expect(countOf('SELECT DISTINCT ON (city) * FROM customers')).to.equal(0);
    expect(countOf('SELECT id, row_number() OVER (ORDER BY city) AS r FROM customers')).to.equal(0);
    expect(countOf('SELECT id, sum(age) OVER (ORDER BY city ROWS 2 PRECEDING) AS r FROM customers')).to.equal(
      0,
    );
    expect(countOf('SELECT id, rank() OVER (ORDER BY city) AS r FROM customers')).to.equal(1);
  });

  it('is not for CTEs that double each other beyond bounds', () => {
    const doubling = (levels: number): string => {
      const more = Array.from(
        { length: levels },
        (_, i) => `c${i + 1} AS (SELECT a.id FROM c${i} a, c${i} b)`,
      );
      return `WITH c0 AS (SELECT id FROM customers), ${more.join(', ')} SELECT 1 FROM c${levels} a, c${levels} b`;
    };
    expect(repeated(doubling(3)).count).to.equal(4);
    expect(repeated(doubling(5)).count).to.equal(0);
    expect(repeated(doubling(60)).count).to.equal(0);
  });
});
