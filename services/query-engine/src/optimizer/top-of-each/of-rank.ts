import type { ColumnId } from '../../logical/expression.ts';
import type { Filter, LogicalPlan, Window } from '../../logical/plan.ts';
import { withFields } from '../../logical/visit.ts';
import { orderColumns } from './order-columns.ts';
import { mostOf } from './rank-bound.ts';
import { columnsIn, tellScan } from './tell-scan.ts';

const RANKS: ReadonlySet<string> = new Set(['ROW_NUMBER', 'RANK', 'DENSE_RANK']);

/** Bounds of columns, of a plan that only names them anew. */
type Bounds = ReadonlyMap<ColumnId, number>;

const keysText = ({ window: { orderBy } }: Window['functions'][number]): string =>
  JSON.stringify(orderColumns(orderBy));

/** The input of a Window, of which rows up to a rank are wanted, and each function is about the same order. */
function toldBelow(node: Window, bounds: Bounds): LogicalPlan {
  const { functions, input } = node;
  const ranked = functions.filter(({ column }) => bounds.has(column.id));
  const [first] = ranked;
  if (first === undefined || !functions.every(({ call }) => RANKS.has(call.name))) return input;
  const { partitionBy, orderBy } = first.window;
  const by = columnsIn(partitionBy);
  const isAlike = functions.every((one) => {
    const own = new Set(columnsIn(one.window.partitionBy));
    return (
      one.window.orderBy.length === orderBy.length &&
      keysText(one) === keysText(first) &&
      own.symmetricDifference(new Set(by)).size === 0
    );
  });
  const { order, nullsLast } = orderColumns(orderBy);
  if (!isAlike || order.length === 0) return input;
  const least = ranked.reduce((a, b) =>
    (bounds.get(b.column.id) ?? 0) < (bounds.get(a.column.id) ?? 0) ? b : a,
  );
  const rows = bounds.get(least.column.id) ?? 0;
  // Among equal rows the others of their columns decide, so each of them may be wanted.
  const isByValue = least.call.name === 'DENSE_RANK' && rows > 1;
  return tellScan(input, { by, order, rows, ties: isByValue ? 'none' : 'all', nullsLast });
}

function belowNames(plan: LogicalPlan, bounds: Bounds): LogicalPlan {
  if (bounds.size === 0) return plan;
  if (plan.kind === 'Window') return withFields(plan, { input: toldBelow(plan, bounds) });
  if (plan.kind !== 'Project') return plan;
  const below = plan.columns.flatMap(({ column, expression }) => {
    const bound = bounds.get(column.id);
    return bound === undefined || expression.kind !== 'ColumnReference'
      ? []
      : [[expression.column.id, bound] as const];
  });
  return withFields(plan, { input: belowNames(plan.input, new Map(below)) });
}

/** `ROW_NUMBER() OVER (PARTITION BY k ORDER BY s DESC) <= n`, whether in QUALIFY or above a derived table. */
export function topOfRank(node: Filter): LogicalPlan {
  const bounds = new Map<ColumnId, number>();
  for (const predicate of node.predicates) {
    const said = mostOf(predicate);
    if (said !== null) bounds.set(said.id, Math.min(said.most, bounds.get(said.id) ?? Infinity));
  }
  return withFields(node, { input: belowNames(node.input, bounds) });
}
