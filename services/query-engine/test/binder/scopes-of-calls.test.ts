import { expect } from 'chai';
import { outputColumns } from '../../src/logical/output.ts';
import { problemsOf } from '../../src/logical/validate.ts';
import { bindError, bindSql } from './fixture.ts';

const refused = (sql: string): string => {
  const { code, message } = bindError(sql);
  return `${code} ${message}`;
};

describe('aggregates, windows and groups', () => {
  it('do not nest by way of an alias', () => {
    expect(refused('SELECT sum(total) AS s FROM orders HAVING sum(s) > 1')).to.equal(
      'INVALID_QUERY SUM cannot be taken of what its own SELECT computes',
    );
    expect(refused('SELECT rank() OVER (ORDER BY total) AS k FROM orders ORDER BY sum(k) OVER ()')).to.equal(
      'INVALID_QUERY SUM cannot be taken of what its own SELECT computes',
    );
    expect(
      refused('SELECT city, rank() OVER (ORDER BY city) AS k FROM orders GROUP BY city HAVING k > 1'),
    ).to.equal('INVALID_QUERY A window function cannot stand in HAVING');
  });

  it('over columns of the outer query alone belong to it, and are refused where it can have none', () => {
    expect(problemsOf(bindSql('SELECT (SELECT max(o.total)) FROM orders o').plan)).to.deep.equal([]);
    expect(refused('SELECT 1 FROM orders o WHERE 1 = (SELECT max(o.total))')).to.match(
      /^INVALID_QUERY MAX is over columns of an outer query alone/,
    );
    const mixed = 'SELECT (SELECT sum(o.total + c.id) FROM customers c) FROM orders o';
    expect(problemsOf(bindSql(mixed).plan)).to.deep.equal([]);
  });

  it('let a correlated subquery use a group expression, but no column that is not grouped', () => {
    const grouped =
      'SELECT upper(city), (SELECT count(*) FROM customers c WHERE c.city = upper(o.city)) FROM orders o GROUP BY upper(city)';
    expect(problemsOf(bindSql(grouped).plan)).to.deep.equal([]);
    expect(
      refused(
        'SELECT o.city FROM orders o GROUP BY o.city HAVING EXISTS (SELECT 1 FROM customers c WHERE c.city = o.total)',
      ),
    ).to.equal('INVALID_QUERY Column total must appear in GROUP BY or inside an aggregate');
  });

  it('say which was meant where an alias is hidden by a column that is not grouped', () => {
    const sentence = (name: string): string =>
      `INVALID_QUERY ${name} is here the column of that name, not the alias of the SELECT list, and must appear in GROUP BY or inside an aggregate`;
    for (const [sql, name] of [
      ['SELECT city AS total, COUNT(*) FROM orders GROUP BY city HAVING total > 1', 'total'],
      ['SELECT city AS total, COUNT(*) FROM orders o GROUP BY city HAVING LENGTH("total") > 1', 'total'],
      ['SELECT city AS total, COUNT(*) FROM orders GROUP BY city ORDER BY total || 1', 'total'],
      ['SELECT city, SUM(total) AS Total FROM orders GROUP BY city HAVING total > 1', 'total'],
    ] as const) {
      expect(refused(sql), sql).to.equal(sentence(name));
    }
    for (const sql of [
      'SELECT city AS total, COUNT(*) FROM orders o GROUP BY city HAVING o.total > 1',
      'SELECT city AS total, total FROM orders GROUP BY city',
      'SELECT city AS c, COUNT(*) FROM orders GROUP BY city HAVING total > 1',
    ]) {
      expect(refused(sql), sql).to.equal(
        'INVALID_QUERY Column total must appear in GROUP BY or inside an aggregate',
      );
    }
  });

  it('say how to write the alias, and the column, that one name may mean', () => {
    const sql = 'SELECT city, SUM(total) AS total FROM orders GROUP BY city HAVING total > 1';
    expect(bindError(sql).detail).to.match(
      /^at line 1, column 67: .*; for the alias, write SUM\(total\), or give it a name of its own; for the column, write for example MIN\(total\)\n/,
    );
    expect(
      problemsOf(bindSql(`${sql.replace('HAVING total', 'HAVING SUM(total)')} ORDER BY total`).plan),
    ).to.deep.equal([]);
  });

  it('keep an item and the same ORDER BY expression one column, a rewritten subquery in it or not', () => {
    const sql =
      'SELECT DISTINCT (SELECT max(c.name) FROM customers c WHERE c.city = upper(o.city)) AS m ' +
      'FROM orders o GROUP BY upper(city) ORDER BY m';
    expect(problemsOf(bindSql(sql).plan)).to.deep.equal([]);
  });

  it('refuse an ORDER BY name that two different columns have', () => {
    expect(refused('SELECT city AS x, status AS x FROM orders ORDER BY x')).to.equal(
      'AMBIGUOUS_NAME Ambiguous name: x',
    );
    expect(bindSql('SELECT city AS x, city AS x FROM orders ORDER BY x').columns).to.have.length(2);
  });
});

describe('a bound plan', () => {
  const statements = [
    'SELECT * FROM orders o JOIN customers c USING (city) LEFT JOIN empty e ON e.id = c.id',
    'SELECT city, count(*) FROM orders GROUP BY ROLLUP (city, status) HAVING grouping(city) = 0 ORDER BY sum(total)',
    'SELECT DISTINCT ON (city) total FROM orders ORDER BY city, total DESC LIMIT 2',
    'SELECT sum(sum(total)) OVER (ORDER BY city) FROM orders GROUP BY city QUALIFY rank() OVER (ORDER BY city) < 3',
    'WITH a AS (SELECT 1 AS x), b AS (SELECT x + 1 AS y FROM a) SELECT * FROM a, b, a AS c',
    '(SELECT id FROM customers ORDER BY name LIMIT 1) UNION ALL SELECT order_id FROM orders ORDER BY 1',
    'SELECT id FROM customers c WHERE (id, name) IN (SELECT order_id, city FROM orders o WHERE o.status = c.name)',
    'SELECT (SELECT z FROM (SELECT c.id AS z) d) FROM customers c',
    'SELECT x FROM (VALUES (1), (2)) AS v (x) WHERE x > ALL (SELECT id FROM customers)',
  ];
  for (const sql of statements) {
    it(`is valid and has the statement's columns: ${sql}`, () => {
      const { plan, columns } = bindSql(sql);
      expect(problemsOf(plan)).to.deep.equal([]);
      expect(outputColumns(plan).map(({ id }) => id)).to.deep.equal(columns.map(({ id }) => id));
    });
  }
});
