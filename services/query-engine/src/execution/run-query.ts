/** Runs a physical plan. */
import type { PhysicalPlan } from '../planning/physical-plan.ts';
import { lookupRows } from './lookup-rows.ts';
import { pageRows } from './page-rows.ts';
import type { ResultPart } from './results/result.ts';
import type { RunContext } from './run-context.ts';
import { runFull } from './run-full.ts';
import { runParquet } from './run-parquet.ts';
import { runRowByRow } from './run-row-by-row.ts';
import { runWhole } from './run-whole.ts';

/**
 * Yields a header, batches of rows and an end. Throws a PenstockError: whatever the reads throw, the signal's reason
 * once it is given, TYPE_ERROR, EXECUTION_ERROR or RESOURCE_EXHAUSTED. Leaving the loop early stops reads and DuckDB.
 */
export async function* runQuery(plan: PhysicalPlan, context: RunContext): AsyncGenerator<ResultPart> {
  const { format } = context;
  const { kind } = plan.execution;
  if (kind === 'full') {
    yield* runFull(plan, context);
    return;
  }
  if (format === 'parquet') {
    yield* runParquet(plan, context);
    return;
  }
  const maker = kind === 'lookup' ? lookupRows(plan) : await pageRows(plan, context);
  yield* format === 'json' ? runRowByRow(plan, context, maker) : runWhole(plan, context, format, maker);
}
