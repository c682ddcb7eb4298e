/**
 * Binds one SELECT with the ORDER BY, LIMIT and OFFSET of its query.
 *
 * From the bottom: FROM, WHERE, group, HAVING, windows, QUALIFY, the SELECT list (with what ORDER BY needs beside it),
 * DISTINCT, ORDER BY, LIMIT.
 */
import { remembered } from '@penstock/common/caching/remembered.ts';
import { foldCase, matchesOf, nameIndex, positionsOf, type NameIndex } from '../catalog/name-index.ts';
import { columnReference, conjunctsOf } from '../logical/build-expression.ts';
import { distinct, filter, limit, planNode, project, sort } from '../logical/build-plan.ts';
import type { Column, Expression, SortKey } from '../logical/expression.ts';
import type { LogicalPlan, Project, Window } from '../logical/plan.ts';
import { referencesOf } from '../logical/references.ts';
import type { AstExpression, AstSelect, AstSortKey, Identifier } from '../parser/ast.ts';
import { bindExpression } from './bind-expression.ts';
import { bindFrom, NO_FROM } from './bind-from.ts';
import { collectedColumns, noCalls, partsOfCall, type Calls } from './calls.ts';
import type { BoundQuery, Environment, ExpressionContext, StatementContext } from './context.ts';
import { invalid, statementError } from './errors.ts';
import {
  aggregateNode,
  bindGroupBy,
  overGroup,
  positionOf,
  refuseConstant,
  type OverGroup,
} from './grouping.ts';
import { columnsNamed } from './match-names.ts';
import type { RowLimit } from './row-limit.ts';
import type { Aliases } from './scope.ts';
import { bindSelectList, type SelectItem } from './select-list.ts';
import { namesRows, withSelectedRows } from './select-rows.ts';
import { sortKey } from './sort-key.ts';
import { isArray, isArrayColumn } from './sql-arrays.ts';

/** What follows the SELECT in its query. */
export interface Tail {
  readonly orderBy: readonly AstSortKey[];
  readonly limit: RowLimit;
}

interface Bound {
  readonly items: readonly SelectItem[];
  readonly having: readonly Expression[];
  readonly qualify: readonly Expression[];
  readonly distinctOn: readonly Expression[] | null;
  readonly orderBy: readonly {
    readonly node: AstSortKey;
    readonly expression: Expression;
    readonly isArray: boolean;
  }[];
}

export function bindSelect(
  statement: StatementContext,
  select: AstSelect,
  tail: Tail,
  environment: Environment,
): BoundQuery {
  const from = select.from === null ? NO_FROM : bindFrom(statement, select.from, environment);
  const { visible } = from;
  const calls = noCalls();
  const base: ExpressionContext = {
    statement,
    scope: { ...visible, aliases: null, environment },
    clause: 'SELECT',
    calls,
    windows: true,
  };
  const items = bindSelectList(select.items, visible, base);
  const aliased: ExpressionContext = { ...base, scope: { ...base.scope, aliases: aliasesOf(items) } };
  const plain = { ...base, calls: null, windows: false };
  const where =
    select.where === null ? [] : conjunctsOf(bindExpression(select.where, { ...plain, clause: 'WHERE' }));
  const grouping = bindGroupBy(
    select.groupBy,
    items,
    { ...aliased, calls: null, windows: false, clause: 'GROUP BY' },
    calls,
  );
  const condition = (node: AstExpression | null, clause: string, windows: boolean): readonly Expression[] =>
    node === null ? [] : conjunctsOf(bindExpression(node, { ...aliased, clause, windows }));
  const bound: Bound = {
    items,
    having: condition(select.having, 'HAVING', false),
    qualify: condition(select.qualify, 'QUALIFY', true),
    distinctOn:
      typeof select.distinct === 'boolean'
        ? null
        : select.distinct.map((node) => onItem(node, items, 'DISTINCT ON', aliased)),
    orderBy: tail.orderBy.map((node) => {
      const expression = onItem(node.expression, items, 'ORDER BY', aliased);
      return { node, expression, isArray: isArrayKey(node.expression, expression, items, aliased) };
    }),
  };
  checkHaving(select.having, bound.having, base);
  checkDistinctOn(bound, base);
  const isGrouped =
    select.groupBy.length > 0 ||
    select.having !== null ||
    calls.aggregates.size > 0 ||
    calls.groupings.length > 0;
  const over: OverGroup = isGrouped ? overGroup(grouping, { visible, items, context: base }) : (node) => node;

  // A group by what such a call makes is of the rows that it makes.
  const isBelow = grouping.keys.some(({ expression }) => namesRows(expression, calls));
  if (!isBelow) checkRows(select, bound, calls, base);
  const above = (): LogicalPlan => {
    const filtered = filter(from.plan(), where);
    const read = isBelow ? withSelectedRows(filtered, calls, (node) => node, statement) : filtered;
    const grouped = isGrouped ? aggregateNode(read, grouping, calls, base) : read;
    const windowed = windowNode(filter(grouped, bound.having.map(over)), calls, over);
    const rows = filter(windowed, bound.qualify.map(over));
    return isBelow ? rows : withSelectedRows(rows, calls, over, statement);
  };
  // Rewriting over the group may refuse a column, but names no new one, so the scans are complete.
  const input = above();
  return select.distinct === true
    ? distinctRows(statement, input, bound, tail, over, base)
    : orderedRows(statement, input, bound, tail, over);
}

