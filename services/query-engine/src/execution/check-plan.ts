/**
 * Plan mode's check: the residual query over empty tables, so that type errors are found without reading an item.
 * Types are the catalog's, as far as the sample saw them; of what it did not see nothing is wrong.
 */
import type { PhysicalPlan } from '../planning/physical-plan.ts';
import { writeResidual } from '../duckdb-sql/plan.ts';
import { expectedType } from './loading/expected-types.ts';
import { createEmpty } from './loading/load-read.ts';
import type { RunContext } from './run-context.ts';
import { oneStep } from '../scheduling/sliced-work.ts';
import { openSession } from './session/session.ts';
import { columnNamesOf, sourceFinder } from './loading/sources.ts';

/** Throws TYPE_ERROR where the statement's types cannot meet. DuckDB computes constants here, so it waits its turn. */
export async function checkPlan(
  plan: PhysicalPlan,
  context: Pick<RunContext, 'database' | 'signal' | 'runSpaced' | 'enterStatement'>,
): Promise<{ readonly tookMs: number }> {
  const { database, signal, enterStatement } = context;
  const started = performance.now();
  const columnNames = columnNamesOf(plan.statement.plan);
  const session = await openSession(database, { signal, columnNames, time: plan.time, enterStatement });
  try {
    const sources = [];
    for (const [i, read] of plan.reads.entries()) {
      const types = read.columns.map((column) => expectedType(read.table, column));
      sources.push({ ...(await createEmpty(session, `r${i}`, types)), rowCount: 0, bytes: 0 });
    }
    const find = sourceFinder(plan, sources);
    const { sql } = await context.runSpaced(oneStep(() => writeResidual(plan.statement.plan, find, null)));
    await session.prepare(sql);
  } finally {
    session.close();
  }
  return { tookMs: performance.now() - started };
}
