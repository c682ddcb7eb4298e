/**
 * A LIMIT over an outer join says how many rows of the side that the join keeps matter: each of them has one row at least
 * in the result. Over UNION ALL it says so of each branch. The LIMIT above stays, and decides.
 *
 * Only a statement's own LIMIT goes down, never the page: each page would see other rows.
 */
import { columnReference } from '../../logical/build-expression.ts';
import { limit, sort } from '../../logical/build-plan.ts';
import type { SortKey } from '../../logical/expression.ts';
import { outputColumns } from '../../logical/output.ts';
import type { Join, LogicalPlan, Project, SetOperation } from '../../logical/plan.ts';
import { transformPlan, withFields } from '../../logical/visit.ts';
import { containsSubquery, usedColumns, usesOnlyOutputOf } from '../column-use.ts';
import type { Rule } from '../rule.ts';
import { substitute, type Replacements } from '../substitute.ts';
import { valueTypeOf } from '../value-type.ts';

type Keys = readonly SortKey[];

/** The keys over what is put for their columns; null where that cannot be said below. */
function keysBelow(keys: Keys, sources: Replacements): Keys | null {
  const below = keys.map((key) => ({ key, expression: substitute(key.expression, sources) }));
  return below.every(({ expression }) => expression !== null && !containsSubquery(expression))
    ? below.map(({ key, expression }) => withFields(key, expression === null ? {} : { expression }))
    : null;
}

/** The first `rows` of the plan in the order of the keys; the plan itself where it has no more. */
function first(plan: LogicalPlan, rows: number, keys: Keys): LogicalPlan {
  const isLimited = plan.kind === 'Limit' && plan.count !== null && plan.count <= rows;
  return isLimited ? plan : limit(sort(plan, keys), rows, 0);
}

function overProject(node: Project, rows: number, keys: Keys): LogicalPlan {
  const sources = new Map(node.columns.map(({ column, expression }) => [column.id, expression]));
  const below = keysBelow(keys, sources);
  return below === null ? node : withFields(node, { input: need(node.input, rows, below) });
}

function overJoin(node: Join, rows: number, keys: Keys): LogicalPlan {
  if (node.join !== 'left' && node.join !== 'right') return node;
  const kept = node.join === 'left' ? node.left : node.right;
  const sayable = keys.every(
    ({ expression }) => !containsSubquery(expression) && usesOnlyOutputOf(expression, kept),
  );
  if (!sayable) return node;
  const limited = first(kept, rows, keys);
  return withFields(node, node.join === 'left' ? { left: limited } : { right: limited });
}

function overUnion(node: SetOperation, rows: number, keys: Keys): LogicalPlan {
  if (node.operator !== 'union' || !node.all) return node;
  // Values of both sides have to sort as they do in the result.
  const columns = keys.flatMap(({ expression }) => [...usedColumns(expression)]);
  if (columns.some((id) => valueTypeOf(node, id) === null)) return node;
  const side = (plan: LogicalPlan): LogicalPlan => {
    const own = outputColumns(plan);
    const sources = new Map(
      node.columns.flatMap(({ id }, i) => {
        const column = own[i];
        return column === undefined ? [] : [[id, columnReference(column)] as const];
      }),
    );
    const below = keysBelow(keys, sources);
    return below === null ? plan : first(plan, rows, below);
  };
  return withFields(node, { left: side(node.left), right: side(node.right) });
}

/** Tells what lies below that only so many rows of this plan matter, the first in the order of the keys. */
function need(plan: LogicalPlan, rows: number, keys: Keys): LogicalPlan {
  switch (plan.kind) {
    case 'Project':
      return overProject(plan, rows, keys);
    case 'Sort':
      return keys.length > 0 ? plan : withFields(plan, { input: need(plan.input, rows, plan.keys) });
    case 'Join':
      return overJoin(plan, rows, keys);
    case 'SetOperation':
      return overUnion(plan, rows, keys);
    default:
      return plan;
  }
}

function push(node: LogicalPlan): LogicalPlan {
  if (node.kind !== 'Limit' || node.count === null || node.count === 0) return node;
  return withFields(node, { input: need(node.input, node.count + node.offset, []) });
}

export const pushLimitDown: Rule = Object.freeze({
  name: 'push-limit-down',
  apply: (plan: LogicalPlan) => transformPlan(plan, push),
});
