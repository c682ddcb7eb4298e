/** Binds function calls: the closed list, argument counts, and where aggregates and windows may stand. */
import { functionCall } from '../logical/build-expression.ts';
import type {
  AggregateCall,
  Expression,
  WindowFrameBound,
  WindowSpecification,
} from '../logical/expression.ts';
import type { AggregateFunction, FunctionDefinition } from '../logical/functions/definition.ts';
import { insteadOf } from '../logical/functions/elsewhere.ts';
import { findFunction, functionsNear } from '../logical/functions/list.ts';
import { referencesOf } from '../logical/references.ts';
import type { AstExpression, AstWindow, FrameBound } from '../parser/ast.ts';
import {
  collectAggregate,
  collectGrouping,
  collectWindow,
  collectedColumns,
  partsOfCall,
  type Calls,
} from './calls.ts';
import {
  checkDistance,
  checkExclusion,
  checkOrderedCall,
  checkOrderedWindow,
  checkRange,
} from './check-calls.ts';
import { constantProblem } from './check-constants.ts';
import type { ExpressionContext } from './context.ts';
import { dividing, whereComputed } from './division.ts';
import { didYouMean, invalid, statementError } from './errors.ts';
import { exactCall } from './exact-calls.ts';
import { fractionalCall } from './fractional-parts.ts';
import { otherMeaning } from './other-meanings.ts';
import { reachableValues } from './reachable.ts';
import { produces, type Scope } from './scope.ts';
import { bindRowsCall, withinChoice } from './select-rows.ts';
import { sortKey } from './sort-key.ts';
import { isArray } from './sql-arrays.ts';

type Call = Extract<AstExpression, { readonly kind: 'FunctionCall' }>;
type Bind = (node: AstExpression, context: ExpressionContext) => Expression;

const plural = (count: number): string => (count === 1 ? '1 argument' : `${count} arguments`);

const takesStar = (definition: FunctionDefinition): boolean =>
  definition.kind !== 'scalar' && definition.star;

function arity(definition: FunctionDefinition): string {
  const { min, max } = definition;
  if (takesStar(definition)) return `* or ${plural(min)}`;
  if (max === null) return `at least ${plural(min)}`;
  return min === max ? (min === 0 ? 'no arguments' : plural(min)) : `${min} to ${plural(max)}`;
}

function checkArguments(node: Call, definition: FunctionDefinition, context: ExpressionContext): void {
  if (node.star) {
    if (!takesStar(definition))
      throw invalid(context, node, `${node.name}(*) makes no sense: only COUNT takes *`);
    return;
  }
  const given = node.arguments.length;
  if (given < definition.min || (definition.max !== null && given > definition.max)) {
    const example = `for example ${definition.name}(${definition.example.arguments.join(', ')})`;
    throw invalid(context, node, `${node.name} takes ${arity(definition)}, not ${given}`, example);
  }
}

/** What a call that is neither aggregate nor window may not have. */
function checkPlain(node: Call, context: ExpressionContext): void {
  const said: readonly [boolean, string][] = [
    [node.distinct, 'DISTINCT'],
    [node.filter !== null, 'FILTER'],
    [node.orderBy.length > 0, 'ORDER BY'],
    [node.withinGroup.length > 0, 'WITHIN GROUP'],
    [node.over !== null, 'OVER'],
  ];
  const wrong = said.find(([present]) => present)?.[1];
  if (wrong !== undefined) throw invalid(context, node, `${node.name} is no aggregate and takes no ${wrong}`);
}

function checkConstants(
  node: Call,
  definition: FunctionDefinition,
  values: readonly Expression[],
  context: ExpressionContext,
): void {
  const problem = constantProblem(definition, values);
  if (problem === null) return;
  throw invalid(context, node.arguments[problem.argument] ?? node, problem.message, problem.hint);
}

/** The call's own parts, bound where no further aggregate (or, in a window, no further window) can stand. */
function bindCall(
  node: Call,
  definition: AggregateFunction,
  inner: ExpressionContext,
  bind: Bind,
): AggregateCall {
  const filter = node.filter === null ? null : bind(node.filter, inner);
  const ofRows = (argument: AstExpression): Expression => whereComputed(bind(argument, inner), filter);
  const values = node.arguments.map(ofRows);
  checkConstants(node, definition, values, inner);
  const call: AggregateCall = Object.freeze({
    name: definition.name,
    arguments: values,
    distinct: node.distinct,
    orderBy: node.orderBy.map((key) => sortKey(ofRows(key.expression), key, isArray(key.expression, inner))),
    filter,
    withinGroup: node.withinGroup.map((key) => sortKey(bind(key.expression, inner), key)),
  });
  checkOrderedCall(node, definition, call, inner);
  return call;
}

function bindBound(
  bound: FrameBound,
  unit: 'ROWS' | 'RANGE' | 'GROUPS',
  inner: ExpressionContext,
  bind: Bind,
): WindowFrameBound {
  if (!('offset' in bound)) return { kind: bound.kind, offset: null };
  const offset = bind(bound.offset, inner);
  checkDistance(unit, bound, offset, inner);
  return { kind: bound.kind, offset };
}

function bindWindow(over: AstWindow, inner: ExpressionContext, bind: Bind): WindowSpecification {
  const { frame } = over;
  checkRange(over, inner);
  return Object.freeze({
    partitionBy: over.partitionBy.map((key) => bind(key, inner)),
    orderBy: over.orderBy.map((key) =>
      sortKey(bind(key.expression, inner), key, isArray(key.expression, inner)),
    ),
    frame:
      frame === null
        ? null
        : {
            unit: frame.unit,
            start: bindBound(frame.start, frame.unit, inner, bind),
            end: bindBound(frame.end, frame.unit, inner, bind),
            exclude: frame.exclude,
          },
  });
}

