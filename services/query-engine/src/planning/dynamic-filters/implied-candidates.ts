/** The filter candidates that conditions imply for the scans below them. */
import { columnReference } from '../../logical/build-expression.ts';
import type { Expression } from '../../logical/expression.ts';
import { outputColumns } from '../../logical/output.ts';
import type { Join, LogicalPlan, SetOperation } from '../../logical/plan.ts';
import { producedColumns } from '../../optimizer/column-use.ts';
import { isNeverNull } from '../../optimizer/never-null.ts';
import { columnEqualities } from './equalities.ts';
import { equalColumns, turnedEqualities } from './turned-equalities.ts';
import { isSource } from './source.ts';
import { decorrelate } from './decorrelate.ts';
import type { Scope, FilterCandidate, CandidatePair } from './filter-candidate.ts';

/** Equalities of the conjuncts between a build side's rows and columns of `below`. */
function pairsBetween(
  conjuncts: readonly Expression[],
  buildSide: LogicalPlan,
  below: LogicalPlan,
): readonly CandidatePair[] {
  const targets = producedColumns(below);
  return [
    ...conjuncts.flatMap(columnEqualities),
    ...conjuncts.flatMap((one) => turnedEqualities(one, { below, buildSide })),
  ]
    .filter(({ column, value }) => targets.has(column.id) && isSource(value, buildSide))
    .map(({ column, value }): CandidatePair => ({ target: column.id, source: value }));
}

function candidateOf(
  buildSide: LogicalPlan,
  pairs: readonly CandidatePair[],
  at: LogicalPlan,
  { ctes }: Scope,
  { byDoubles = false, nullsMatch = false } = {},
): readonly FilterCandidate[] {
  return pairs.length === 0 ? [] : [{ buildSide, pairs, ctes, at, byDoubles, nullsMatch }];
}

const BY_DOUBLES = Object.freeze({ byDoubles: true });

/** `operand IN (plan)`, with a column, what can be turned around to one, or a row of these as operand. */
function membership(operand: Expression, plan: LogicalPlan, below: LogicalPlan): readonly CandidatePair[] {
  const operands = operand.kind === 'Row' ? operand.values : [operand];
  const columns = outputColumns(plan);
  return operands.flatMap((one, i) => {
    const column = columns[i];
    if (column === undefined) return [];
    return equalColumns(one, columnReference(column), { below, buildSide: plan }).map(
      ({ column: { id }, value }) => ({
        target: id,
        source: value,
      }),
    );
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

/** Candidates for the subquery of `x IN (…)` and `x NOT IN (…)`: only the values of the rows that must pass it matter. */
export function impliedByMembership(
  conjunct: Expression,
  asking: LogicalPlan,
  at: LogicalPlan,
  scope: Scope,
): readonly FilterCandidate[] {
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
  return candidateOf(asking, pairs, at, scope, BY_DOUBLES);
}

function ofSubqueries(
  conjunct: Expression,
  below: LogicalPlan,
  at: LogicalPlan,
  scope: Scope,
): readonly FilterCandidate[] {
  switch (conjunct.kind) {
    case 'InSubquery':
      if (conjunct.negated) return [];
      return candidateOf(
        conjunct.plan,
        membership(conjunct.operand, conjunct.plan, below),
        at,
        scope,
        BY_DOUBLES,
      );
    case 'QuantifiedComparison':
      if (conjunct.operator !== '=' || conjunct.quantifier !== 'ANY') return [];
      return candidateOf(
        conjunct.plan,
        membership(conjunct.operand, conjunct.plan, below),
        at,
        scope,
        BY_DOUBLES,
      );
    case 'Exists': {
      const inner = decorrelate(conjunct.plan, below);
      return inner === null ? [] : candidateOf(inner.plan, inner.pairs, at, scope);
    }
    case 'Comparison':
      return columnEqualities(conjunct).flatMap(({ column, value }) =>
        value.kind === 'ScalarSubquery'
          ? candidateOf(value.plan, membership(columnReference(column), value.plan, below), at, scope)
          : [],
      );
    default:
      return [];
  }
}

/**
 * Candidates for `below`, whose rows must pass the conjuncts: from their subqueries and, inside a correlated subquery, from
 * the outer rows.
 */
export function impliedByConjuncts(
  conjuncts: readonly Expression[],
  below: LogicalPlan,
  at: LogicalPlan,
  scope: Scope,
): readonly FilterCandidate[] {
  return [
    ...conjuncts.flatMap((conjunct) => ofSubqueries(conjunct, below, at, scope)),
    ...scope.outer.flatMap((outer) => candidateOf(outer, pairsBetween(conjuncts, outer, below), at, scope)),
  ];
}

/** Candidates for the sides of a join: rows without a partner are dropped, except on a side that an outer join keeps. */
export function impliedByJoin(
  node: Join,
  scope: Scope,
): { readonly left: readonly FilterCandidate[]; readonly right: readonly FilterCandidate[] } {
  const inner = node.join === 'inner' || node.join === 'cross';
  const side = (below: LogicalPlan, other: LogicalPlan): readonly FilterCandidate[] => [
    ...candidateOf(other, pairsBetween(node.on, other, below), node, scope),
    ...impliedByConjuncts(node.on, below, node, scope),
  ];
  return {
    left: inner || node.join === 'right' ? side(node.left, node.right) : [],
    right: inner || node.join === 'left' ? side(node.right, node.left) : [],
  };
}

/** Candidates for the sides of INTERSECT and EXCEPT: rows that the other side does not have make no difference. */
export function impliedBySetOperation(
  node: SetOperation,
  scope: Scope,
): { readonly left: readonly FilterCandidate[]; readonly right: readonly FilterCandidate[] } {
  const side = (below: LogicalPlan, other: LogicalPlan): readonly FilterCandidate[] => {
    const sources = outputColumns(other);
    const pairs = outputColumns(below).flatMap(({ id }, i) => {
      const source = sources[i];
      return source === undefined ? [] : [{ target: id, source: columnReference(source) }];
    });
    return candidateOf(other, pairs, node, scope, { byDoubles: true, nullsMatch: true });
  };
  return {
    left: node.operator === 'intersect' ? side(node.left, node.right) : [],
    right: node.operator === 'union' ? [] : side(node.right, node.left),
  };
}
