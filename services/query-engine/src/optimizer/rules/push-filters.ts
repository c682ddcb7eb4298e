/**
 * Conjuncts go down as far as they mean the same, so that they end next to the scan that they are about. Equalities
 * over both sides of a join become its condition; a cross join that gets one is an inner join.
 *
 * They never go below a LIMIT or DISTINCT ON, nor from WHERE to the side of an outer join that may have no match.
 */
import type { Expression } from '../../logical/expression.ts';
import type {
  Aggregate,
  Join,
  LogicalPlan,
  Project,
  SetOperation,
  Unnest,
  Window,
} from '../../logical/plan.ts';
import {
  mapExpressions,
  mapList,
  transformExpression,
  visitPlan,
  withFields,
  type PlanVisitor,
} from '../../logical/visit.ts';
import { usesOnlyOutputOf } from '../column-use.ts';
import { filterOver, mergeConjuncts, sameElements } from '../conjuncts.ts';
import { belowAggregate, isBelowWindow } from '../push-filters/over-group.ts';
import { distributeOverJoin } from '../push-filters/over-join.ts';
import { distributeOverSetOperation } from '../push-filters/over-set-operation.ts';
import type { Rule } from '../rule.ts';
import { substitute } from '../substitute.ts';

type Conjuncts = readonly Expression[];

/** The plan with these conjuncts over it, each as far down as it goes. */
function push(plan: LogicalPlan, conjuncts: Conjuncts): LogicalPlan {
  const node = mapExpressions(plan, intoSubqueries);
  const visitor: PlanVisitor<LogicalPlan> = {
    TableScan: (scan) => filterOver(scan, conjuncts),
    Values: (values) => filterOver(values, conjuncts),
    CteScan: (scan) => filterOver(scan, conjuncts),
    // A row that is not wanted may lead to one that is.
    Recursion: (node) =>
      filterOver(withFields(node, { base: push(node.base, []), step: push(node.step, []) }), conjuncts),
    RecursionScan: (scan) => filterOver(scan, conjuncts),
    Series: (call) => filterOver(call, conjuncts),
    Limit: (limit) => filterOver(withFields(limit, { input: push(limit.input, []) }), conjuncts),
    Filter: (filter) => {
      const pushed = push(filter.input, mergeConjuncts([...filter.predicates, ...conjuncts]));
      const same =
        pushed.kind === 'Filter' &&
        pushed.input === filter.input &&
        sameElements(pushed.predicates, filter.predicates);
      return same ? filter : pushed;
    },
    Sort: (sort) => withFields(sort, { input: push(sort.input, conjuncts) }),
    With: (node) => {
      const [below, above] = partition(conjuncts, (conjunct) => usesOnlyOutputOf(conjunct, node));
      const ctes = mapList(node.ctes, (cte) => withFields(cte, { plan: push(cte.plan, []) }));
      return filterOver(withFields(node, { ctes, body: push(node.body, below) }), above);
    },
    Project: (project) => overProject(project, conjuncts),
    Join: (join) => overJoin(join, conjuncts),
    Unnest: (unnest) => overUnnest(unnest, conjuncts),
    Aggregate: (aggregate) => overAggregate(aggregate, conjuncts),
    Window: (window) => overWindow(window, conjuncts),
    Distinct: (distinct) => {
      const [below, above] = partition(
        conjuncts,
        (conjunct) => distinct.on === null && usesOnlyOutputOf(conjunct, distinct),
      );
      return filterOver(withFields(distinct, { input: push(distinct.input, below) }), above);
    },
    SetOperation: (node) => overSetOperation(node, conjuncts),
  };
  return visitPlan(visitor, node);
}

function intoSubqueries(root: Expression): Expression {
  return transformExpression(
    root,
    (node) => node,
    (plan) => push(plan, []),
  );
}

function partition(conjuncts: Conjuncts, goes: (conjunct: Expression) => boolean): [Conjuncts, Conjuncts] {
  return [conjuncts.filter(goes), conjuncts.filter((conjunct) => !goes(conjunct))];
}

function overProject(node: Project, conjuncts: Conjuncts): LogicalPlan {
  const sources = new Map(node.columns.map(({ column, expression }) => [column.id, expression]));
  const below: Expression[] = [];
  const above: Expression[] = [];
  for (const conjunct of conjuncts) {
    const replaced = substitute(conjunct, sources);
    if (replaced === null) above.push(conjunct);
    else below.push(replaced);
  }
  return filterOver(withFields(node, { input: push(node.input, below) }), above);
}

function overJoin(node: Join, conjuncts: Conjuncts): LogicalPlan {
  const placed = distributeOverJoin(node, conjuncts);
  const merged = mergeConjuncts(placed.on);
  const on = sameElements(merged, node.on) ? node.on : merged;
  const inner = node.join === 'inner' || node.join === 'cross';
  const join = withFields(node, {
    join: inner ? (on.length === 0 ? 'cross' : 'inner') : node.join,
    left: push(node.left, placed.left),
    right: push(node.right, placed.right),
    on,
  });
  return filterOver(join, placed.above);
}

/** What is about the row, and not about the element. */
function overUnnest(node: Unnest, conjuncts: Conjuncts): LogicalPlan {
  const [below, above] = partition(conjuncts, (conjunct) => usesOnlyOutputOf(conjunct, node.input));
  return filterOver(withFields(node, { input: push(node.input, below) }), above);
}

function overAggregate(node: Aggregate, conjuncts: Conjuncts): LogicalPlan {
  const below: Expression[] = [];
  const above: Expression[] = [];
  for (const conjunct of conjuncts) {
    const replaced = belowAggregate(node, conjunct);
    if (replaced === null) above.push(conjunct);
    else below.push(replaced);
  }
  return filterOver(withFields(node, { input: push(node.input, below) }), above);
}

function overWindow(node: Window, conjuncts: Conjuncts): LogicalPlan {
  const [below, above] = partition(conjuncts, (conjunct) => isBelowWindow(node, conjunct));
  return filterOver(withFields(node, { input: push(node.input, below) }), above);
}

function overSetOperation(node: SetOperation, conjuncts: Conjuncts): LogicalPlan {
  const { left, right, above } = distributeOverSetOperation(node, conjuncts);
  const pushed = withFields(node, { left: push(node.left, left), right: push(node.right, right) });
  return filterOver(pushed, above);
}

export const pushFilters: Rule = Object.freeze({
  name: 'push-filters',
  apply: (plan: LogicalPlan) => push(plan, []),
});
