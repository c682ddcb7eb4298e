import { expect } from 'chai';
import { threadMs } from '../../../common/test/support/thread-time.ts';
import { bindError, bindSql, columnsOf } from './fixture.ts';

describe('output columns', () => {
  it('are named by alias, by the stored name, or by the text as written', () => {
    expect(
      columnsOf(
        'SELECT id AS x, NAME, name2, total*2, COUNT(*) FROM customers c, orders GROUP BY 1, 2, 3, 4',
      ),
    ).to.deep.equal(['x', 'name', 'Name2', 'total*2', 'COUNT(*)']);
  });

  it('of * are keys first, then attributes by name; a merged column comes once and first', () => {
    expect(columnsOf('SELECT * FROM customers')).to.deep.equal([
      'id',
      'Name2',
      'Twin',
      'city',
      'name',
      'twin',
    ]);
    expect(columnsOf('SELECT * FROM customers JOIN orders USING (city)')).to.deep.equal([
      'city',
      'id',
      'Name2',
      'Twin',
      'name',
      'twin',
      'order_id',
      'customer_id',
      'status',
      'total',
    ]);
    expect(
      columnsOf('SELECT o.*, c.id FROM customers c JOIN orders o ON o.customer_id = c.id'),
    ).to.deep.equal(['order_id', 'city', 'customer_id', 'status', 'total', 'id']);
    expect(
      columnsOf('SELECT * FROM customers NATURAL JOIN (SELECT id, name AS n FROM customers) t'),
    ).to.deep.equal(['id', 'Name2', 'Twin', 'city', 'name', 'twin', 'n']);
  });

  it('of set operations, CTEs and derived tables carry the names given to them', () => {
    expect(columnsOf('SELECT id FROM customers UNION SELECT total FROM orders ORDER BY id')).to.deep.equal([
      'id',
    ]);
    expect(columnsOf('WITH t (a, b) AS (SELECT id, name FROM customers) SELECT b, a FROM t')).to.deep.equal([
      'b',
      'a',
    ]);
    expect(columnsOf('SELECT * FROM (VALUES (1, 2)) v (x, y)')).to.deep.equal(['x', 'y']);
  });
});

describe('names', () => {
  it('match exactly first, then in any case if just one fits', () => {
    expect(columnsOf('SELECT "Twin", twin FROM customers')).to.deep.equal(['Twin', 'twin']);
    const twins = bindError('SELECT c.tWin FROM customers c');
    expect(twins.code).to.equal('AMBIGUOUS_NAME');
    expect(twins.detail).to.include('"Twin"').and.include('"twin"');
  });

  it('that nobody has seen are errors with the nearest names, unless quoted or the table was never sampled', () => {
    const error = bindError('SELECT id,\n  nmae FROM customers');
    expect(error.message).to.equal('Column not found: nmae');
    expect(error.detail)
      .to.match(/^at line 2, column 3/)
      .and.include('did you mean name');
    expect(columnsOf('SELECT "nmae" FROM customers')).to.deep.equal(['nmae']);
    expect(columnsOf('SELECT anything FROM empty')).to.deep.equal(['anything']);
    expect(bindError('SELECT "x" FROM customers, orders').code).to.equal('COLUMN_NOT_FOUND');
    expect(columnsOf('SELECT orders."x" FROM customers, orders')).to.deep.equal(['x']);
  });

  it('of two tables need a qualifier: alias, table, or schema and table in any case', () => {
    expect(bindError('SELECT city FROM customers, orders').code).to.equal('AMBIGUOUS_NAME');
    expect(bindError('SELECT count(id), count(name) FROM customers ORDER BY count').code).to.equal(
      'AMBIGUOUS_NAME',
    );
    expect(bindError('SELECT count(id) FROM customers ORDER BY counts').code).to.equal('COLUMN_NOT_FOUND');
    expect(
      columnsOf('SELECT shop.customers.city, SHOP.orders.city FROM shop.customers, shop.orders'),
    ).to.have.length(2);
    expect(bindError('SELECT customers.city FROM customers c').code).to.equal('COLUMN_NOT_FOUND');
    expect(bindError('SELECT 1 FROM customers, customers').message).to.include('stands for two tables');
  });

  it('reach outer queries from subqueries, but not neighbors from derived tables', () => {
    bindSql('SELECT id FROM customers c WHERE EXISTS (SELECT 1 FROM orders WHERE customer_id = c.id)');
    expect(bindError('SELECT 1 FROM customers c, (SELECT c.id) t').code).to.equal('COLUMN_NOT_FOUND');
  });

  it('mean a visible relation before a path into a column, and lack what that relation lacks', () => {
    const asked = (column: string): string =>
      `SELECT 1 FROM customers status WHERE EXISTS (SELECT 1 FROM orders WHERE status.${column} = order_id)`;
    expect(() => bindSql(asked('name'))).to.not.throw();
    expect(bindError(asked('code')).message).to.equal('Column not found: status.code');
    // In the relation's own query its columns are as near as itself.
    expect(columnsOf('SELECT city.x FROM customers city')).to.deep.equal(['x']);
  });

  it('become document paths below a column', () => {
    expect(columnsOf('SELECT name.first, c.name.tags[0].x FROM customers c')).to.deep.equal(['first', 'x']);
  });
});

