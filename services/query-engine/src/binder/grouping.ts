/**
 * GROUP BY: its elements, its sets, and the check that everything above uses only what the group has.
 *
 * A group expression that is a plain column keeps its ID, so that a correlated subquery above refers to it as before.
 */
import { foldCase } from '../catalog/name-index.ts';
import { columnReference } from '../logical/build-expression.ts';
import { planNode } from '../logical/build-plan.ts';
import type { Column, Expression } from '../logical/expression.ts';
import type { Aggregate, LogicalPlan } from '../logical/plan.ts';
import { referencesOf } from '../logical/references.ts';
import { childrenOf, mapChildren, mapExpressions, mapInputs } from '../logical/visit.ts';
import type { AstExpression, AstGroupingElement, Position } from '../parser/ast.ts';
import { bindExpression } from './bind-expression.ts';
import { collectedColumns, type Calls, type CollectedGrouping } from './calls.ts';
import type { ExpressionContext } from './context.ts';
import { invalid } from './errors.ts';
import { BINDER_LIMITS } from './limits.ts';
import { produces, type Visible } from './scope.ts';
import { itemReference, type SelectItem } from './select-list.ts';

export interface GroupKey {
  readonly column: Column;
  readonly expression: Expression;
}

export interface Grouping {
  readonly keys: readonly GroupKey[];
  /** Positions in `keys`; null: one set of all. */
  readonly sets: readonly (readonly number[])[] | null;
}

/** A whole number as written stands for the item at that place in the SELECT list. */
export function positionOf(node: AstExpression): number | null {
  return node.kind === 'NumberLiteral' && /^\d+$/.test(node.text) ? Number(node.text) : null;
}

/**
 * Refuses a constant where a column is named by its position: PostgreSQL's rule, since `ORDER BY 'name'` is meant as a
 * name and orders nothing.
 */
export function refuseConstant(node: AstExpression, clause: string, context: ExpressionContext): void {
  const isNegative = node.kind === 'Unary' && node.operator === '-' && node.operand.kind === 'NumberLiteral';
  const isConstant =
    isNegative ||
    (node.kind === 'NumberLiteral' && positionOf(node) === null) ||
    ['StringLiteral', 'BooleanLiteral', 'NullLiteral', 'BinaryLiteral'].includes(node.kind);
  if (!isConstant) return;
  const hint = 'write a column, its position such as 1, or an expression; names stand in double quotes';
  throw invalid(context, node, `${clause} takes no constant but a position`, hint);
}

function bindKey(
  node: AstExpression,
  items: readonly SelectItem[],
  context: ExpressionContext,
  calls: Calls,
): Expression {
  const position = positionOf(node);
  if (position === null) {
    const bound = bindExpression(node, context);
    return refuseAggregates(node, bound, context, calls);
  }
  const item = items[position - 1];
  if (item === undefined) {
    throw invalid(context, node, `GROUP BY ${position} names no column: SELECT has ${items.length}`);
  }
  return refuseAggregates(node, itemReference(item, node.pos), context, calls);
}

/** An alias may stand for an expression that holds an aggregate, which cannot be grouped by. */
function refuseAggregates(
  node: AstExpression,
  bound: Expression,
  context: ExpressionContext,
  calls: Calls,
): Expression {
  const later = collectedColumns(calls);
  for (const id of referencesOf(bound)) {
    if (later.has(id)) throw invalid(context, node, 'GROUP BY cannot hold an aggregate or a window function');
  }
  return bound;
}

type Sets = readonly (readonly AstExpression[])[];

/** How many sets an element has: told before they are made. */
function countSets(element: AstGroupingElement): number {
  switch (element.kind) {
    case 'Expression':
    case 'Set':
      return 1;
    case 'GroupingSets':
      return element.elements.reduce((sum, inner) => sum + countSets(inner), 0);
    case 'Rollup':
      return element.elements.length + 1;
    case 'Cube':
      return 2 ** element.elements.length;
  }
}

/** The sets of one element (SQL:1999, grouping sets). */
function setsOf(element: AstGroupingElement): Sets {
  switch (element.kind) {
    case 'Expression':
      return [element.expression.kind === 'Row' ? element.expression.values : [element.expression]];
    case 'Set':
      return [element.expressions];
    case 'GroupingSets':
      return element.elements.flatMap(setsOf);
    case 'Rollup': {
      const parts = element.elements.flatMap(setsOf);
      return Array.from({ length: parts.length + 1 }, (_, i) => parts.slice(0, parts.length - i).flat());
    }
    case 'Cube': {
      const parts = element.elements.flatMap(setsOf);
      return Array.from({ length: 2 ** parts.length }, (_, mask) =>
        parts.filter((_set, i) => (mask & (1 << (parts.length - 1 - i))) === 0).flat(),
      );
    }
  }
}

