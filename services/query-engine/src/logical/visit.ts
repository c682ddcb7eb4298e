/**
 * Walking and rewriting expressions and plans.
 *
 * Everything rests on two tables with an entry for every kind, so a forgotten kind fails to compile. Rewrites give back
 * the very object they were given when nothing changed: `===` says whether a rule did anything. The tables and the walks
 * over them are one file, since each is of no use alone.
 */
import type { AggregateCall, Expression, SortKey, WindowSpecification } from './expression.ts';
import type { LogicalPlan } from './plan.ts';

/** The members of a union of nodes that may have kind `K`. */
export type OfKind<Node, K> = Node extends { readonly kind: infer NodeKind }
  ? K extends NodeKind
    ? Node
    : never
  : never;

/** A function for every kind of node: how to be exhaustive. */
export type ExpressionVisitor<Result> = {
  readonly [K in Expression['kind']]: (node: OfKind<Expression, K>) => Result;
};
export type PlanVisitor<Result> = {
  readonly [K in LogicalPlan['kind']]: (node: OfKind<LogicalPlan, K>) => Result;
};

export function visitExpression<Result>(visitor: ExpressionVisitor<Result>, node: Expression): Result {
  return (visitor[node.kind] as (node: Expression) => Result)(node);
}

export function visitPlan<Result>(visitor: PlanVisitor<Result>, node: LogicalPlan): Result {
  return (visitor[node.kind] as (node: LogicalPlan) => Result)(node);
}

/** What to do with the parts of a node. */
interface Rewrite {
  readonly expression: (node: Expression) => Expression;
  readonly plan: (node: LogicalPlan) => LogicalPlan;
}

/** Maps a list; the same list when no element changed. */
export function mapList<T>(list: readonly T[], f: (element: T) => T): readonly T[] {
  // Most walks change nothing: a list is made only where an element changed.
  let mapped: T[] | null = null;
  for (const [i, element] of list.entries()) {
    const result = f(element);
    if (mapped !== null) mapped.push(result);
    else if (result !== element) mapped = [...list.slice(0, i), result];
  }
  return mapped === null ? list : Object.freeze(mapped);
}

/** The node with these fields; the same node when all of them are what it has. */
export function withFields<T extends object>(node: T, fields: Partial<T>): T {
  for (const key of Object.keys(fields) as (keyof T)[]) {
    if (node[key] !== fields[key]) return Object.freeze({ ...node, ...fields });
  }
  return node;
}

const optional = <T>(value: T | null, f: (value: T) => T): T | null => (value === null ? null : f(value));

function mapSortKeys(keys: readonly SortKey[], f: Rewrite['expression']): readonly SortKey[] {
  return mapList(keys, (key) => withFields(key, { expression: f(key.expression) }));
}

function mapCall(call: AggregateCall, f: Rewrite['expression']): AggregateCall {
  return withFields(call, {
    arguments: mapList(call.arguments, f),
    orderBy: mapSortKeys(call.orderBy, f),
    filter: optional(call.filter, f),
    withinGroup: mapSortKeys(call.withinGroup, f),
  });
}

function mapWindow(window: WindowSpecification, f: Rewrite['expression']): WindowSpecification {
  return withFields(window, {
    partitionBy: mapList(window.partitionBy, f),
    orderBy: mapSortKeys(window.orderBy, f),
    frame: optional(window.frame, (frame) =>
      withFields(frame, {
        start: withFields(frame.start, { offset: optional(frame.start.offset, f) }),
        end: withFields(frame.end, { offset: optional(frame.end.offset, f) }),
      }),
    ),
  });
}

type ExpressionParts = {
  readonly [K in Expression['kind']]: (node: OfKind<Expression, K>, rewrite: Rewrite) => Expression;
};

const operandOnly = <T extends { readonly operand: Expression }>(node: T, { expression }: Rewrite): T =>
  withFields<{ readonly operand: Expression }>(node, { operand: expression(node.operand) }) as T;

const leftAndRight = <T extends { readonly left: Expression; readonly right: Expression }>(
  node: T,
  { expression }: Rewrite,
): T =>
  withFields<{ readonly left: Expression; readonly right: Expression }>(node, {
    left: expression(node.left),
    right: expression(node.right),
  }) as T;

