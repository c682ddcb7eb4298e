/**
 * `s = (SELECT max(i.s) FROM t i WHERE i.k = t.k)` as `(t.k, s) IN (SELECT i.k, max(i.s) FROM t i GROUP BY i.k)`: what is wanted of
 * `t` can be read by whole keys then, once the newest of each are known. Otherwise all of `t` is read to ask for each row.
 *
 * Not where values may be of different types: those that equal one outer value may be in several groups, and IN compares
 * otherwise than `=`. So all columns have to be keys of one type, on both sides.
 */
import { columnReference, expression } from '../../logical/build-expression.ts';
import { filter, project } from '../../logical/build-plan.ts';
import type { Column, Expression } from '../../logical/expression.ts';
import { outputColumns } from '../../logical/output.ts';
import type { Aggregate, Filter, LogicalPlan } from '../../logical/plan.ts';
import { referencesInPlan } from '../../logical/references.ts';
import { mapList, transformPlan, withFields } from '../../logical/visit.ts';
import { columnOrigins } from '../column-origins.ts';
import { producedColumns } from '../column-use.ts';
import type { Rule } from '../rule.ts';
import { keyTypeOf } from '../transferable.ts';

type OriginOf = ReturnType<typeof columnOrigins>;

/** MIN or MAX of a column, of rows that pass a Filter. */
interface Extreme {
  readonly node: Aggregate;
  readonly of: Column;
  readonly below: Filter;
}

/** Null where the subquery is anything else. */
function extremeOf(plan: LogicalPlan): Extreme | null {
  if (plan.kind === 'Project') {
    const [only, ...others] = plan.columns;
    const own = outputColumns(plan.input)[0];
    const isSame = only?.expression.kind === 'ColumnReference' && only.expression.column.id === own?.id;
    return isSame && others.length === 0 ? extremeOf(plan.input) : null;
  }
  if (plan.kind !== 'Aggregate' || plan.groupBy.length > 0 || plan.groupings.length > 0) return null;
  if (plan.groupingSets !== null || plan.input.kind !== 'Filter') return null;
  const [only, ...others] = plan.aggregates;
  const [of, ...more] = only?.call.arguments ?? [];
  if (only === undefined || others.length > 0 || of?.kind !== 'ColumnReference' || more.length > 0)
    return null;
  const { name, filter: condition } = only.call;
  if ((name !== 'MIN' && name !== 'MAX') || condition !== null) return null;
  return { node: plan, of: of.column, below: plan.input };
}

/** A column of the subquery's rows, and the one around it that it must equal. */
interface Correlation {
  readonly inner: Column;
  readonly outer: Column;
}

/** Null where the conjunct is no such equality. */
function correlationOf(conjunct: Expression, input: LogicalPlan, around: LogicalPlan): Correlation | null {
  if (conjunct.kind !== 'Comparison' || conjunct.operator !== '=') return null;
  const { left, right } = conjunct;
  if (left.kind !== 'ColumnReference' || right.kind !== 'ColumnReference') return null;
  const [inner, outer] = producedColumns(input).has(left.column.id)
    ? [left.column, right.column]
    : [right.column, left.column];
  const isBoth = producedColumns(input).has(inner.id) && producedColumns(around).has(outer.id);
  return isBoth ? { inner, outer } : null;
}

/** The condition over groups; null where it cannot be said so. */
function grouped(
  value: Column,
  plan: LogicalPlan,
  around: LogicalPlan,
  originOf: OriginOf,
): Expression | null {
  const extreme = extremeOf(plan);
  if (extreme === null) return null;
  const { node, of, below } = extreme;
  const correlations = below.predicates.map((predicate) => correlationOf(predicate, below.input, around));
  const found = correlations.filter((one) => one !== null);
  const areKeys = [...found, { inner: of, outer: value }].every(({ inner, outer }) => {
    const [type, other] = [originOf(inner.id), originOf(outer.id)].map(keyTypeOf);
    return (type === 'S' || type === 'N') && type === other;
  });
  if (found.length === 0 || !areKeys || !producedColumns(around).has(value.id)) return null;
  const rest = below.predicates.filter((_, i) => correlations[i] === null);
  const columns = [...new Map(found.map(({ inner }) => [inner.id, inner])).values()];
  const input = filter(below.input, rest);
  const outer = producedColumns(around);
  const isOpen = [...referencesInPlan(input)].some((id) => outer.has(id));
  // Two equalities of one column would have to be two columns of the group.
  if (isOpen || columns.length < found.length) return null;
  const groups: LogicalPlan = withFields(node, {
    input,
    groupBy: columns.map((column) => ({ column, expression: columnReference(column) })),
  });
  const outputs = [...columns, ...node.aggregates.map(({ column }) => column)];
  const operands = [...found.map((one) => one.outer), value].map((column) => columnReference(column));
  return expression({
    kind: 'InSubquery',
    operand: expression({ kind: 'Row', values: operands }),
    plan: project(
      groups,
      outputs.map((column) => ({ column, expression: columnReference(column) })),
    ),
    negated: false,
  });
}

function apply(root: LogicalPlan): LogicalPlan {
  const originOf = columnOrigins(root);
  return transformPlan(root, (node) => {
    if (node.kind !== 'Filter') return node;
    const predicates = mapList(node.predicates, (predicate): Expression => {
      if (predicate.kind !== 'Comparison' || predicate.operator !== '=') return predicate;
      const { left, right } = predicate;
      const [asked, subquery] = left.kind === 'ScalarSubquery' ? [right, left] : [left, right];
      if (asked.kind !== 'ColumnReference' || subquery.kind !== 'ScalarSubquery') return predicate;
      return grouped(asked.column, subquery.plan, node.input, originOf) ?? predicate;
    });
    return withFields(node, { predicates });
  });
}

export const groupCorrelatedExtremes: Rule = Object.freeze({ name: 'group-correlated-extremes', apply });
