import { expect } from 'chai';
import type { AstExpression, AstSelect } from '../../src/parser/ast.ts';
import { parse } from '../../src/parser/parse.ts';
import { print } from '../../src/parser/print.ts';
import { refusalOf } from './refusal.ts';

/** Prints the tree of a statement: what it was understood as. */
const understood = (sql: string): string => print(parse(sql));

function selectOf(sql: string): AstSelect {
  const { body } = parse(sql);
  if (body.kind !== 'Select') throw new Error(`not a SELECT: ${body.kind}`);
  return body;
}

function itemOf(sql: string): AstExpression {
  const [item] = selectOf(sql).items;
  if (item?.kind !== 'Expression') throw new Error('not an expression');
  return item.expression;
}

describe('what parsers of SQL get wrong', () => {
  it('1: AND binds tighter than OR, in WHERE and in the SELECT list', () => {
    const where = selectOf('SELECT x FROM t WHERE a = 1 OR b = 2 AND c = 3').where;
    expect(where).to.have.property('kind', 'Or');
    expect(understood('SELECT x FROM t WHERE a = 1 OR b = 2 AND c = 3')).to.equal(
      'SELECT x FROM t WHERE a = 1 OR b = 2 AND c = 3',
    );
    expect(itemOf('SELECT a OR b AND c')).to.have.property('kind', 'Or');
    expect(itemOf('SELECT (a OR b) AND c')).to.have.property('kind', 'And');
  });

  it('2: a backslash in a string is a backslash, and cannot hide a table', () => {
    const smuggled = "SELECT v FROM t WHERE v = '\\' UNION ALL SELECT v FROM secret --'";
    expect(understood(smuggled)).to.equal("SELECT v FROM t WHERE v = '\\' UNION ALL SELECT v FROM secret");
    expect(itemOf("SELECT 'C:\\new'")).to.include({ kind: 'StringLiteral', value: 'C:\\new' });
  });

  it('3: no term of a chain vanishes after a cast', () => {
    expect(understood('SELECT (p OR q)::INT + 1')).to.equal('SELECT CAST(p OR q AS INT) + 1');
    expect(understood('SELECT (SELECT 1)::INT * 10 - 5')).to.equal('SELECT CAST((SELECT 1) AS INT) * 10 - 5');
  });

  it('4: a dash subtracts columns, belongs to a table name in FROM, and two start a comment', () => {
    expect(understood('SELECT n.a-n.b FROM n')).to.equal('SELECT n.a - n.b FROM n');
    expect(understood('SELECT id FROM orders--x')).to.equal('SELECT id FROM orders');
    expect(understood('SELECT 1 FROM prod.my-table.v1')).to.equal('SELECT 1 FROM prod."my-table.v1"');
    expect(understood('SELECT 1 FROM prod.orders.by-region')).to.equal(
      'SELECT 1 FROM prod.orders."by-region"',
    );
  });

  it('5: NOT, EXISTS, DISTINCT and COALESCE keep their operands', () => {
    expect(itemOf('SELECT NOT (a) = 1')).to.have.property('kind', 'Not');
    expect(itemOf('SELECT EXISTS (SELECT 1)')).to.have.property('kind', 'Exists');
    expect(selectOf('SELECT DISTINCT (x), y FROM t')).to.have.property('distinct', true);
    const coalesce = itemOf('SELECT COALESCE(x, p OR q)');
    expect(coalesce.kind === 'FunctionCall' && coalesce.arguments.map(({ kind }) => kind)).to.deep.equal([
      'Name',
      'Or',
    ]);
  });

  it('6: join keywords are not aliases, and a JOIN needs its condition', () => {
    expect(understood('SELECT 1 FROM orders CROSS JOIN c')).to.equal('SELECT 1 FROM orders CROSS JOIN c');
    expect(understood('SELECT 1 FROM a NATURAL LEFT JOIN b')).to.equal('SELECT 1 FROM a NATURAL LEFT JOIN b');
    expect(refusalOf('SELECT 1 FROM a ANTI JOIN b ON x').message).to.equal('Unsupported SQL: ANTI JOIN');
    expect(refusalOf('SELECT 1 FROM a JOIN b').message).to.equal(
      'Parse error: INNER JOIN without ON or USING',
    );
    expect(refusalOf('SELECT 1 FROM a CROSS JOIN b ON x').message).to.equal(
      'Parse error: CROSS JOIN with ON or USING',
    );
    expect(refusalOf('SELECT 1 FROM a, b ON x').message).to.equal('Parse error: ON or USING without JOIN');
  });

  it('7: ORDER BY and LIMIT belong to the whole set operation, and INTERSECT binds tighter', () => {
    const query = parse('SELECT a FROM t UNION SELECT b FROM u INTERSECT SELECT c FROM v ORDER BY 1 LIMIT 2');
    expect(query.orderBy).to.have.length(1);
    expect(query.limit).to.include({ kind: 'NumberLiteral', text: '2' });
    expect(query.body).to.include({ kind: 'SetOperation', operator: 'UNION' });
    expect(query.body.kind === 'SetOperation' && query.body.right).to.include({ operator: 'INTERSECT' });
    expect(understood('SELECT a FROM t1 UNION (SELECT b FROM t2 LIMIT 1)')).to.equal(
      'SELECT a FROM t1 UNION (SELECT b FROM t2 LIMIT 1)',
    );
  });

  it('8: numbers keep every digit', () => {
    for (const digits of [
      '123456789012.123456789',
      '9223372036854775808',
      '0.30000000000000004',
      '1.10',
      '1E400',
      '007',
    ]) {
      expect(itemOf(`SELECT ${digits}`)).to.include({ kind: 'NumberLiteral', text: digits });
    }
    expect(understood('SELECT -9223372036854775808')).to.equal('SELECT -9223372036854775808');
  });

  it('9: quoted names keep every character and their quotes, strings stay strings', () => {
    expect(understood('SELECT "a""b", "Ab", ab FROM "T" AS "x y" WHERE "n" LIKE "m"')).to.equal(
      'SELECT "a""b", "Ab", ab FROM "T" AS "x y" WHERE "n" LIKE "m"',
    );
    expect(itemOf('SELECT "a"" b\\"'))
      .to.have.nested.property('path[0].identifier')
      .that.includes({ name: 'a" b\\', quoted: true });
    const [upper, lower] = selectOf('SELECT "Id", "id" FROM t').items;
    expect(upper).to.have.nested.property('expression.path[0].identifier.name', 'Id');
    expect(lower).to.have.nested.property('expression.path[0].identifier.name', 'id');
  });

  it('10: || binds looser than + and tighter than LIKE', () => {
    expect(itemOf("SELECT 1 + 2 || 'x'")).to.include({ kind: 'Binary', operator: '||' });
    expect(understood("SELECT (1 + (2 || 'x'))")).to.equal("SELECT 1 + (2 || 'x')");
    expect(itemOf("SELECT a LIKE b || '%'")).to.have.nested.property('pattern.operator', '||');
  });

  it('11: what only looks like one query is refused', () => {
    for (const [sql, message] of [
      ['SELECT 1 /* open', 'Parse error: unterminated comment'],
      ['SELECT 1 FROM t WHERE a = 1, b = 2', "Parse error: unexpected ','"],
      ['SELECT 1 LIMIT 1 LIMIT 2', "Parse error: unexpected 'LIMIT'"],
      ['SELECT ;', "Parse error: unexpected ';'"],
      ['SELECT a = b = c', "Parse error: unexpected '='"],
      ['WITH x AS (INSERT INTO t VALUES (1)) SELECT 1', 'Unsupported SQL: INSERT'],
      ['SELECT a INTO b FROM c', 'Unsupported SQL: INTO'],
      ['SELECT 1; SELECT 2', 'Unsupported SQL: more than one statement'],
    ] as const) {
      expect(refusalOf(sql).message, sql).to.equal(message);
    }
  });
});