/** Names of the SELECT list, for the clauses that may use them. */
function aliasesOf(items: readonly SelectItem[]): Aliases {
  return {
    index: nameIndex(items.map(({ name }) => name)),
    expressions: items.map(({ expression }) => expression),
  };
}

/** An ORDER BY or DISTINCT ON expression: an item by position or output name, else an expression of its own. */
function onItem(
  node: AstExpression,
  items: readonly SelectItem[],
  clauseName: 'ORDER BY' | 'DISTINCT ON',
  context: ExpressionContext,
): Expression {
  const clause = { ...context, clause: clauseName };
  refuseConstant(node, clauseName, context);
  const position = positionOf(node);
  if (position !== null) {
    const item = items[position - 1];
    if (item === undefined)
      throw invalid(context, node, `${clauseName} ${position} names no column: SELECT has ${items.length}`);
    return item.expression;
  }
  if (node.kind === 'Name' && node.path.length === 1 && node.path[0]?.kind === 'Name') {
    const { identifier } = node.path[0];
    const named = itemNamed(items, identifier, clause) ?? itemCalling(items, identifier, clause);
    if (named !== null) return named;
  }
  return bindExpression(node, clause);
}

/**
 * The item without an alias that calls a function of that name, as PostgreSQL names it: `ORDER BY count` after `count(*)`. A
 * column that is there is meant before it.
 */
function itemCalling(
  items: readonly SelectItem[],
  identifier: Identifier,
  { scope, statement }: ExpressionContext,
): Expression | null {
  const wanted = identifier.quoted ? identifier.name : foldCase(identifier.name);
  const [first, ...others] = items.filter(
    ({ called }) => called !== undefined && foldCase(called) === wanted,
  );
  if (first === undefined || columnsNamed(scope, identifier).length > 0) return null;
  const { structureOf } = statement;
  if (others.every(({ expression }) => structureOf(expression) === structureOf(first.expression)))
    return first.expression;
  throw ambiguousItem(identifier, statement.sql);
}

/** Each ORDER BY expression asks for the same. */
const indexOfItems = remembered((items: readonly SelectItem[]): NameIndex =>
  nameIndex(items.map(({ name }) => name)),
);

