/** Parts of a plan that can be computed on their own, once their tables are read. */
import { remembered } from '@penstock/common/caching/remembered.ts';
import type { ColumnId, Expression } from '../../logical/expression.ts';
import { outputColumns } from '../../logical/output.ts';
import type { Cte, LogicalPlan, TableScan } from '../../logical/plan.ts';
import { referencesInPlan } from '../../logical/references.ts';
import { inputsOf, walkDeep } from '../../logical/visit.ts';
import { producedColumns, usedColumns } from '../../optimizer/column-use.ts';

interface Facts {
  readonly scans: readonly TableScan[];
  readonly cteIds: ReadonlySet<number>;
  /** No outer column and no rows of a recursion around it: the same wherever it is computed. */
  readonly closed: boolean;
}

const factsOf = remembered((plan: LogicalPlan): Facts => {
  const scans: TableScan[] = [];
  const cteIds = new Set<number>();
  const produced = new Set<ColumnId>();
  const recursions = { made: new Set<number>(), used: new Set<number>() };
  walkDeep(plan, {
    plan: (node) => {
      if (node.kind === 'TableScan') scans.push(node);
      if (node.kind === 'CteScan') cteIds.add(node.cteId);
      if (node.kind === 'Recursion') recursions.made.add(node.id);
      if (node.kind === 'RecursionScan') recursions.used.add(node.recursionId);
      for (const { id } of outputColumns(node)) produced.add(id);
    },
  });
  const isWhole = recursions.used.isSubsetOf(recursions.made);
  const closed = isWhole && [...referencesInPlan(plan)].every((id) => produced.has(id));
  return { scans, cteIds, closed };
});

export function scansIn(plan: LogicalPlan): readonly TableScan[] {
  return factsOf(plan).scans;
}

export function isClosed(plan: LogicalPlan): boolean {
  return factsOf(plan).closed;
}

/** With the CTEs that it names defined over it. */
export function withItsCtes(plan: LogicalPlan, ctes: readonly Cte[]): LogicalPlan {
  const needed = new Set(factsOf(plan).cteIds);
  // A CTE names only those before it.
  const used = ctes
    .toReversed()
    .filter((cte) => {
      if (!needed.has(cte.id)) return false;
      for (const id of factsOf(cte.plan).cteIds) needed.add(id);
      return true;
    })
    .toReversed();
  return used.length === 0 ? plan : Object.freeze({ kind: 'With', ctes: Object.freeze(used), body: plan });
}

export function producesAll(plan: LogicalPlan, expressions: readonly Expression[]): boolean {
  const columns = producedColumns(plan);
  return expressions.every((expression) => [...usedColumns(expression)].every((id) => columns.has(id)));
}

/**
 * The next smaller part of the plan that gives at least the same values of the expressions, NULL aside; null where there
 * is none. It needs fewer tables, and says less.
 */
export function narrower(plan: LogicalPlan, expressions: readonly Expression[]): LogicalPlan | null {
  switch (plan.kind) {
    case 'Join':
    case 'Filter':
    case 'Sort':
    case 'Distinct':
    case 'Limit':
    case 'Window':
    case 'Unnest':
      return inputsOf(plan).find((input) => producesAll(input, expressions)) ?? null;
    default:
      return null;
  }
}
