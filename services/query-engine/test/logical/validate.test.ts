import { expect } from 'chai';
import { columnReference, comparison, expression, literal } from '../../src/logical/build-expression.ts';
import {
  cteScan,
  filter,
  join,
  limit,
  planNode,
  project,
  setOperation,
  values,
  withCtes,
} from '../../src/logical/build-plan.ts';
import type { Column, Expression } from '../../src/logical/expression.ts';
import type { Aggregate } from '../../src/logical/plan.ts';
import { problemsOf } from '../../src/logical/validate.ts';

const a: Column = { id: 1, name: 'a' };
const b: Column = { id: 2, name: 'b' };
const one: Expression = literal({ type: 'number', text: '1' });
const rows = (column: Column) => values([column], [[one]]);
const equals = (left: Column, right: Column): Expression =>
  comparison('=', columnReference(left), columnReference(right));

describe('the plan validator', () => {
  it('finds nothing in a plan whose references are produced below or outside', () => {
    const exists = expression({ kind: 'Exists', plan: filter(rows(b), [equals(a, b)]) });
    expect(problemsOf(filter(rows(a), [exists]))).to.deep.equal([]);
  });

  it('finds a column that comes from nowhere, in subqueries too', () => {
    const exists = expression({ kind: 'Exists', plan: filter(rows(b), [equals({ id: 9, name: 'z' }, b)]) });
    expect(problemsOf(filter(rows(a), [exists]))).to.deep.equal(['Filter: column z (9) comes from nowhere']);
  });

  it('finds a column that a projection has dropped', () => {
    const dropped = project(join('cross', rows(a), rows(b), []), [
      { column: { id: 3, name: 'c' }, expression: columnReference(a) },
    ]);
    expect(problemsOf(filter(dropped, [equals(b, b)]))).to.have.length(2);
  });

  it('finds two columns of one ID side by side', () => {
    expect(problemsOf(join('cross', rows(a), rows(a), []))).to.deep.equal([
      'Join: two columns of one ID in 1, 1',
    ]);
  });

  it('finds a CTE that is out of scope or used with another width', () => {
    const use = cteScan(7, 'x', [a]);
    expect(problemsOf(use)).to.deep.equal(['CteScan: CTE 7 is not in scope']);
    const cte = { id: 7, name: 'x', plan: rows(b) };
    expect(problemsOf(withCtes([cte], use))).to.deep.equal([]);
    const wide = cteScan(7, 'x', [a, { id: 3, name: 'c' }]);
    expect(problemsOf(withCtes([cte], wide))).to.deep.equal(['CteScan: CTE 7 has 1 columns']);
    const selfish = { id: 7, name: 'x', plan: cteScan(7, 'x', [b]) };
    expect(problemsOf(withCtes([selfish], use))).to.have.length(1);
  });

  it('finds counts that do not fit', () => {
    expect(problemsOf(limit(rows(a), -1, 0))).to.deep.equal(['Limit: count -1']);
    expect(problemsOf(values([a], [[one, one]]))).to.deep.equal(['Values: a row of another width']);
    expect(problemsOf(setOperation('union', true, rows(a), rows(b), []))).to.deep.equal([
      'SetOperation: sides of other widths',
    ]);
    const aggregate: Aggregate = {
      kind: 'Aggregate',
      input: rows(a),
      groupBy: [{ column: a, expression: columnReference(a) }],
      groupingSets: [[0], [1]],
      aggregates: [],
      groupings: [],
    };
    expect(problemsOf(planNode(aggregate))).to.deep.equal(['Aggregate: a grouping set outside the group']);
  });
});
