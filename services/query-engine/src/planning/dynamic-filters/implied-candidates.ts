/** What conditions want of the scans below them. */
import { columnReference } from '../../logical/build-expression.ts';
import type { Expression } from '../../logical/expression.ts';
import { outputColumns } from '../../logical/output.ts';
import type { Join, LogicalPlan, SetOperation } from '../../logical/plan.ts';
import { producedColumns } from '../../optimizer/column-use.ts';
import { isNeverNull } from '../../optimizer/never-null.ts';
import { columnEqualities } from './equalities.ts';
import { isSource } from './source.ts';
import { uncorrelate } from './decorrelate.ts';
import type { Scope, Want, WantedPair } from './filter-candidate.ts';

/** Equalities of the conjuncts between a driver's rows and columns of `below`. */
function pairsBetween(
  conjuncts: readonly Expression[],
  driver: LogicalPlan,
  below: LogicalPlan,
): readonly WantedPair[] {
  const targets = producedColumns(below);
  return conjuncts
    .flatMap(columnEqualities)
    .filter(({ column, value }) => targets.has(column.id) && isSource(value, driver))
    .map(({ column, value }): WantedPair => ({ target: column.id, source: value }));
}

function wantOf(
  driver: LogicalPlan,
  pairs: readonly WantedPair[],
  at: LogicalPlan,
  { ctes }: Scope,
  { byDoubles = false, nullsMatch = false } = {},
): readonly Want[] {
  return pairs.length === 0 ? [] : [{ driver, pairs, ctes, at, byDoubles, nullsMatch }];
}

const BY_DOUBLES = Object.freeze({ byDoubles: true });

/** `operand IN (plan)`, with a column or a row of columns as operand. */
function membership(operand: Expression, plan: LogicalPlan): readonly WantedPair[] {
  const operands = operand.kind === 'Row' ? operand.values : [operand];
  const columns = outputColumns(plan);
  return operands.flatMap((one, i) => {
    const column = columns[i];
    if (one.kind !== 'ColumnReference' || column === undefined) return [];
    return [{ target: one.column.id, source: columnReference(column) }];
  });
}

/** Whether rows of the subquery that equal none of `x` make no difference to `x NOT IN (…)`: not where NULL is on either side. */
function isPlainAbsence(conjunct: Expression, asking: LogicalPlan): boolean {
  const negative =
    (conjunct.kind === 'InSubquery' && conjunct.negated) ||
    (conjunct.kind === 'QuantifiedComparison' && conjunct.operator === '<>' && conjunct.quantifier === 'ALL');
  if (!negative || conjunct.operand.kind !== 'ColumnReference') return false;
  const [column, ...others] = outputColumns(conjunct.plan);
  if (column === undefined || others.length > 0) return false;
  return isNeverNull(asking, conjunct.operand.column.id) && isNeverNull(conjunct.plan, column.id);
}

/** What the rows that are asked for want of the subquery of an `x IN (…)` or `x NOT IN (…)` that they must pass. */
export function wantedOfMembership(
  conjunct: Expression,
  asking: LogicalPlan,
  at: LogicalPlan,
  scope: Scope,
): readonly Want[] {
  const positive =
    (conjunct.kind === 'InSubquery' && !conjunct.negated) ||
    (conjunct.kind === 'QuantifiedComparison' && conjunct.operator === '=' && conjunct.quantifier === 'ANY');
  const asked = positive || isPlainAbsence(conjunct, asking);
  if (!asked || (conjunct.kind !== 'InSubquery' && conjunct.kind !== 'QuantifiedComparison')) return [];
  const { operand, plan } = conjunct;
  const operands = operand.kind === 'Row' ? operand.values : [operand];
  const pairs = outputColumns(plan).flatMap(({ id }, i) => {
    const source = operands[i];
    return source === undefined || !isSource(source, asking) ? [] : [{ target: id, source }];
  });
  return wantOf(asking, pairs, at, scope, BY_DOUBLES);
}

function ofSubqueries(
  conjunct: Expression,
  below: LogicalPlan,
  at: LogicalPlan,
  scope: Scope,
): readonly Want[] {
  switch (conjunct.kind) {
    case 'InSubquery':
      if (conjunct.negated) return [];
      return wantOf(conjunct.plan, membership(conjunct.operand, conjunct.plan), at, scope, BY_DOUBLES);
    case 'QuantifiedComparison':
      if (conjunct.operator !== '=' || conjunct.quantifier !== 'ANY') return [];
      return wantOf(conjunct.plan, membership(conjunct.operand, conjunct.plan), at, scope, BY_DOUBLES);
    case 'Exists': {
      const inner = uncorrelate(conjunct.plan, below);
      return inner === null ? [] : wantOf(inner.plan, inner.pairs, at, scope);
    }
    case 'Comparison':
      return columnEqualities(conjunct).flatMap(({ column, value }) =>
        value.kind === 'ScalarSubquery'
          ? wantOf(value.plan, membership(columnReference(column), value.plan), at, scope)
          : [],
      );
    default:
      return [];
  }
}

/**
 * What conjuncts that rows of `below` must pass want of it: by subqueries, and, inside a correlated subquery, by the
 * outer rows.
 */
export function wantedByConjuncts(
  conjuncts: readonly Expression[],
  below: LogicalPlan,
  at: LogicalPlan,
  scope: Scope,
): readonly Want[] {
  return [
    ...conjuncts.flatMap((conjunct) => ofSubqueries(conjunct, below, at, scope)),
    ...scope.outer.flatMap((outer) => wantOf(outer, pairsBetween(conjuncts, outer, below), at, scope)),
  ];
}

/** What a join wants of its sides: rows without a partner are dropped, but for the side that an outer join keeps. */
export function wantedByJoin(
  node: Join,
  scope: Scope,
): { readonly left: readonly Want[]; readonly right: readonly Want[] } {
  const inner = node.join === 'inner' || node.join === 'cross';
  const side = (below: LogicalPlan, other: LogicalPlan): readonly Want[] => [
    ...wantOf(other, pairsBetween(node.on, other, below), node, scope),
    ...wantedByConjuncts(node.on, below, node, scope),
  ];
  return {
    left: inner || node.join === 'right' ? side(node.left, node.right) : [],
    right: inner || node.join === 'left' ? side(node.right, node.left) : [],
  };
}

/** What INTERSECT and EXCEPT want of a side: rows that the other one does not have are of no use there. */
export function wantedBySetOperation(
  node: SetOperation,
  scope: Scope,
): { readonly left: readonly Want[]; readonly right: readonly Want[] } {
  const side = (below: LogicalPlan, other: LogicalPlan): readonly Want[] => {
    const sources = outputColumns(other);
    const pairs = outputColumns(below).flatMap(({ id }, i) => {
      const source = sources[i];
      return source === undefined ? [] : [{ target: id, source: columnReference(source) }];
    });
    return wantOf(other, pairs, node, scope, { byDoubles: true, nullsMatch: true });
  };
  return {
    left: node.operator === 'intersect' ? side(node.left, node.right) : [],
    right: node.operator === 'union' ? [] : side(node.right, node.left),
  };
}
