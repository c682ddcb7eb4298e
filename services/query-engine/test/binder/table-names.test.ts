import { expect } from 'chai';
import { tablesNamed } from '../../src/binder/table-names.ts';
import { parse } from '../../src/parser/parse.ts';

const named = (sql: string): readonly string[] =>
  tablesNamed(parse(sql)).map(({ schema, table }) => (schema === null ? '' : `${schema.name}.`) + table.name);

describe('the tables that a statement names', () => {
  it('are each there once, schemas in any case, quoted names apart', () => {
    expect(named('SELECT 1 FROM s.t a, S.t b, t c, "T" d')).to.deep.equal(['s.t', 't', 'T']);
  });

  it('are found wherever a query may stand', () => {
    const sql = `
      WITH c AS (SELECT * FROM in_cte)
      SELECT (SELECT 1 FROM in_item), count(*) FILTER (WHERE EXISTS (SELECT 1 FROM in_filter)) FROM (SELECT 1 AS x FROM in_derived) d
      JOIN joined ON joined.x = (SELECT 1 FROM in_on)
      WHERE x IN (SELECT 1 FROM in_where) GROUP BY (SELECT 1 FROM in_group)
      HAVING 1 > ANY (SELECT 1 FROM in_having)
      UNION SELECT 1, 2 FROM in_union ORDER BY (SELECT 1 FROM in_order)`;
    expect(named(sql)).to.have.members([
      'in_cte',
      'in_item',
      'in_filter',
      'in_derived',
      'joined',
      'in_on',
      'in_where',
      'in_group',
      'in_having',
      'in_union',
      'in_order',
    ]);
  });

  it('leave out CTEs where these are in scope, and only there', () => {
    expect(named('WITH a AS (SELECT * FROM t), b AS (SELECT * FROM A) SELECT * FROM b')).to.deep.equal(['t']);
    expect(named('WITH a AS (SELECT * FROM a) SELECT * FROM a')).to.deep.equal(['a']);
    expect(named('WITH a AS (SELECT 1) SELECT * FROM s.a')).to.deep.equal(['s.a']);
    expect(named('SELECT (WITH a AS (SELECT 1) SELECT 1 FROM a) FROM a')).to.deep.equal(['a']);
    expect(named('WITH a AS (SELECT 1) SELECT * FROM "A"')).to.deep.equal(['A']);
  });
});
