import type { AggregateCall, ColumnId, Expression } from '../../logical/expression.ts';
import type { Aggregate, LogicalPlan } from '../../logical/plan.ts';
import { withFields } from '../../logical/visit.ts';
import { isNeverNull } from '../never-null.ts';
import { columnsIn, tellScan } from './tell-scan.ts';

/** Aggregates that are the same however often a value comes up. */
const OF_ANY_NUMBER: ReadonlySet<string> = new Set(['MIN', 'MAX', 'BOOL_AND', 'BOOL_OR', 'ANY_VALUE']);

/** What one row of each group answers, the first in this order. */
interface Extreme {
  readonly id: ColumnId;
  readonly descending: boolean;
}

function isColumn(expression: Expression | undefined, id: ColumnId): boolean {
  return expression?.kind === 'ColumnReference' && expression.column.id === id;
}

/** The column that the call asks the least or the greatest of. */
function extremeOf({ name, arguments: given }: AggregateCall): Extreme | null {
  const byOther = name === 'ARG_MIN' || name === 'ARG_MAX';
  if (!byOther && name !== 'MIN' && name !== 'MAX') return null;
  const key = given[byOther ? 1 : 0];
  // With a number behind them, they are about more rows.
  if (key?.kind !== 'ColumnReference' || given.length !== (byOther ? 2 : 1)) return null;
  return { id: key.column.id, descending: name === 'MAX' || name === 'ARG_MAX' };
}

/** Whether the rows that come first in this order answer the call. A value that is NULL is passed over. */
function isAnsweredBy(call: AggregateCall, extreme: Extreme, input: LogicalPlan): boolean {
  const own = extremeOf(call);
  if (own?.id !== extreme.id || own.descending !== extreme.descending) return false;
  const [value, key] = call.arguments;
  if (key === undefined) return true;
  return (
    isColumn(value, extreme.id) || (value?.kind === 'ColumnReference' && isNeverNull(input, value.column.id))
  );
}

function toldBy(node: Aggregate, extreme: Extreme): LogicalPlan {
  const { input, groupBy, aggregates } = node;
  const calls = aggregates.map(({ call }) => call);
  const others = calls.filter((call) => !isAnsweredBy(call, extreme, input));
  if (!others.every((call) => OF_ANY_NUMBER.has(call.name) && call.arguments.length === 1)) return input;
  // Which rows a call is about must be the same for all of a group.
  const filters = calls.flatMap(({ filter }) => (filter === null ? [] : [filter]));
  const expressions = [...groupBy.map(({ expression }) => expression), ...filters];
  const isOfOne = calls.every(({ name }) => name === 'MIN' || name === 'MAX' || OF_ANY_NUMBER.has(name));
  return tellScan(input, {
    by: columnsIn([...expressions, ...others.flatMap((call) => call.arguments)]),
    order: [extreme],
    nullsLast: true,
    rows: 1,
    // The least of several values that belong to equal rows is the answer.
    ties: isOfOne ? 'any' : 'all',
  });
}

/** `MIN(s)`, `MAX(s)`, `ARG_MAX(x, s)`, by group or of all rows. */
export function topOfExtremes(node: Aggregate): LogicalPlan {
  if (node.groupingSets !== null || node.aggregates.length === 0) return node;
  for (const { call } of node.aggregates) {
    const extreme = extremeOf(call);
    if (extreme === null || !isAnsweredBy(call, extreme, node.input)) continue;
    const input = toldBy(node, extreme);
    if (input !== node.input) return withFields(node, { input });
  }
  return node;
}