const EXPRESSION_PARTS: ExpressionParts = {
  ColumnReference: (node) => node,
  Literal: (node) => node,
  Comparison: leftAndRight,
  Arithmetic: leftAndRight,
  Negate: operandOnly,
  BitwiseNot: operandOnly,
  Not: operandOnly,
  And: (node, { expression }) => withFields(node, { operands: mapList(node.operands, expression) }),
  Or: (node, { expression }) => withFields(node, { operands: mapList(node.operands, expression) }),
  IsNull: operandOnly,
  IsTruth: operandOnly,
  Between: (node, { expression }) =>
    withFields(node, {
      operand: expression(node.operand),
      low: expression(node.low),
      high: expression(node.high),
    }),
  InList: (node, { expression }) =>
    withFields(node, { operand: expression(node.operand), values: mapList(node.values, expression) }),
  Like: (node, { expression }) =>
    withFields(node, {
      operand: expression(node.operand),
      pattern: expression(node.pattern),
      escape: optional(node.escape, expression),
    }),
  Case: (node, { expression }) =>
    withFields(node, {
      operand: optional(node.operand, expression),
      branches: mapList(node.branches, (branch) =>
        withFields(branch, { when: expression(branch.when), then: expression(branch.then) }),
      ),
      otherwise: optional(node.otherwise, expression),
    }),
  Cast: operandOnly,
  Extract: operandOnly,
  FunctionCall: (node, { expression }) =>
    withFields(node, { arguments: mapList(node.arguments, expression) }),
  DocumentAccess: operandOnly,
  Row: (node, { expression }) => withFields(node, { values: mapList(node.values, expression) }),
  ScalarSubquery: (node, { plan }) => withFields(node, { plan: plan(node.plan) }),
  Exists: (node, { plan }) => withFields(node, { plan: plan(node.plan) }),
  InSubquery: (node, { expression, plan }) =>
    withFields(node, { operand: expression(node.operand), plan: plan(node.plan) }),
  QuantifiedComparison: (node, { expression, plan }) =>
    withFields(node, { operand: expression(node.operand), plan: plan(node.plan) }),
};

type PlanParts = {
  readonly [K in LogicalPlan['kind']]: (node: OfKind<LogicalPlan, K>, rewrite: Rewrite) => LogicalPlan;
};

const PLAN_PARTS: PlanParts = {
  TableScan: (node, { expression }) => withFields(node, { filter: mapList(node.filter, expression) }),
  Values: (node, { expression }) =>
    withFields(node, { rows: mapList(node.rows, (row) => mapList(row, expression)) }),
  Filter: (node, { expression, plan }) =>
    withFields(node, { input: plan(node.input), predicates: mapList(node.predicates, expression) }),
  Project: (node, { expression, plan }) =>
    withFields(node, {
      input: plan(node.input),
      columns: mapList(node.columns, (entry) =>
        withFields(entry, { expression: expression(entry.expression) }),
      ),
    }),
  Join: (node, { expression, plan }) =>
    withFields(node, { left: plan(node.left), right: plan(node.right), on: mapList(node.on, expression) }),
  Unnest: (node, { expression, plan }) =>
    withFields(node, { input: plan(node.input), list: expression(node.list) }),
  Series: (node, { expression }) => withFields(node, { arguments: mapList(node.arguments, expression) }),
  Aggregate: (node, { expression, plan }) =>
    withFields(node, {
      input: plan(node.input),
      groupBy: mapList(node.groupBy, (entry) =>
        withFields(entry, { expression: expression(entry.expression) }),
      ),
      aggregates: mapList(node.aggregates, (entry) =>
        withFields(entry, { call: mapCall(entry.call, expression) }),
      ),
    }),
  Window: (node, { expression, plan }) =>
    withFields(node, {
      input: plan(node.input),
      functions: mapList(node.functions, (entry) =>
        withFields(entry, {
          call: mapCall(entry.call, expression),
          window: mapWindow(entry.window, expression),
        }),
      ),
    }),
  Distinct: (node, { expression, plan }) =>
    withFields(node, {
      input: plan(node.input),
      on: optional(node.on, (on) => mapList(on, expression)),
    }),
  SetOperation: (node, { plan }) => withFields(node, { left: plan(node.left), right: plan(node.right) }),
  Sort: (node, { expression, plan }) =>
    withFields(node, { input: plan(node.input), keys: mapSortKeys(node.keys, expression) }),
  Limit: (node, { plan }) => withFields(node, { input: plan(node.input) }),
  With: (node, { plan }) =>
    withFields(node, {
      ctes: mapList(node.ctes, (cte) => withFields(cte, { plan: plan(cte.plan) })),
      body: plan(node.body),
    }),
  CteScan: (node) => node,
  Recursion: (node, { plan }) => withFields(node, { base: plan(node.base), step: plan(node.step) }),
  RecursionScan: (node) => node,
};

const same = <T>(node: T): T => node;

function rewriteExpressionParts(node: Expression, rewrite: Rewrite): Expression {
  return (EXPRESSION_PARTS[node.kind] as (node: Expression, rewrite: Rewrite) => Expression)(node, rewrite);
}

