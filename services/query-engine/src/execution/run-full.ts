/** Reads everything, then lets DuckDB run the residual query. */
import { SPANS } from '@penstock/common/telemetry/names.ts';
import { openSpan, type EdgeSpan } from '@penstock/common/telemetry/spans.ts';
import type { PhysicalPlan } from '../planning/physical-plan.ts';
import { typeLabel } from '../duckdb-sql/types/sql-type.ts';
import { writeResidual } from '../duckdb-sql/plan.ts';
import { chunkRows } from './session/chunk-rows.ts';
import { expectedSources, shownTypes } from './loading/expected-types.ts';
import { jsonWriter } from './results/json-values.ts';
import { loadAll } from './loading/load-all.ts';
import { addRows, createPage } from './results/page.ts';
import { UNWRITABLE_WARNING, type ResultPart } from './results/result.ts';
import { rowJoiner } from './results/row-format.ts';
import type { RunContext } from './run-context.ts';
import { openSession } from './session/session.ts';
import { columnNamesOf, sourceFinder } from './loading/sources.ts';

export async function* runFull(plan: PhysicalPlan, context: RunContext): AsyncGenerator<ResultPart> {
  const { statement, page: asked, execution } = plan;
  const session = await openSession(context.database, {
    signal: context.signal,
    columnNames: columnNamesOf(statement.plan),
    runSliced: context.runSliced,
    enterStatement: context.enterStatement,
  });
  let computing: EdgeSpan | null = null;
  try {
    const loaded = await loadAll(plan, session, context);
    const residual = writeResidual(statement.plan, sourceFinder(plan, loaded), execution.rows);
    const names = statement.columns.map(({ name }) => name);
    const types = residual.columns.map(({ type }) => type);
    const shown = shownTypes(types, () => {
      const sources = sourceFinder(plan, expectedSources(plan, loaded));
      return writeResidual(statement.plan, sources, execution.rows).columns.map(({ type }) => type);
    });
    yield { kind: 'header', columns: names, columnTypes: shown.map(typeLabel) };
    computing = openSpan(SPANS.compute, {});
    let unwritable = false;
    const writers = types.map((type) => jsonWriter(type, () => (unwritable = true)));
    const page = createPage(asked, context.responseBytesMax);
    const join = rowJoiner(context.rowFormat, names);
    for await (const chunk of session.stream(residual.sql)) {
      const added = await context.runSliced(addRows(page, chunkRows(chunk, writers), join));
      for (const batch of added.batches) yield { kind: 'rows', ...batch };
      if (added.isOver) break;
    }
    const last = page.take(true);
    if (last !== null) yield { kind: 'rows', ...last };
    const warnings = unwritable ? [UNWRITABLE_WARNING] : [];
    yield { kind: 'end', rowCount: page.rowCount, resumeIdx: page.resumeIdx(), warnings };
  } catch (error) {
    computing?.failed(error);
    throw error;
  } finally {
    computing?.end();
    session.close();
  }
}
