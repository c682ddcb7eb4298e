/** Reads everything, then lets DuckDB run the residual query. */
import { SPANS } from '@penstock/common/telemetry/names.ts';
import { openSpan, type EdgeSpan } from '@penstock/common/telemetry/spans.ts';
import type { PhysicalPlan } from '../planning/physical-plan.ts';
import { typeLabel } from '../duckdb-sql/types/sql-type.ts';
import { writeResidual } from '../duckdb-sql/plan.ts';
import type { ScanSource } from '../duckdb-sql/sources.ts';
import type { WrittenQuery } from '../duckdb-sql/scope.ts';
import type { SqlType } from '../duckdb-sql/types/sql-type.ts';
import type { Sliced } from '../scheduling/sliced-work.ts';
import { chunkRows } from './session/chunk-rows.ts';
import { expectedSources, shownTypes } from './loading/expected-types.ts';
import { jsonWriter } from './results/json-values.ts';
import { loadAll } from './loading/load-all.ts';
import { addRows, createPage, headBatch } from './results/page.ts';
import { UNWRITABLE_WARNING, type ResultPart } from './results/result.ts';
import { rowWriter } from './results/row-format.ts';
import type { RunContext } from './run-context.ts';
import { openSession } from './session/session.ts';
import { columnNamesOf, sourceFinder } from './loading/sources.ts';

interface Written {
  readonly residual: WrittenQuery;
  /** The types to show. */
  readonly shown: readonly SqlType[];
}

/** The residual query over what was loaded. */
function* writeOver(plan: PhysicalPlan, loaded: readonly (ScanSource | undefined)[]): Sliced<Written> {
  const { statement, execution } = plan;
  const write = (sources: readonly (ScanSource | undefined)[]): WrittenQuery =>
    writeResidual(statement.plan, sourceFinder(plan, sources), execution.rows);
  const typesOf = ({ columns }: WrittenQuery): readonly SqlType[] => columns.map(({ type }) => type);
  const residual = write(loaded);
  yield;
  const shown = shownTypes(typesOf(residual), () => typesOf(write(expectedSources(plan, loaded))));
  return { residual, shown };
}

export async function* runFull(plan: PhysicalPlan, context: RunContext): AsyncGenerator<ResultPart> {
  const { statement, page: asked } = plan;
  const session = await openSession(context.database, {
    signal: context.signal,
    columnNames: columnNamesOf(statement.plan),
    runSliced: context.runSliced,
    enterStatement: context.enterStatement,
  });
  let computing: EdgeSpan | null = null;
  try {
    const loaded = await loadAll(plan, session, context);
    const { residual, shown } = await context.runSpaced(writeOver(plan, loaded));
    const names = statement.columns.map(({ name }) => name);
    yield { kind: 'header', columns: names, columnTypes: shown.map(typeLabel) };
    computing = openSpan(SPANS.compute, {});
    let unwritable = false;
    const writers = residual.columns.map(({ type }) => jsonWriter(type, () => (unwritable = true)));
    const writer = rowWriter(context.format, context.rowFormat, names);
    const isPage = context.format === 'json';
    const page = createPage(asked, isPage ? context.responseBytesMax : Infinity, writer.between);
    const head = headBatch(writer);
    if (head !== null) yield { kind: 'rows', ...head };
    for await (const chunk of session.stream(residual.sql)) {
      const added = await context.runSliced(addRows(page, chunkRows(chunk, writers), writer.row));
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