/** The item of that output name. Two of one name are fine where they are the same. */
function itemNamed(
  items: readonly SelectItem[],
  identifier: Identifier,
  context: ExpressionContext,
): Expression | null {
  const { structureOf, sql } = context.statement;
  const index = indexOfItems(items);
  for (const match of matchesOf(identifier)) {
    const [first, ...others] = positionsOf(index, identifier.name, match).map((position) => items[position]);
    if (first === undefined) continue;
    if (others.every((other) => other && structureOf(other.expression) === structureOf(first.expression))) {
      return first.expression;
    }
    throw ambiguousItem(identifier, sql);
  }
  return null;
}

const ambiguousItem = (identifier: Identifier, sql: string): Error =>
  statementError(
    'AMBIGUOUS_NAME',
    `Ambiguous name: ${identifier.name}`,
    { sql, pos: identifier.pos },
    'several columns of the SELECT list have this name; order by position, or give them aliases of their own',
  );

/** The row that DISTINCT ON keeps is the first of its group, so the rows have to be ordered by group first. */
function checkDistinctOn({ distinctOn, orderBy }: Bound, context: ExpressionContext): void {
  if (distinctOn === null) return;
  const { structureOf } = context.statement;
  const on = new Set(distinctOn.map(structureOf));
  const isOn = orderBy.map(({ expression }) => on.has(structureOf(expression)));
  const leading = isOn.includes(false) ? isOn.indexOf(false) : isOn.length;
  const matched = new Set(orderBy.slice(0, leading).map(({ expression }) => structureOf(expression)));
  const wrong = orderBy[leading];
  if (wrong === undefined || matched.size === on.size) return;
  throw invalid(
    context,
    wrong.node.expression,
    'ORDER BY must start with the expressions of DISTINCT ON',
    'these first, in any order, then what tells which row of each is kept',
  );
}

/** HAVING comes before windows are computed, whatever an alias stands for. */
function checkHaving(
  node: AstExpression | null,
  having: readonly Expression[],
  context: ExpressionContext,
): void {
  if (node === null || context.calls === null) return;
  const later = collectedColumns(context.calls, 'windows');
  for (const id of having.flatMap((predicate) => [...referencesOf(predicate)])) {
    if (later.has(id))
      throw invalid(context, node, 'A window function cannot stand in HAVING', 'use QUALIFY');
  }
}

/** What filters the groups comes before their rows are made. */
function checkRows(
  { having, qualify }: AstSelect,
  bound: Bound,
  calls: Calls,
  context: ExpressionContext,
): void {
  const clauses = [
    [having, bound.having, 'HAVING'],
    [qualify, bound.qualify, 'QUALIFY'],
  ] as const;
  for (const [node, predicates, clause] of clauses) {
    if (node === null || !predicates.some((predicate) => namesRows(predicate, calls))) continue;
    const hint = 'filter in a query around this one';
    throw invalid(context, node, `What UNNEST or GENERATE_SERIES makes cannot stand in ${clause}`, hint);
  }
  const parts = [...calls.aggregates.values(), ...calls.windows.values()].flatMap(({ call }) =>
    partsOfCall(call),
  );
  if (!parts.some((part) => namesRows(part, calls))) return;
  const [rows] = calls.rows;
  const message = 'An aggregate or window cannot be of what UNNEST or GENERATE_SERIES makes beside it';
  throw invalid(
    context,
    { pos: rows?.pos ?? { offset: 0, line: 1, column: 1 } },
    message,
    'make the rows in FROM',
  );
}

function windowNode(input: LogicalPlan, calls: Calls, over: OverGroup): LogicalPlan {
  if (calls.windows.size === 0) return input;
  const keys = (list: readonly SortKey[]): readonly SortKey[] =>
    list.map((key) => ({ ...key, expression: over(key.expression) }));
  const functions = [...calls.windows.values()].map(({ column, call, window }) => ({
    column,
    call: {
      ...call,
      arguments: call.arguments.map(over),
      filter: call.filter === null ? null : over(call.filter),
      orderBy: keys(call.orderBy),
      withinGroup: keys(call.withinGroup),
    },
    window: { ...window, partitionBy: window.partitionBy.map(over), orderBy: keys(window.orderBy) },
  }));
  return planNode<Window>({ kind: 'Window', input, functions });
}

