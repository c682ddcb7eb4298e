/** `ARRAY(SELECT …)`: a scalar subquery over a list of its own, which `ordered-lists.ts` gives the order of its rows. */
import { columnReference, expression, functionCall } from '../logical/build-expression.ts';
import { planNode, project } from '../logical/build-plan.ts';
import type { AggregateCall, Expression } from '../logical/expression.ts';
import type { Aggregate } from '../logical/plan.ts';
import type { Position } from '../parser/ast.ts';
import type { BoundQuery, StatementContext } from './context.ts';

/** The list of the values of a query of one column; of no rows it is empty. */
export function arrayOf(statement: StatementContext, query: BoundQuery, pos: Position): Expression {
  const [value] = query.columns;
  if (value === undefined) throw new Error('a query without a column');
  const call: AggregateCall = Object.freeze({
    name: 'ARRAY_AGG',
    arguments: [columnReference(value, pos)],
    distinct: false,
    orderBy: [],
    filter: null,
    withinGroup: [],
  });
  const list = statement.newColumn('list');
  const rows = planNode<Aggregate>({
    kind: 'Aggregate',
    input: query.plan,
    groupBy: [],
    groupingSets: null,
    aggregates: [{ column: list, call }],
    groupings: [],
  });
  const filled = functionCall('COALESCE', [columnReference(list), functionCall('JSON_ARRAY', [])], pos);
  const array = project(rows, [{ column: statement.newColumn('array'), expression: filled }]);
  return expression({ kind: 'ScalarSubquery', plan: array, pos });
}
