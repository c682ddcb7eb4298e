/** What can give a dynamically filtered scan its values. */
import type { Expression } from '../../logical/expression.ts';
import type { LogicalPlan } from '../../logical/plan.ts';
import { containsSubquery, usedColumns } from '../../optimizer/column-use.ts';
import { producesAll } from './build-side.ts';

/** An expression that a build side's row gives a value to. */
export function isSource(expression: Expression, buildSide: LogicalPlan): boolean {
  if (usedColumns(expression).size === 0 || !producesAll(buildSide, [expression])) return false;
  return !containsSubquery(expression);
}
