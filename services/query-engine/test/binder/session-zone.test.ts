import { expect } from 'chai';
import { problemsOf } from '../../src/logical/validate.ts';
import { walkDeep } from '../../src/logical/visit.ts';
import { bindSql } from './fixture.ts';

/** So many expressions does a statement have in a zone. */
function size(sql: string, timeZone: string): number {
  const { plan } = bindSql(sql, '', { engine: 'postgresql', timeZone });
  expect(problemsOf(plan)).to.deep.equal([]);
  let count = 0;
  walkDeep(plan, { expression: () => void count++ });
  return count;
}

describe('a statement in a session’s zone', () => {
  it('is as it was where it has no times, and in UTC', () => {
    const sql = 'SELECT city, count(*) FROM customers WHERE name = $1 GROUP BY city';
    const text = sql.replace('$1', "'2024-01-01'");
    expect(size(text, 'Europe/Berlin')).to.equal(size(text, 'UTC'));
    expect(bindSql(text, '', { engine: 'postgresql', timeZone: 'Asia/Tokyo' }).plan).to.deep.equal(
      bindSql(text, '', { engine: 'postgresql' }).plan,
    );
  });

  for (const [what, nested] of [
    ['days that are added', (inner: string) => `(${inner} + interval '1 day')`],
    ['times that are cut down', (inner: string) => `date_trunc('hour', ${inner})`],
    ['casts there and back', (inner: string) => `${inner}::timestamp::timestamptz`],
    ['choices', (inner: string) => `coalesce(${inner}, '2024-01-01')`],
    ['cases', (inner: string) => `CASE WHEN total > 1 THEN ${inner} ELSE timestamp '2024-01-01' END`],
    ['subqueries', (inner: string) => `(SELECT max(${inner}) FROM customers)`],
  ] as const)
    it(`grows by the same for each step of ${what}`, () => {
      const chain = (steps: number): string =>
        `SELECT ${Array.from({ length: steps }).reduce<string>(nested, 'now()')} AS t FROM orders`;
      const [one, two, three] = [4, 8, 12].map((steps) => size(chain(steps), 'Europe/Berlin'));
      expect(three! - two!).to.equal(two! - one!);
    });
});