/** Whether rows are ordered by an array: one that is selected, a column that is one, or an expression of its own. */
function isArrayKey(
  node: AstExpression,
  bound: Expression,
  items: readonly SelectItem[],
  context: ExpressionContext,
): boolean {
  const { statement } = context;
  if (!statement.isPostgresql) return false;
  const structure = statement.structureOf(bound);
  const selected = items.find(({ expression }) => statement.structureOf(expression) === structure);
  return (
    selected?.isArray ?? (isArrayColumn(statement, bound) || (node.kind !== 'Name' && isArray(node, context)))
  );
}

type Projected = Project['columns'][number];

/** The SELECT list as columns of its own, so that one attribute shown twice is two columns. */
function projected(
  statement: StatementContext,
  items: readonly SelectItem[],
  over: OverGroup,
): readonly Projected[] {
  return items.map(({ name, expression, isArray = isArrayColumn(statement, expression) }) => {
    const column = statement.newColumn(name);
    if (isArray) statement.arrays.add(column.id);
    return { column, expression: over(expression) };
  });
}

/** Columns by the structure of what they hold, so that ORDER BY can use those that are there. */
function columnsByStructure(statement: StatementContext, columns: readonly Projected[]): Map<number, Column> {
  const byStructure = new Map<number, Column>();
  for (const { column, expression } of columns) {
    const structure = statement.structureOf(expression);
    if (!byStructure.has(structure)) byStructure.set(structure, column);
  }
  return byStructure;
}

function orderedRows(
  statement: StatementContext,
  input: LogicalPlan,
  bound: Bound,
  tail: Tail,
  over: OverGroup,
): BoundQuery {
  const shown = projected(statement, bound.items, over);
  const hidden: Projected[] = [];
  const byStructure = columnsByStructure(statement, shown);
  const columnOf = (node: Expression): Expression => {
    const expression = over(node);
    const structure = statement.structureOf(expression);
    const existing = byStructure.get(structure);
    if (existing !== undefined) return columnReference(existing, node.pos);
    const column = statement.newColumn('order');
    byStructure.set(structure, column);
    hidden.push({ column, expression });
    return columnReference(column, node.pos);
  };
  const distinctOn = bound.distinctOn?.map(columnOf) ?? null;
  const keys = bound.orderBy.map(({ node, expression, isArray }) =>
    sortKey(columnOf(expression), node, isArray),
  );
  const rows = project(input, [...shown, ...hidden]);
  const sorted = distinctOn === null ? sort(rows, keys) : sort(distinct(sort(rows, keys), distinctOn), keys);
  const limited = limit(sorted, tail.limit.count, tail.limit.offset);
  const columns = shown.map(({ column }) => column);
  if (hidden.length === 0) return { plan: limited, columns };
  return {
    plan: project(
      limited,
      columns.map((column) => ({ column, expression: columnReference(column) })),
    ),
    columns,
  };
}

/** DISTINCT: rows are equal by what is shown, so only that can be ordered by. */
function distinctRows(
  statement: StatementContext,
  input: LogicalPlan,
  bound: Bound,
  tail: Tail,
  over: OverGroup,
  context: ExpressionContext,
): BoundQuery {
  const shown = projected(statement, bound.items, over);
  const byStructure = columnsByStructure(statement, shown);
  const keys = bound.orderBy.map(({ node, expression, isArray }) => {
    const column = byStructure.get(statement.structureOf(over(expression)));
    if (column === undefined) {
      throw invalid(context, node.expression, 'With SELECT DISTINCT, ORDER BY can use only what is selected');
    }
    return sortKey(columnReference(column, node.expression.pos), node, isArray);
  });
  const rows = sort(distinct(project(input, shown), null), keys);
  return {
    plan: limit(rows, tail.limit.count, tail.limit.offset),
    columns: shown.map(({ column }) => column),
  };
}
