/**
 * `a.x = b.y AND a.x = 5` gives `b.y = 5`, so that b can be read by key as well. Over a whole group of inner joins at
 * once, however long the chain of equalities; and from the preserved side of an outer join to the other one.
 */
import type { Column, ColumnId, Expression } from '../../logical/expression.ts';
import type { Join, LogicalPlan } from '../../logical/plan.ts';
import { mapChildren, mapExpressions, mapInputs, withFields } from '../../logical/visit.ts';
import { columnOrigins, type ColumnOrigin } from '../column-origins.ts';
import { producedColumns } from '../column-use.ts';
import { filterOver } from '../conjuncts.ts';
import { constantConjunct, constantOver, type ConstantConjunct } from '../constant-conjunct.ts';
import { isEmpty } from '../is-empty.ts';
import { isComputed, knownConstants, sayingOf } from '../known-constants.ts';
import { TRANSFERRED_PREDICATES_MAX, TRANSFERRED_VALUES_MAX } from '../limits.ts';
import type { Rule } from '../rule.ts';
import { isTransferable } from '../transferable.ts';

type OriginOf = (id: ColumnId) => ColumnOrigin | null;

/** Inner joins and the Filters among them: what they join, and all that they ask. */
interface InnerJoins {
  readonly inputs: LogicalPlan[];
  readonly conjuncts: Expression[];
}

const isInner = (plan: LogicalPlan): plan is Join =>
  plan.kind === 'Join' && (plan.join === 'inner' || plan.join === 'cross');

/** Whether the plan is part of a group of inner joins. */
function isWithin(plan: LogicalPlan): boolean {
  return isInner(plan) || (plan.kind === 'Filter' && isWithin(plan.input));
}

function gather(plan: LogicalPlan, into: InnerJoins): void {
  if (!isWithin(plan)) {
    into.inputs.push(plan);
  } else if (plan.kind === 'Filter') {
    into.conjuncts.push(...plan.predicates);
    gather(plan.input, into);
  } else if (plan.kind === 'Join') {
    into.conjuncts.push(...plan.on);
    gather(plan.left, into);
    gather(plan.right, into);
  }
}

/** The two columns of `a = b`; null for anything else. */
function equalColumns(conjunct: Expression): readonly [Column, Column] | null {
  if (conjunct.kind !== 'Comparison' || conjunct.operator !== '=') return null;
  const { left, right } = conjunct;
  if (left.kind !== 'ColumnReference' || right.kind !== 'ColumnReference') return null;
  return [left.column, right.column];
}

function canTransfer({ values }: ConstantConjunct, from: Column, to: Column, originOf: OriginOf): boolean {
  if (values.length > TRANSFERRED_VALUES_MAX) return false;
  const origins = [originOf(from.id), originOf(to.id)] as const;
  return values.every((value) => isTransferable(value, ...origins));
}

/** Whether saying more of the column may spare a read: not of expressions, nor where nothing is read. */
function isBindable(input: LogicalPlan, id: ColumnId): boolean {
  return !isEmpty(input) && !isComputed(input, id);
}

/** What follows from equalities and constants of a group of inner joins. */
function conclusions({ inputs, conjuncts }: InnerJoins, originOf: OriginOf): readonly Expression[] {
  const equals = new Map<ColumnId, Column[]>();
  const columns = new Map<ColumnId, Column>();
  for (const pair of conjuncts.map(equalColumns)) {
    if (pair === null) continue;
    for (const [one, other] of [pair, pair.toReversed()] as [Column, Column][]) {
      columns.set(one.id, one);
      equals.set(one.id, [...(equals.get(one.id) ?? []), other]);
    }
  }
  const known = new Map<ColumnId, ConstantConjunct[]>();
  const bindable = new Set<ColumnId>();
  for (const id of columns.keys()) {
    const input = inputs.find((one) => producedColumns(one).has(id));
    known.set(id, input === undefined ? [] : [...knownConstants(input, id)]);
    if (input !== undefined && isBindable(input, id)) bindable.add(id);
  }
  for (const constant of conjuncts.map(constantConjunct)) {
    if (constant !== null) known.get(constant.column.id)?.push(constant);
  }
  return spread(columns, equals, known, originOf).flatMap(({ column, constant }) =>
    bindable.has(column.id) ? [constantOver(constant, column)] : [],
  );
}