function windowed(
  node: Call,
  over: AstWindow,
  definition: FunctionDefinition,
  context: ExpressionContext,
  bind: Bind,
): Expression {
  if (context.calls === null || !context.windows) {
    throw invalid(context, node, `A window function cannot stand in ${context.clause}`);
  }
  if (definition.kind === 'scalar')
    throw invalid(context, node, `${node.name} is no aggregate and takes no OVER`);
  const inner = { ...context, windows: false, clause: 'a window function' };
  const call = bindCall(node, definition, inner, bind);
  const window = bindWindow(over, inner, bind);
  checkExclusion(node, call, window, context);
  checkOrderedWindow(node, call, context);
  const parts = [...partsOfCall(call), ...window.partitionBy, ...window.orderBy.map((key) => key.expression)];
  checkNesting(node, parts, collectedColumns(context.calls, 'windows'), context);
  return collectWindow(context.statement, context.calls, call, window, node.pos);
}

/** An alias may smuggle in what cannot stand inside a call by itself. */
function checkNesting(
  node: Call,
  parts: readonly Expression[],
  not: ReadonlySet<number>,
  context: ExpressionContext,
): void {
  for (const id of parts.flatMap((part) => [...referencesOf(part)])) {
    if (not.has(id))
      throw invalid(context, node, `${node.name} cannot be taken of what its own SELECT computes`);
  }
}

/**
 * Whose rows a call is taken of: of this SELECT, or, where it is over columns of outer queries alone, of the innermost of
 * these (SQL:1999, 6.16).
 */
function callsOf(node: Call, parts: readonly Expression[], context: ExpressionContext): Calls {
  const outer = outerQueryOf(parts, context.scope);
  if (outer === null) {
    if (context.calls !== null) return context.calls;
    throw invalid(context, node, `The aggregate ${node.name} cannot stand in ${context.clause}`);
  }
  if (outer.calls != null) return outer.calls;
  const message = `${node.name} is over columns of an outer query alone, and so an aggregate of that query, which cannot stand where the subquery does`;
  const hint = 'compute it in the SELECT list, HAVING or ORDER BY of the outer query';
  throw invalid(context, node, message, hint);
}

/** The innermost outer query of which the expressions name columns; null where they name some of this query, or none. */
function outerQueryOf(parts: readonly Expression[], scope: Scope): Scope | null {
  const ids = parts.flatMap((part) => [...referencesOf(part)]);
  const isNamed = (query: Scope): boolean => ids.some((id) => produces(query, id));
  if (isNamed(scope)) return null;
  let { outer } = scope.environment;
  while (outer !== null && !isNamed(outer)) ({ outer } = outer.environment);
  return outer;
}

function grouping(node: Call, context: ExpressionContext, bind: Bind): Expression {
  if (node.arguments.length === 0) throw invalid(context, node, 'GROUPING takes at least 1 argument, not 0');
  const inner = { ...context, calls: null, windows: false, clause: 'GROUPING' };
  const of = node.arguments.map((argument) => bind(argument, inner));
  return collectGrouping(context.statement, callsOf(node, of, context), of, node.pos);
}

/**
 * A scalar call; or, for an aggregate or a window, a reference to the column that will hold its value.
 * @throws PenstockError FUNCTION_NOT_FOUND with the nearest names, INVALID_QUERY for a wrong count or place
 */
export function bindFunctionCall(written: Call, context: ExpressionContext, bind: Bind): Expression {
  const node = exactCall(written);
  if (node.name === 'GROUPING' && context.calls !== null) return grouping(node, context, bind);
  const definition = findFunction(node.name);
  if (definition === undefined) {
    const rows = bindRowsCall(node, context, bind);
    if (rows !== null) return rows;
    const place = { sql: context.statement.sql, pos: node.pos };
    const near = insteadOf(node.name) ?? didYouMean(functionsNear(node.name));
    throw statementError('FUNCTION_NOT_FOUND', `Function not found: ${node.name}`, place, near);
  }
  checkArguments(node, definition, context);
  if (node.over !== null) return windowed(node, node.over, definition, context, bind);
  if (definition.kind === 'window') {
    throw invalid(context, node, `${node.name} is a window function: it needs OVER (…)`);
  }
  if (definition.kind === 'scalar') {
    checkPlain(node, context);
    if (definition.readsClock === true) context.statement.sawClock();
    const chooses = definition.family === 'conditional';
    const inner = chooses ? withinChoice(context, definition.name) : context;
    const values = node.arguments.map((argument) => bind(argument, inner));
    const { isPostgresql } = context.statement;
    const other = otherMeaning(
      { name: node.name, values, pos: node.pos, isPostgresql },
      (argument, message, hint) => invalid(context, node.arguments[argument] ?? node, message, hint),
    );
    if (other !== null) return other;
    checkConstants(node, definition, values, context);
    const part = fractionalCall(definition.name, values, node.pos, context.statement);
    if (part !== null) return part;
    if (definition.name !== 'COALESCE')
      return dividing(functionCall(definition.name, values, node.pos), context.statement);
    const reachable = reachableValues(values);
    const [first] = reachable;
    if (reachable.length === 1 && first?.kind === 'Literal') return first;
    return functionCall(definition.name, reachable, node.pos);
  }
  const inner = { ...context, calls: null, windows: false, clause: `the aggregate ${node.name}` };
  const call = bindCall(node, definition, inner, bind);
  const parts = partsOfCall(call);
  const calls = callsOf(node, parts, context);
  checkNesting(node, parts, collectedColumns(calls), context);
  return collectAggregate(context.statement, calls, call, node.pos);
}
