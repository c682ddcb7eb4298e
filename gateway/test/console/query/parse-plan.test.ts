import { expect } from 'chai';
import { costsOf, dearest } from '../../../src/console/web/pages/query/plan/costs.ts';
import { parsePlan, readsIn, type PlanNode } from '../../../src/console/web/pages/query/plan/parse-plan.ts';
import { plan } from '../pictures/states/query-answers.ts';

/** The tree as nested names. */
const shape = ({ operation, inputs }: PlanNode): string =>
  inputs.length === 0 ? operation : `${operation}(${inputs.map(shape).join(', ')})`;

const parsed = (text: string): PlanNode => {
  const root = parsePlan(text);
  if (root === null) throw new Error('that is no plan');
  return root;
};

describe('a printed plan as a tree', () => {
  it('has the inputs of each step, and what is said of it', () => {
    const root = parsed(plan);
    expect(shape(root)).to.equal('Page(Sort(Aggregate(LookupJoin(Filter(Scan), BatchGetItem))))');
    const [scan, batch] = readsIn(root);
    expect(scan?.read).to.deep.equal({
      table: 'shop.orders',
      alias: 'o',
      index: null,
      estimate: { rows: 301_248, units: 5_124.5, low: 5_100, high: 5_150 },
    });
    expect(batch?.details.map(({ name }) => name)).to.deep.equal([
      'key',
      'keys from',
      'projection',
      'estimate',
      'otherwise',
      'why',
    ]);
  });

  it('knows a read of an index, one that costs exactly so much, and one that is not made', () => {
    const root = parsed(
      [
        'Whole result (computed when everything is read)',
        '  HashJoin (inner): a.x = b.x',
        '    Query shop.orders as a index byRegion',
        '        estimate: 3 rows, 0.5 read units',
        '    Nothing shop.customers: a contradiction',
      ].join('\n'),
    );
    const [query, nothing] = readsIn(root);
    expect(query?.read).to.include({ index: 'byRegion', alias: 'a' });
    expect(query?.read?.estimate).to.deep.equal({ rows: 3, units: 0.5, low: 0.5, high: 0.5 });
    expect(nothing?.read).to.include({ table: 'shop.customers', alias: 'customers', estimate: null });
  });

  it('keeps what is said of parts and of what is read otherwise with its read', () => {
    const root = parsed(
      [
        'Page: 100 rows',
        '  IndexUnion shop.sales',
        '      estimate: 9 rows, 3 read units',
        '      arm: Query shop.sales index byKind',
        "        key: kind = 'a'",
        '      otherwise, where it has fewer than 5 rows: Scan shop.sales',
        '        estimate: 9000 rows, 300 read units',
      ].join('\n'),
    );
    expect(shape(root)).to.equal('Page(IndexUnion)');
    const [union] = readsIn(root);
    expect(union?.read?.estimate?.units).to.equal(3);
    expect(union?.details.map(({ name }) => name)).to.include.members(['arm', 'otherwise']);
  });

  it('survives names with line breaks, and is none where there is none', () => {
    expect(parsePlan('')).to.equal(null);
    const root = parsed('Page: 1 rows\n  Project: a AS b\nc\n    Scan shop.t\n        why: x');
    expect(readsIn(root).map(({ read }) => read?.table)).to.deep.equal(['shop.t']);
  });
});

describe('what the steps of a plan cost', () => {
  const root = parsed(plan);

  it('adds up from the reads, the dearest first', () => {
    const { costs } = costsOf(root, [], []);
    expect(costs.get(root)).to.include({ units: 11_364.5, share: 1 });
    expect(dearest(root, costs)?.read?.table).to.equal('shop.customers');
  });

  it('has what was really read beside it, and advice on the read that it concerns', () => {
    const report = { table: 'shop.orders', alias: 'o', readUnits: 5_131.5, items: 9 };
    const other = { table: 'shop.orders', alias: 'other', readUnits: 1, items: 1 };
    const { costs, others } = costsOf(root, ['shop.orders: bind a key', 'Something else'], [other, report]);
    const [scan, batch] = readsIn(root);
    expect(scan === undefined ? null : costs.get(scan)).to.deep.include({
      actual: report,
      advice: ['bind a key'],
    });
    expect(batch === undefined ? null : costs.get(batch)?.actual).to.equal(null);
    expect(others).to.deep.equal(['Something else']);
  });
});