describe('clauses', () => {
  it('refuse what makes no sense, each with its place', () => {
    const cases: readonly [string, RegExp][] = [
      ['SELECT name, COUNT(*) FROM customers', /Column name must appear in GROUP BY/],
      ['SELECT city FROM customers GROUP BY name', /Column city must appear/],
      ['SELECT * FROM customers GROUP BY id', /must appear in GROUP BY/],
      ['SELECT id FROM customers WHERE COUNT(*) > 1', /COUNT cannot stand in WHERE/],
      ['SELECT SUM(COUNT(*)) FROM customers', /COUNT cannot stand in the aggregate SUM/],
      ['SELECT COUNT(*) AS n FROM customers GROUP BY n', /GROUP BY cannot hold an aggregate/],
      ['SELECT id FROM customers WHERE ROW_NUMBER() OVER () = 1', /window function cannot stand in WHERE/],
      ['SELECT RANK() FROM customers', /needs OVER/],
      ['SELECT UPPER(id) OVER () FROM customers', /takes no OVER/],
      ['SELECT UPPER(DISTINCT id) FROM customers', /takes no DISTINCT/],
      ['SELECT UPPER(id, 1) FROM customers', /UPPER takes 1 argument, not 2/],
      ['SELECT SUM(*) FROM customers', /only COUNT takes \*/],
      ['SELECT id FROM customers ORDER BY 2', /ORDER BY 2 names no column/],
      ['SELECT id FROM customers GROUP BY 3', /GROUP BY 3 names no column/],
      ['SELECT DISTINCT id FROM customers ORDER BY name', /only what is selected/],
      ['SELECT id FROM customers LIMIT id', /LIMIT must be a whole number/],
      ['SELECT id FROM customers LIMIT -1', /LIMIT must be a whole number/],
      [
        'SELECT id FROM customers UNION SELECT id, name FROM customers',
        /1 columns on the left, 2 on the right/,
      ],
      ['SELECT id FROM customers WHERE (SELECT id, name FROM customers) = 1', /must have one column, not 2/],
      [
        'SELECT id FROM customers WHERE id IN (SELECT id, name FROM customers)',
        /1 on the left, 2 on the right/,
      ],
      ['SELECT (1, 2)', /row value can stand only/],
      ['SELECT CAST(id AS POINT) FROM customers', /Unknown type: POINT/],
      ["SELECT id FROM customers WHERE id = ANY ('c1')", /A text is no list/],
      ["SELECT id FROM customers WHERE id = ANY ('{c1,{c2}}'::text[])", /A text is no list/],
      ["SELECT '{a,}'::text[]", /A text is no list/],
      ["SELECT '{\"a}'::text[]", /A text is no list/],
      ['SELECT id::text[] FROM customers', /Only a list that is written out can be cast to TEXT\[\]/],
      ["SELECT '{1}'::point[]", /Unknown type: POINT/],
      ["SELECT id FROM customers LIMIT '1.5'", /LIMIT must be a whole number/],
      ['SELECT id FROM customers LIMIT CAST(1 AS text)', /LIMIT must be a whole number/],
      ['SELECT *', /SELECT \* needs a FROM/],
      ['SELECT GROUPING(city) FROM customers GROUP BY name', /expressions of GROUP BY/],
      [
        'SELECT 1 FROM customers GROUP BY CUBE (id, name, city, "a", "b", "c", "d", "e", "f")',
        /256 grouping sets/,
      ],
    ];
    for (const [sql, message] of cases) {
      const error = bindError(sql);
      expect(error.code, sql).to.equal('INVALID_QUERY');
      expect(error.message, sql).to.match(message);
      expect(error.detail, sql).to.match(/^at line 1, column \d+/);
    }
  });

  it('name a function that is not on the list, with the nearest that are', () => {
    const error = bindError('SELECT UPER(id) FROM customers');
    expect(error.code).to.equal('FUNCTION_NOT_FOUND');
    expect(error.message).to.equal('Function not found: UPER');
    expect(error.detail).to.include('UPPER');
    expect(bindError("SELECT READ_CSV('x')").code).to.equal('FUNCTION_NOT_FOUND');
    expect(bindError('SELECT RANDOM()').code).to.equal('FUNCTION_NOT_FOUND');
  });

  it('take aliases where SQL users expect them', () => {
    bindSql(
      'SELECT UPPER(city) AS c, COUNT(*) AS n FROM customers GROUP BY c HAVING n > 1 ORDER BY n DESC, c',
    );
    bindSql('SELECT id AS x FROM customers ORDER BY x, name');
    bindSql('SELECT city, COUNT(*) FROM customers GROUP BY 1 ORDER BY COUNT(*)');
    bindSql(
      'SELECT RANK() OVER (ORDER BY SUM(total)) FROM orders GROUP BY city QUALIFY RANK() OVER (ORDER BY SUM(total)) = 1',
    );
    bindSql(
      'SELECT city FROM customers c GROUP BY city HAVING EXISTS (SELECT 1 FROM orders o WHERE o.city = c.city)',
    );
  });

  it('count every parameter once', () => {
    expect(columnsOf('SELECT ? AS a', '[1]')).to.deep.equal(['a']);
    bindSql('SELECT id FROM customers WHERE id = :id LIMIT :n', '{"id": "c1", "n": 5}');
    expect(bindError('SELECT ?, ?', '[1]').message).to.equal('No value for parameter $2');
    expect(bindError('SELECT :a', '{"a": 1, "b": 2}').message).to.include(':b');
    expect(bindError('SELECT :a').message).to.equal('No value for parameter :a');
  });
});

describe('large statements', () => {
  it('bind in time: 64 tables joined by commas, 200 set operations, long lists', () => {
    const started = threadMs();
    const tables = Array.from({ length: 64 }, (_, i) => `orders o${i}`).join(', ');
    const where = Array.from({ length: 63 }, (_, i) => `o${i}.order_id = o${i + 1}.customer_id`).join(
      ' AND ',
    );
    expect(columnsOf(`SELECT o1.total FROM ${tables} WHERE ${where}`)).to.deep.equal(['total']);
    bindSql(Array.from({ length: 200 }, (_, i) => `SELECT ${i}`).join(' UNION ALL '));
    bindSql(
      `SELECT id FROM customers WHERE id IN (${Array.from({ length: 2_000 }, (_, i) => `'${i}'`).join(', ')})`,
    );
    expect(threadMs() - started).to.be.lessThan(2_000);
  });
});
