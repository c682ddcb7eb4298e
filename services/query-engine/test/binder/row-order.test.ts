import { expect } from 'chai';
import { BINDER_LIMITS } from '../../src/binder/limits.ts';
import type { Aggregate } from '../../src/logical/plan.ts';
import { problemsOf } from '../../src/logical/validate.ts';
import { walkDeep } from '../../src/logical/visit.ts';
import { bindSql } from './fixture.ts';

const SORTED = 'SELECT city, total FROM orders ORDER BY total, status';

/** How many keys the lists of a statement are ordered by, and the columns that it has in all. */
function bound(sql: string): { readonly keys: readonly number[]; readonly columns: number } {
  const { plan, columnCount } = bindSql(sql);
  expect(problemsOf(plan)).to.deep.equal([]);
  const aggregates: Aggregate[] = [];
  walkDeep(plan, { plan: (node) => void (node.kind === 'Aggregate' && aggregates.push(node)) });
  const keys = aggregates.flatMap(({ aggregates: calls }) => calls.map(({ call }) => call.orderBy.length));
  return { keys, columns: columnCount };
}

const joined = (levels: number): string => {
  const ctes = Array.from(
    { length: levels },
    (_, i) => `, c${i + 1} AS (SELECT a.city FROM c${i} a CROSS JOIN c${i} b)`,
  );
  return `WITH c0 AS (${SORTED})${ctes.join('')} SELECT string_agg(city, '') FROM c${levels}`;
};
const nested = (levels: number): string =>
  levels === 0
    ? SORTED
    : `WITH n${levels} AS (${nested(levels - 1)}) SELECT * FROM (SELECT city, (SELECT json_agg(city) FROM n${levels}) AS l FROM n${levels}) x`;

describe('the order of rows that lists take', () => {
  it('comes through CTEs, and all uses of one have its hidden columns', () => {
    expect(
      bound(`WITH a AS (${SORTED}), b AS (SELECT city FROM a) SELECT string_agg(city, '') FROM b`).keys,
    ).to.deep.equal([2]);
    expect(
      bound(`WITH a AS (${SORTED}) SELECT json_agg(city) FROM a UNION ALL SELECT count(*) FROM a`).keys,
    ).to.deep.equal([2, 0]);
  });

  it('is that of joins as long as it has few columns, however often a CTE is joined to itself', () => {
    expect(bound(joined(1)).keys).to.deep.equal([4]);
    expect(bound(joined(5)).keys).to.deep.equal([BINDER_LIMITS.orderKeysMax]);
    expect(bound(joined(6)).keys).to.deep.equal([0]);
    // Each level has as many columns as the one before.
    const more = bound(joined(30)).columns - bound(joined(29)).columns;
    expect(bound(joined(60)).columns - bound(joined(30)).columns).to.be.at.most(30 * more);
  });

  it('takes as long for each level of WITH', () => {
    const [ten, twenty, thirty] = [10, 20, 30].map((levels) => bound(nested(levels)));
    expect(thirty!.keys).to.have.length(30);
    expect(thirty!.columns - twenty!.columns).to.be.at.most(twenty!.columns - ten!.columns);
  });
});
