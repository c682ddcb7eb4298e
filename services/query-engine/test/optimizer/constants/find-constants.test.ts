import { expect } from 'chai';
import { FOLDED_CONSTANTS_MAX } from '../../../src/optimizer/limits.ts';
import { findConstants } from '../../../src/optimizer/constants/find-constants.ts';
import { printExpression } from '../../../src/planning/explain/print-expression.ts';
import { bindSql } from '../fixture.ts';

/** As text: those that have to be evaluated, and those that need not. */
function found(sql: string, parameters = ''): { unknown: readonly string[]; known: readonly string[] } {
  const { known, unknown } = findConstants(bindSql(sql, parameters).plan);
  const print = (node: Parameters<typeof printExpression>[0]): string =>
    printExpression(node, ({ name }) => name);
  return { unknown: unknown.map(print), known: [...known.keys()].map(print) };
}

const where = (condition: string, parameters = ''): ReturnType<typeof found> =>
  found(`SELECT name FROM customers WHERE ${condition}`, parameters);

describe('constants of a statement', () => {
  for (const condition of [
    "id = 'a'",
    "id = 'a' AND age IN (1, -2, 3.5) AND name LIKE 'a%' AND vip",
    "id BETWEEN 'a' AND 'b' OR NOT (age > 3)",
    'TRUE',
    '1 = 1',
    '1 = 0 AND NOT (2 < 1)',
    'age = NULL OR NULL IS NULL',
    "city >= DATE '2026-11-20' AND city < TIMESTAMP '2026-11-20 10:00:00.5'",
    'age = -7',
    "name = 'a' || city",
    'age > (SELECT max(total) FROM orders)',
  ])
    it(`are none to be evaluated in ${condition}`, () => {
      expect(where(condition).unknown).to.deep.equal([]);
    });

  it('are known by their form where they are cast to what they are', () => {
    for (const condition of [
      "id = CAST('a' AS VARCHAR)",
      "id = 'a'::text",
      "id IN ('a'::text, 'b'::text)",
      'age = CAST(12 AS BIGINT)',
      'age = CAST(12 AS NUMERIC)',
      'age = CAST(NULL AS INT)',
      'vip = CAST(TRUE AS BOOLEAN)',
    ]) {
      const { known, unknown } = where(condition);
      expect(unknown, condition).to.deep.equal([]);
      expect(known.length, condition).to.be.above(0);
    }
    expect(where('id = CAST(? AS VARCHAR)', '["a"]')).to.have.property('unknown').that.deep.equals([]);
  });

  it('are not known by their form where a cast changes them', () => {
    for (const condition of [
      "id = CAST('abc' AS VARCHAR(2))",
      "age = CAST('7' AS INT)",
      'age = CAST(1.5 AS INT)',
      'age = CAST(1234567890 AS INT)',
      'id = CAST(7 AS VARCHAR)',
    ])
      expect(where(condition).unknown.length, condition).to.equal(1);
  });

  it('are the largest expressions without a column', () => {
    expect(where("id = upper(substr('abc', 1, 2)) || 'x' AND age > 1 + 2 * 3").unknown.length).to.equal(2);
    expect(where('age + (1 + 2) > 3 + 4').unknown.length).to.equal(2);
    expect(where("(id, age) = (lower('A'), 1 + 1)").unknown.length).to.equal(2);
    expect(where("id IN (lower('A'), 'b', lower('C'))").unknown.length).to.equal(2);
    expect(where("CASE WHEN age > 1 + 1 THEN id ELSE lower('A') END = 'x'").unknown.length).to.equal(2);
    expect(where("ARRAY_CONTAINS(ARRAY['a', lower('B')], id)").unknown.length).to.equal(1);
  });

  it('are found in ON, HAVING, FILTER, QUALIFY, subqueries and CTEs', () => {
    expect(
      found(
        `WITH c AS (SELECT id FROM customers WHERE id = lower('A'))
         SELECT c.id, count(*) FILTER (WHERE o.total > 1 + 1) FROM c JOIN orders o ON o.status = lower('B')
         WHERE EXISTS (SELECT 1 FROM lines WHERE product_id = lower('C')) GROUP BY c.id HAVING count(*) > 2 + 2`,
      ).unknown.length,
    ).to.equal(5);
    expect(
      found(`SELECT id FROM customers QUALIFY row_number() OVER (ORDER BY id) <= 1 + 1`).unknown.length,
    ).to.equal(1);
  });

  it('may be subqueries that read no table', () => {
    expect(where("id = (SELECT lower('A'))").unknown.length).to.equal(1);
    expect(where('age = (SELECT age)').unknown.length).to.equal(0);
    expect(where("age = (SELECT 1 + 1 WHERE name = 'a')").unknown.length).to.equal(0);
    expect(where("id = (SELECT max(name) FROM customers WHERE city = lower('A'))").unknown.length).to.equal(
      1,
    );
  });

  it('are not looked for in what is shown', () => {
    expect(found("SELECT upper('a'), 1 + 1 FROM customers ORDER BY 1 + 1").unknown).to.deep.equal([]);
  });

  it('are so many at most', () => {
    const all = Array.from({ length: FOLDED_CONSTANTS_MAX + 10 }, (_, i) => `${i} + 1`).join(', ');
    expect(where(`age IN (${all})`).unknown.length).to.equal(FOLDED_CONSTANTS_MAX);
  });
});
