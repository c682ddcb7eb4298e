/** `ARRAY(SELECT …)`: a scalar subquery over an aggregate of its own, in the order that the SELECT asks for. */
import { columnReference, expression, functionCall } from '../logical/build-expression.ts';
import { planNode, project } from '../logical/build-plan.ts';
import type { AggregateCall, Expression, SortKey } from '../logical/expression.ts';
import type { Aggregate, LogicalPlan } from '../logical/plan.ts';
import { withFields } from '../logical/visit.ts';
import type { Position } from '../parser/ast.ts';
import type { BoundQuery, StatementContext } from './context.ts';

interface OrderedRows {
  /** Has the columns of the plan that was given, and those that it is ordered by. */
  readonly plan: LogicalPlan;
  readonly keys: readonly SortKey[];
}

/** By what a query's rows are ordered; a projection that hides it is left out. */
function orderedRows(plan: LogicalPlan): OrderedRows {
  switch (plan.kind) {
    case 'Sort':
      return { plan, keys: plan.keys };
    case 'Limit': {
      const { plan: input, keys } = orderedRows(plan.input);
      return { plan: withFields(plan, { input }), keys };
    }
    case 'With': {
      const { plan: body, keys } = orderedRows(plan.body);
      return { plan: withFields(plan, { body }), keys };
    }
    case 'Project': {
      const below = orderedRows(plan.input);
      const onlyHides = plan.columns.every(
        ({ column, expression: value }) => value.kind === 'ColumnReference' && value.column.id === column.id,
      );
      return below.keys.length > 0 && onlyHides ? below : { plan, keys: [] };
    }
    default:
      return { plan, keys: [] };
  }
}

/** The list of the values of a query of one column; of no rows it is empty. */
export function arrayOf(statement: StatementContext, query: BoundQuery, pos: Position): Expression {
  const [value] = query.columns;
  if (value === undefined) throw new Error('a query without a column');
  const { plan, keys } = orderedRows(query.plan);
  const call: AggregateCall = Object.freeze({
    name: 'ARRAY_AGG',
    arguments: [columnReference(value, pos)],
    distinct: false,
    orderBy: keys,
    filter: null,
    withinGroup: [],
  });
  const list = statement.newColumn('list');
  const rows = planNode<Aggregate>({
    kind: 'Aggregate',
    input: plan,
    groupBy: [],
    groupingSets: null,
    aggregates: [{ column: list, call }],
    groupings: [],
  });
  const filled = functionCall('COALESCE', [columnReference(list), functionCall('JSON_ARRAY', [])], pos);
  const array = project(rows, [{ column: statement.newColumn('array'), expression: filled }]);
  return expression({ kind: 'ScalarSubquery', plan: array, pos });
}
