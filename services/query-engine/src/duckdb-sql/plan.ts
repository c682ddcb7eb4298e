/**
 * The residual query: a logical plan as DuckDB SQL over the tables that the reads were put into.
 *
 * Every column is named by its ID, unique in the statement, so joins need no qualifiers and correlated subqueries just
 * name the outer column. Row order is total wherever it decides anything (Sort, Limit): see `sort.ts`.
 */
import type { LogicalPlan } from '../logical/plan.ts';
import type { RowWindow } from '../logical/limits-of.ts';
import { PlanWriter } from './plan-writer.ts';
import { checkPlanningWork } from './planning-work.ts';
import type { WrittenQuery } from './scope.ts';
import type { SourceOf } from './sources.ts';
import { textBudget, WIDEST } from './text-budget.ts';

/** Writes a query, anew where the texts that it works on may not be as long as texts may be at most. */
export function withinBudget<Query extends { readonly sql: string }>(
  plan: LogicalPlan,
  sourceOf: SourceOf,
  write: (writer: PlanWriter) => Query,
): Query {
  const query = write(new PlanWriter(sourceOf, WIDEST));
  checkPlanningWork(query.sql);
  const budget = textBudget(query.sql, plan, sourceOf);
  const isWidest = budget.valueBytes >= WIDEST.valueBytes && budget.pairs >= WIDEST.pairs;
  return isWidest ? query : write(new PlanWriter(sourceOf, budget));
}

/** The residual query of a statement. Throws TYPE_ERROR where types cannot meet. */
export function writeResidual(plan: LogicalPlan, sourceOf: SourceOf, rows: RowWindow | null): WrittenQuery {
  return withinBudget(plan, sourceOf, (writer) => writer.statement(plan, rows));
}

/** A row-by-row plan (no order, no limit of its own): for one page of a read at a time. */
export function writeRowByRow(plan: LogicalPlan, sourceOf: SourceOf): WrittenQuery {
  return withinBudget(plan, sourceOf, (writer) => writer.subquery(plan));
}
