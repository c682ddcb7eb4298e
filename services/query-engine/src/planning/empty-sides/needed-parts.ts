/**
 * For each scan, the parts of its statement without whose rows nothing of the scan is of use: the other side of an inner
 * join, the side that an outer join keeps, the subquery of a conjunct, and the rows that a subquery is asked for.
 */
import type { Expression } from '../../logical/expression.ts';
import { filter } from '../../logical/build-plan.ts';
import type { Cte, LogicalPlan, TableScan } from '../../logical/plan.ts';
import { expressionsOf, inputsOf, subqueryOf, walkExpression } from '../../logical/visit.ts';
import { containsSubquery } from '../../optimizer/column-use.ts';
import { partsThatMustHaveRows } from './must-have-rows.ts';

type Parts = readonly LogicalPlan[];

/** The subquery without whose rows the conjunct is not true. */
function requiredSubquery(conjunct: Expression): LogicalPlan | null {
  switch (conjunct.kind) {
    case 'Exists':
      return conjunct.plan;
    case 'InSubquery':
      return conjunct.negated ? null : conjunct.plan;
    case 'QuantifiedComparison':
      return conjunct.quantifier === 'ANY' ? conjunct.plan : null;
    default:
      return null;
  }
}

export function neededParts(root: LogicalPlan): ReadonlyMap<TableScan, Parts> {
  const found = new Map<TableScan, Parts>();

  /** `needed`: without the rows of one of these, nothing of the plan is of use. */
  const visit = (plan: LogicalPlan, needed: Parts, ctes: readonly Cte[]): void => {
    const parts = (other: LogicalPlan): Parts => partsThatMustHaveRows(other, ctes);
    for (const { subquery, asking } of subqueriesOf(plan))
      visit(subquery, asking === null ? needed : [...needed, ...parts(asking)], ctes);
    switch (plan.kind) {
      case 'TableScan':
        // Where it stands twice, it is of use as long as it is at one of the places.
        found.set(plan, found.has(plan) ? [] : needed);
        return;
      case 'Filter': {
        const required = plan.predicates.map(requiredSubquery).filter((subquery) => subquery !== null);
        visit(plan.input, [...needed, ...required.flatMap(parts)], ctes);
        return;
      }
      case 'Join': {
        const inner = plan.join === 'inner' || plan.join === 'cross';
        visit(plan.left, inner || plan.join === 'right' ? [...needed, ...parts(plan.right)] : needed, ctes);
        visit(plan.right, inner || plan.join === 'left' ? [...needed, ...parts(plan.left)] : needed, ctes);
        return;
      }
      case 'SetOperation': {
        const { operator } = plan;
        visit(plan.left, operator === 'intersect' ? [...needed, ...parts(plan.right)] : needed, ctes);
        visit(plan.right, operator === 'union' ? needed : [...needed, ...parts(plan.left)], ctes);
        return;
      }
      case 'With':
        // Others may use a CTE too. Each sees those before it.
        plan.ctes.forEach((cte, i) => visit(cte.plan, [], [...ctes, ...plan.ctes.slice(0, i)]));
        visit(plan.body, needed, [...ctes, ...plan.ctes]);
        return;
      default:
        for (const input of inputsOf(plan)) visit(input, needed, ctes);
    }
  };
  visit(root, [], []);
  return found;
}

interface Asked {
  readonly subquery: LogicalPlan;
  /** The rows that it is asked for: where there are none, it is not. Null: not known. */
  readonly asking: LogicalPlan | null;
}

function subqueriesOf(plan: LogicalPlan): readonly Asked[] {
  const asked: Asked[] = [];
  for (const root of expressionsOf(plan)) {
    if (!containsSubquery(root)) continue;
    walkExpression(root, (expression) => {
      const subquery = subqueryOf(expression);
      if (subquery !== null) asked.push({ subquery, asking: askingRows(plan) });
    });
  }
  return asked;
}

function askingRows(plan: LogicalPlan): LogicalPlan | null {
  if (plan.kind === 'Project') return plan.input;
  if (plan.kind !== 'Filter') return null;
  const plain = plan.predicates.filter((predicate) => !containsSubquery(predicate));
  return filter(plan.input, plain);
}
