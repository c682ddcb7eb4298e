/**
 * A CTE that is used once becomes part of the query there, so that filters, columns and limits reach it; one that is
 * never used goes. No function of the list gives another answer each time it is asked, so the rows are the same.
 */
import { columnReference } from '../../logical/build-expression.ts';
import { project, withCtes } from '../../logical/build-plan.ts';
import { outputColumns } from '../../logical/output.ts';
import type { CteScan, LogicalPlan } from '../../logical/plan.ts';
import { transformPlan, walkDeep } from '../../logical/visit.ts';
import { countCteUses, ctesInSteps } from '../../logical/cte-uses.ts';
import type { Rule } from '../rule.ts';

function plansOfCtes(plan: LogicalPlan): ReadonlyMap<number, LogicalPlan> {
  const plans = new Map<number, LogicalPlan>();
  walkDeep(plan, {
    plan: (node) => {
      if (node.kind === 'With') for (const cte of node.ctes) plans.set(cte.id, cte.plan);
    },
  });
  return plans;
}

/** The CTE's own plan, under the names that this use has for its columns. */
function inPlaceOf(scan: CteScan, plan: LogicalPlan): LogicalPlan {
  return project(
    plan,
    outputColumns(plan).flatMap((source, i) => {
      const column = scan.columns[i];
      return column === undefined ? [] : [Object.freeze({ column, expression: columnReference(source) })];
    }),
  );
}

function inline(root: LogicalPlan): LogicalPlan {
  const plans = plansOfCtes(root);
  if (plans.size === 0) return root;
  const uses = countCteUses(root);
  const inSteps = ctesInSteps(root);
  const stays = (id: number): boolean => inSteps.has(id) || (uses.get(id) ?? 0) > 1;
  if ([...plans.keys()].every(stays)) return root;
  const expand = (plan: LogicalPlan): LogicalPlan =>
    transformPlan(plan, (node) => {
      if (node.kind === 'With') {
        const ctes = node.ctes.filter(({ id }) => stays(id));
        return ctes.length === node.ctes.length ? node : withCtes(Object.freeze(ctes), node.body);
      }
      if (node.kind !== 'CteScan' || stays(node.cteId)) return node;
      const source = plans.get(node.cteId);
      return source === undefined ? node : inPlaceOf(node, expand(source));
    });
  return expand(root);
}

export const inlineSingleUseCtes: Rule = Object.freeze({ name: 'inline-single-use-ctes', apply: inline });