function rewritePlanParts(node: LogicalPlan, rewrite: Rewrite): LogicalPlan {
  return (PLAN_PARTS[node.kind] as (node: LogicalPlan, rewrite: Rewrite) => LogicalPlan)(node, rewrite);
}

/** Maps the expressions directly below; a subquery's plan goes to `plan` (left alone when not given). */
export function mapChildren(
  node: Expression,
  f: (child: Expression) => Expression,
  plan: (plan: LogicalPlan) => LogicalPlan = same,
): Expression {
  return rewriteExpressionParts(node, { expression: f, plan });
}

/** Maps the plans directly below (inputs, both sides, the body and the CTEs), not those inside expressions. */
export function mapInputs(node: LogicalPlan, f: (input: LogicalPlan) => LogicalPlan): LogicalPlan {
  return rewritePlanParts(node, { expression: same, plan: f });
}

/** Maps the expressions that the node itself holds (each a whole tree). */
export function mapExpressions(node: LogicalPlan, f: (root: Expression) => Expression): LogicalPlan {
  return rewritePlanParts(node, { expression: f, plan: same });
}

/** The expressions directly below. */
export function childrenOf(node: Expression): readonly Expression[] {
  const children: Expression[] = [];
  mapChildren(node, (child) => (children.push(child), child));
  return children;
}

/** The plan that the expression itself holds: a subquery's. */
export function subqueryOf(node: Expression): LogicalPlan | null {
  return 'plan' in node ? node.plan : null;
}

/** The plans directly below, not those inside expressions. */
export function inputsOf(node: LogicalPlan): readonly LogicalPlan[] {
  const inputs: LogicalPlan[] = [];
  mapInputs(node, (input) => (inputs.push(input), input));
  return inputs;
}

/** The expressions that the node itself holds. */
export function expressionsOf(node: LogicalPlan): readonly Expression[] {
  const expressions: Expression[] = [];
  mapExpressions(node, (root) => (expressions.push(root), root));
  return expressions;
}

/** Every expression of the tree, parents first. A subquery's plan is not entered. */
export function walkExpression(node: Expression, visit: (node: Expression) => void): void {
  visit(node);
  mapChildren(node, (child) => (walkExpression(child, visit), child));
}

/** Every expression below and in a plan, subqueries included; and every plan node, subqueries included. */
export function walkDeep(
  plan: LogicalPlan,
  visit: { readonly plan?: (node: LogicalPlan) => void; readonly expression?: (node: Expression) => void },
): void {
  visit.plan?.(plan);
  const inputs: LogicalPlan[] = [];
  // The node's own expressions come before what is below it, whichever of its fields is first.
  rewritePlanParts(plan, {
    expression: (root) => (walkExpressionDeep(root, visit), root),
    plan: (input) => (inputs.push(input), input),
  });
  for (const input of inputs) walkDeep(input, visit);
}

/** As walkDeep, from an expression. */
export function walkExpressionDeep(
  root: Expression,
  visit: { readonly plan?: (node: LogicalPlan) => void; readonly expression?: (node: Expression) => void },
): void {
  walkExpression(root, (node) => {
    visit.expression?.(node);
    const subquery = subqueryOf(node);
    if (subquery !== null) walkDeep(subquery, visit);
  });
}

/** Rewrites a whole expression tree bottom-up, and the plans of its subqueries with `plan` where given. */
export function transformExpression(
  root: Expression,
  f: (node: Expression) => Expression,
  plan: (plan: LogicalPlan) => LogicalPlan = same,
): Expression {
  return f(mapChildren(root, (child) => transformExpression(child, f, plan), plan));
}

/** Maps the plans directly below, and those inside the node's own expressions. */
export function mapPlansBelow(node: LogicalPlan, f: (plan: LogicalPlan) => LogicalPlan): LogicalPlan {
  const intoExpression = (root: Expression): Expression => mapChildren(root, intoExpression, f);
  return rewritePlanParts(node, { expression: intoExpression, plan: f });
}

/** Rewrites every plan node bottom-up, the plans inside expressions included. */
export function transformPlan(root: LogicalPlan, f: (node: LogicalPlan) => LogicalPlan): LogicalPlan {
  return f(mapPlansBelow(root, (plan) => transformPlan(plan, f)));
}

/** Rewrites every expression node of a plan bottom-up, in subqueries too. */
export function transformPlanExpressions(
  root: LogicalPlan,
  f: (node: Expression) => Expression,
): LogicalPlan {
  const intoPlan = (plan: LogicalPlan): LogicalPlan =>
    rewritePlanParts(plan, {
      expression: (node) => transformExpression(node, f, intoPlan),
      plan: intoPlan,
    });
  return intoPlan(root);
}