export function bindGroupBy(
  elements: readonly AstGroupingElement[],
  items: readonly SelectItem[],
  context: ExpressionContext,
  calls: Calls,
): Grouping {
  const { structureOf, newColumn } = context.statement;
  const keys = new Map<number, { readonly at: number; readonly key: GroupKey }>();
  const bound = new Map<AstExpression, number>();
  const positionOfKey = (node: AstExpression): number => {
    const before = bound.get(node);
    if (before !== undefined) return before;
    const expression = bindKey(node, items, context, calls);
    const structure = structureOf(expression);
    const known = keys.get(structure);
    const at = known?.at ?? keys.size;
    if (known === undefined) {
      const column = expression.kind === 'ColumnReference' ? expression.column : newColumn('group');
      keys.set(structure, { at, key: { column, expression } });
    }
    bound.set(node, at);
    return at;
  };

  let sets: readonly (readonly number[])[] = [[]];
  // Every set of each element is combined with every set of the others.
  for (const element of elements) {
    if (sets.length * countSets(element) > BINDER_LIMITS.groupingSetsMax) {
      const place = element.kind === 'Expression' ? element.expression : element;
      throw invalid(
        context,
        place,
        `GROUP BY makes more than ${BINDER_LIMITS.groupingSetsMax} grouping sets`,
      );
    }
    const positions = setsOf(element).map((set) => set.map(positionOfKey));
    sets = sets.flatMap((before) => positions.map((set) => [...new Set([...before, ...set])]));
  }
  const plain = elements.every(({ kind }) => kind === 'Expression');
  // GROUP BY () alone is one group of all rows, as where there is no GROUP BY.
  const isWhole = keys.size === 0 && sets.length === 1;
  return { keys: [...keys.values()].map(({ key }) => key), sets: plain || isWhole ? null : sets };
}

/** The Aggregate node over its input. */
export function aggregateNode(
  input: LogicalPlan,
  grouping: Grouping,
  calls: Calls,
  context: ExpressionContext,
): Aggregate {
  return planNode<Aggregate>({
    kind: 'Aggregate',
    input,
    groupBy: grouping.keys,
    groupingSets: grouping.sets,
    aggregates: [...calls.aggregates.values()],
    groupings: calls.groupings.map((call) => ({
      column: call.column,
      of: groupingArguments(call, grouping, context),
    })),
  });
}

function groupingArguments(
  call: CollectedGrouping,
  grouping: Grouping,
  context: ExpressionContext,
): readonly number[] {
  const { structureOf } = context.statement;
  return call.of.map((argument) => {
    const at = grouping.keys.findIndex(({ expression }) => structureOf(expression) === structureOf(argument));
    if (at < 0) throw invalid(context, call, 'Arguments of GROUPING must be expressions of GROUP BY');
    return at;
  });
}

/** Where a group stands. */
export interface Above {
  /** What FROM offers. */
  readonly visible: Visible;
  readonly items: readonly SelectItem[];
  readonly context: ExpressionContext;
}

/** The item whose alias the column hides, where a clause after FROM names it bare. */
function hiddenAlias(
  name: string,
  pos: Position,
  { items, visible, context }: Above,
): SelectItem | undefined {
  const folded = foldCase(name);
  const [, said = '', after = ''] =
    /^("(?:[^"]|"")*"|[\w$]+)\s*(.?)/su.exec(context.statement.sql.slice(pos.offset)) ?? [];
  const isBare = after !== '.' && after !== '[' && foldCase(said.replaceAll('"', '')) === folded;
  const tables = visible.relations.flatMap((relation) => relation.name?.pos.offset ?? []);
  if (!isBare || pos.offset < Math.min(...tables)) return undefined;
  return items.find((item) => item.aliased !== null && foldCase(item.name) === folded);
}

/** A column that is neither grouped nor aggregated; or that hides the alias which may have been meant. */
function notGrouped(
  {
    column: { name },
    pos = { offset: 0, line: 1, column: 1 },
  }: Extract<Expression, { kind: 'ColumnReference' }>,
  above: Above,
): Error {
  const { context } = above;
  const alias = hiddenAlias(name, pos, above);
  if (alias === undefined) {
    const message = `Column ${name} must appear in GROUP BY or inside an aggregate`;
    const hint = 'add it to GROUP BY, or wrap it, for example in MIN() or ANY_VALUE()';
    return invalid(context, { pos }, message, hint);
  }
  const message = `${name} is here the column of that name, not the alias of the SELECT list, and must appear in GROUP BY or inside an aggregate`;
  const hint = `for the alias, write ${alias.aliased}, or give it a name of its own; for the column, write for example MIN(${name})`;
  return invalid(context, { pos }, message, hint);
}

/** Rewrites expressions above the group in terms of it. */
export type OverGroup = (node: Expression) => Expression;

/**
 * @throws PenstockError INVALID_QUERY where the expression uses a column that is neither grouped nor aggregated
 */
export function overGroup(grouping: Grouping, above: Above): OverGroup {
  const { visible, context } = above;
  const { structureOf } = context.statement;
  const keys = new Map(grouping.keys.map((key) => [structureOf(key.expression), key]));
  // The same expression may stand in the SELECT list and in ORDER BY: it has to stay the same there.
  const rewritten = new WeakMap<Expression, Expression>();

  const check = (node: Expression): void => {
    if (node.kind !== 'ColumnReference' || !produces(visible, node.column.id)) return;
    throw notGrouped(node, above);
  };
  const keyOf = (node: Expression): Expression | null => {
    const key = keys.get(structureOf(node));
    if (key === undefined) return null;
    const same = node.kind === 'ColumnReference' && node.column.id === key.column.id;
    return same ? node : columnReference(key.column, node.pos);
  };
  // A subquery sees the group's row. Its own constants are left alone: they are no use of the group.
  const inSubquery = (node: Expression): Expression => {
    const key = childrenOf(node).length > 0 || node.kind === 'ColumnReference' ? keyOf(node) : null;
    if (key !== null) return key;
    check(node);
    return mapChildren(node, inSubquery, inPlan);
  };
  const inPlan = (plan: LogicalPlan): LogicalPlan => mapInputs(mapExpressions(plan, inSubquery), inPlan);
  const rewrite = (node: Expression): Expression => {
    const known = rewritten.get(node) ?? keyOf(node);
    if (known !== null) return known;
    check(node);
    const result = mapChildren(node, rewrite, inPlan);
    rewritten.set(node, result);
    return result;
  };
  return rewrite;
}