/** A constant that a column equals. */
interface Bound {
  readonly column: Column;
  readonly constant: ConstantConjunct;
}

/** Goes along the equalities, from each column that has constants on to those that do not: what those equal. */
function spread(
  columns: ReadonlyMap<ColumnId, Column>,
  equals: ReadonlyMap<ColumnId, readonly Column[]>,
  known: ReadonlyMap<ColumnId, readonly ConstantConjunct[]>,
  originOf: OriginOf,
): readonly Bound[] {
  const said = new Set<string>();
  const key = (column: Column, constant: ConstantConjunct): string => `${column.id} ${sayingOf(constant)}`;
  const waiting = [...columns.values()].flatMap((column) =>
    (known.get(column.id) ?? []).map((constant) => ({ column, constant })),
  );
  for (const { column, constant } of waiting) said.add(key(column, constant));
  const concluded: Bound[] = [];
  for (const { column, constant } of waiting) {
    for (const other of equals.get(column.id) ?? []) {
      if (!canTransfer(constant, column, other, originOf)) continue;
      if (said.has(key(other, constant)) || concluded.length >= TRANSFERRED_PREDICATES_MAX) continue;
      said.add(key(other, constant));
      concluded.push({ column: other, constant });
      waiting.push({ column: other, constant });
    }
  }
  return concluded;
}

/** What rows of the other side must be like to match one of the preserved side. */
function overOuter(join: Join, originOf: OriginOf): Join {
  if (join.join !== 'left' && join.join !== 'right') return join;
  const [kept, other] = join.join === 'left' ? [join.left, join.right] : [join.right, join.left];
  const concluded: Expression[] = [];
  for (const pair of join.on.map(equalColumns)) {
    if (pair === null) continue;
    const [from, to] = producedColumns(kept).has(pair[0].id) ? pair : [pair[1], pair[0]];
    if (!producedColumns(kept).has(from.id) || !producedColumns(other).has(to.id)) continue;
    if (!isBindable(other, to.id)) continue;
    const said = new Set(knownConstants(other, to.id).map(sayingOf));
    for (const constant of knownConstants(kept, from.id)) {
      if (said.has(sayingOf(constant)) || !canTransfer(constant, from, to, originOf)) continue;
      concluded.push(constantOver(constant, to));
    }
  }
  const filtered = filterOver(other, concluded);
  return withFields(join, join.join === 'left' ? { right: filtered } : { left: filtered });
}

function transfer(root: LogicalPlan): LogicalPlan {
  const originOf = columnOrigins(root);
  const intoExpression = (node: Expression): Expression => mapChildren(node, intoExpression, visit);
  const below = (plan: LogicalPlan, f: (input: LogicalPlan) => LogicalPlan): LogicalPlan =>
    mapInputs(mapExpressions(plan, intoExpression), f);
  /** Inside a group whose conclusions are drawn at its top. */
  const within = (plan: LogicalPlan): LogicalPlan => (isWithin(plan) ? below(plan, within) : visit(plan));
  const visit = (plan: LogicalPlan): LogicalPlan => {
    if (!isWithin(plan)) {
      const node = below(plan, visit);
      return node.kind === 'Join' ? overOuter(node, originOf) : node;
    }
    const group: InnerJoins = { inputs: [], conjuncts: [] };
    gather(plan, group);
    return filterOver(within(plan), conclusions(group, originOf));
  };
  return visit(root);
}

export const transferConstants: Rule = Object.freeze({ name: 'transfer-constants', apply: transfer });
