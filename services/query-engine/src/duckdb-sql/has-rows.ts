/** Whether a plan has any rows. */
import type { LogicalPlan } from '../logical/plan.ts';
import { writeRowByRow } from './plan.ts';
import type { SourceOf } from './sources.ts';

/** One row where the plan has some, else none. */
export function writeHasRows(query: LogicalPlan, sourceOf: SourceOf): string {
  return `SELECT 1 FROM (${writeRowByRow(query, sourceOf).sql}) v LIMIT 1`;
}
