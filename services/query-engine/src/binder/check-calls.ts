/** What an aggregate's own parts may be together, and what a window's frame may be: said before anything is read. */
import type { AggregateCall, Expression, WindowSpecification } from '../logical/expression.ts';
import type { AggregateFunction } from '../logical/functions/definition.ts';
import { aggregateNamed } from '../logical/functions/list.ts';
import { mayExcludePeers } from '../logical/excluded-peers.ts';
import { mayBeEmptyFrame } from '../logical/window-frame.ts';
import type { AstExpression, AstWindow, FrameBound } from '../parser/ast.ts';
import type { ExpressionContext } from './context.ts';
import { invalid, statementError } from './errors.ts';

type Call = Extract<AstExpression, { readonly kind: 'FunctionCall' }>;

function checkWithinGroup(node: Call, definition: AggregateFunction, context: ExpressionContext): void {
  const { name, withinGroup } = definition;
  if (node.withinGroup.length > 0) return;
  if (withinGroup === 'required')
    throw invalid(
      context,
      node,
      `${name} needs WITHIN GROUP`,
      `write ${name}(0.5) WITHIN GROUP (ORDER BY x)`,
    );
  if (withinGroup === 'optional' && node.arguments.length === 0)
    throw invalid(context, node, `${name} takes 1 argument, or WITHIN GROUP`, `for example ${name}(x)`);
}

/** Equal values are one: nothing but the values themselves can order what is left. */
function checkDistinctOrder(node: Call, call: AggregateCall, context: ExpressionContext): void {
  if (!call.distinct) return;
  const { structureOf } = context.statement;
  const known = new Set(call.arguments.map(structureOf));
  const stray = call.orderBy.findIndex((key) => !known.has(structureOf(key.expression)));
  if (stray < 0) return;
  const message = 'In an aggregate with DISTINCT, ORDER BY expressions must appear in the argument list';
  const hint = 'order by the argument itself, or remove duplicates in a subquery';
  throw invalid(context, node.orderBy[stray]?.expression ?? node, message, hint);
}

/** @throws PenstockError INVALID_QUERY where DISTINCT, ORDER BY and WITHIN GROUP do not go together */
export function checkOrderedCall(
  node: Call,
  definition: AggregateFunction,
  call: AggregateCall,
  context: ExpressionContext,
): void {
  checkWithinGroup(node, definition, context);
  checkDistinctOrder(node, call, context);
}

/** @throws PenstockError INVALID_QUERY for a constant that is no distance */
export function checkDistance(
  unit: NonNullable<WindowSpecification['frame']>['unit'],
  bound: Extract<FrameBound, { readonly offset: AstExpression }>,
  offset: Expression,
  context: ExpressionContext,
): void {
  if (offset.kind !== 'Literal') return;
  const { value } = offset;
  if (value.type === 'null')
    throw invalid(context, bound.offset, 'The distance of a window frame cannot be NULL');
  if (value.type === 'number' && value.text.startsWith('-'))
    throw invalid(context, bound.offset, 'The distance of a window frame cannot be negative');
  if (unit === 'RANGE') return;
  if (value.type !== 'number' || !Number.isInteger(Number(value.text)))
    throw invalid(context, bound.offset, `The distance of a ${unit} frame must be a whole number`);
}

/** @throws PenstockError UNSUPPORTED_SQL for an exclusion of peers that the function is not computed with */
export function checkExclusion(
  node: Call,
  call: AggregateCall,
  window: WindowSpecification,
  context: ExpressionContext,
): void {
  const { frame } = window;
  if (frame === null) return;
  const place = { sql: context.statement.sql, pos: node.pos };
  if (frame.unit !== 'ROWS' && frame.exclude === 'TIES' && mayBeEmptyFrame(frame)) {
    const message = `Unsupported SQL: EXCLUDE TIES in a ${frame.unit} frame with computed distances on one side`;
    throw statementError('UNSUPPORTED_SQL', message, place, 'write both as numbers, or EXCLUDE GROUP');
  }
  if (mayExcludePeers(call, window)) return;
  const what = `${call.name}${call.distinct ? ' with DISTINCT' : ''}`;
  const message = `Unsupported SQL: EXCLUDE ${frame.exclude ?? ''} in a ROWS frame for ${what}`;
  throw statementError('UNSUPPORTED_SQL', message, place, 'write GROUPS or RANGE, or EXCLUDE CURRENT ROW');
}

/** @throws PenstockError UNSUPPORTED_SQL for a percentile from above over a window: DuckDB takes it from below there */
export function checkOrderedWindow(node: Call, call: AggregateCall, context: ExpressionContext): void {
  if (aggregateNamed(call.name).withinGroup !== 'required' || call.withinGroup[0]?.descending !== true)
    return;
  const message = `Unsupported SQL: ${call.name} of a descending order with OVER`;
  const place = { sql: context.statement.sql, pos: node.pos };
  throw statementError('UNSUPPORTED_SQL', message, place, 'compute it in a subquery with GROUP BY, and join');
}

/** @throws PenstockError INVALID_QUERY where a RANGE with a distance has no one value to add it to */
export function checkRange(over: AstWindow, context: ExpressionContext): void {
  const { frame, orderBy } = over;
  if (frame === null || frame.unit !== 'RANGE' || orderBy.length === 1) return;
  if (!('offset' in frame.start) && !('offset' in frame.end)) return;
  const message = 'A RANGE frame with a distance takes exactly one ORDER BY expression';
  throw invalid(context, over, message, 'or write ROWS or GROUPS');
}
