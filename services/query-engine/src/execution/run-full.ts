/** Reads everything, then lets DuckDB run the residual query. */
import { SPANS } from '@penstock/common/telemetry/names.ts';
import { openSpan, type EdgeSpan } from '@penstock/common/telemetry/spans.ts';
import type { PhysicalPlan } from '../planning/physical-plan.ts';
import { typeLabel } from '../duckdb-sql/types/sql-type.ts';
import { writeLosses } from '../duckdb-sql/losses/write-losses.ts';
import { writeResidual } from '../duckdb-sql/plan.ts';
import type { ScanSource } from '../duckdb-sql/sources.ts';
import type { WrittenQuery } from '../duckdb-sql/scope.ts';
import type { SqlType } from '../duckdb-sql/types/sql-type.ts';
import type { Sliced } from '../scheduling/sliced-work.ts';
import { chunkRows } from './session/chunk-rows.ts';
import { expectedSources, shownTypes } from './loading/expected-types.ts';
import { jsonWriter } from './results/json-values.ts';
import { loadAll } from './loading/load-all.ts';
import { createLosses } from './losses.ts';
import { addRows, createPage } from './results/page.ts';
import { parquetType } from './results/parquet/column-type.ts';
import { copyToParquet, groupRowsFor } from './results/parquet/copy-to-parquet.ts';
import { createParquetFile } from './results/parquet/parquet-file.ts';
import { UNWRITABLE_WARNING, type ResultPart } from './results/result.ts';
import { rowJoiner, uniqueNames } from './results/row-format.ts';
import { chunkPiece } from './results/text/chunk-cells.ts';
import { createTextWriter, type TextFormat } from './results/text/text-writer.ts';
import type { RunContext } from './run-context.ts';
import { openSession, type Session } from './session/session.ts';
import { shownNames, tellsColumns } from './run-whole.ts';
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

/** What is computed of a statement, once all is loaded. */
interface Computing extends Written {
  readonly loaded: readonly (ScanSource | undefined)[];
  readonly plan: PhysicalPlan;
  readonly context: RunContext;
  readonly session: Session;
  /** What was said of values that count as NULL. */
  readonly lost: readonly string[];
}

const namesOf = ({ statement }: PhysicalPlan): readonly string[] => statement.columns.map(({ name }) => name);

const headerOver = (
  columns: readonly string[],
  shown: readonly SqlType[],
): Extract<ResultPart, { kind: 'header' }> => ({
  kind: 'header',
  columns,
  columnTypes: shown.slice(0, columns.length).map(typeLabel),
});

async function* pageRows({ plan, context, session, residual, lost }: Computing): AsyncGenerator<ResultPart> {
  let unwritable = false;
  const writers = residual.columns.map(({ type }) => jsonWriter(type, () => (unwritable = true)));
  const join = rowJoiner(context.rowFormat, namesOf(plan));
  const page = createPage(plan.page, context.responseBytesMax);
  for await (const chunk of session.stream(residual.sql)) {
    const added = await context.runSliced(addRows(page, chunkRows(chunk, writers), join));
    for (const batch of added.batches) yield { kind: 'rows', ...batch };
    if (added.isOver) break;
  }
  const last = page.take(true);
  if (last !== null) yield { kind: 'rows', ...last };
  const warnings = [...(unwritable ? [UNWRITABLE_WARNING] : []), ...lost];
  yield { kind: 'end', rowCount: page.rowCount, resumeIdx: page.resumeIdx(), warnings };
}

/** The residual query has the statement's own limits, and no page's. */
const ALL_ROWS = Object.freeze({ offset: 0, count: Infinity });

async function* wholeText(
  { plan, context, session, residual, shown, lost }: Computing,
  format: TextFormat,
): AsyncGenerator<ResultPart> {
  let unwritable = false;
  const names = shownNames(plan, context);
  const { runSliced, hidesOthers = false } = context;
  const types = residual.columns.map(({ type }) => type);
  const writer = createTextWriter(format, context.rowFormat, names, ALL_ROWS, runSliced, hidesOthers);
  const tell = tellsColumns(headerOver(names, shown), () => writer.late);
  for await (const chunk of session.stream(residual.sql)) {
    const piece = chunkPiece(chunk, types, writer.field, () => (unwritable = true));
    for await (const full of writer.add(piece)) yield* tell(full);
  }
  yield* tell(writer.rest());
  const warnings = [...(unwritable ? [UNWRITABLE_WARNING] : []), ...lost];
  yield { kind: 'end', rowCount: writer.rowCount, resumeIdx: null, warnings };
}

/** What the rows of all reads together have, on average; bytes. */
const rowBytesOf = (loaded: Computing['loaded']): number =>
  loaded.reduce((sum, source) => sum + (source?.bytes ?? 0) / Math.max(source?.rowCount ?? 1, 1), 0);

/** DuckDB writes the file; it goes out when it is whole, since what is sorted or grouped has no first row before. */
async function* wholeParquet(computing: Computing): AsyncGenerator<ResultPart> {
  const { plan, context, session, residual, shown, loaded, lost } = computing;
  const file = createParquetFile(uniqueNames(namesOf(plan)));
  const columns = residual.columns.map(({ type }, i) => ({
    type,
    wanted: parquetType(shown[i] ?? type, false),
  }));
  const groupRows = groupRowsFor(rowBytesOf(loaded));
  const copy = await copyToParquet(session, context, {
    query: residual.sql,
    columns,
    names: namesOf(plan),
    groupRows,
  });
  try {
    for await (const batch of file.add(copy.path)) yield { kind: 'rows', ...batch };
  } finally {
    await copy.remove();
  }
  yield { kind: 'rows', ...file.end() };
  yield { kind: 'end', rowCount: file.rowCount, resumeIdx: null, warnings: lost };
}

function rowsOf(computing: Computing): AsyncGenerator<ResultPart> {
  const { format } = computing.context;
  switch (format) {
    case 'json':
      return pageRows(computing);
    case 'ndjson':
    case 'csv':
      return wholeText(computing, format);
    case 'parquet':
      return wholeParquet(computing);
  }
}

/** Before the rows: while they come, nothing else can be asked. */
async function lossesOf(
  plan: PhysicalPlan,
  loaded: Computing['loaded'],
  session: Session,
  { runSpaced }: RunContext,
): Promise<readonly string[]> {
  const losses = createLosses();
  const queries = await runSpaced(writeLosses(plan.statement.plan, sourceFinder(plan, loaded)));
  await losses.count(session, queries);
  return losses.warnings();
}

export async function* runFull(plan: PhysicalPlan, context: RunContext): AsyncGenerator<ResultPart> {
  const { statement } = plan;
  const session = await openSession(context.database, {
    signal: context.signal,
    columnNames: columnNamesOf(statement.plan),
    time: plan.time,
    runSliced: context.runSliced,
    enterStatement: context.enterStatement,
  });
  let computing: EdgeSpan | null = null;
  try {
    const loaded = await loadAll(plan, session, context);
    const { residual, shown } = await context.runSpaced(writeOver(plan, loaded));
    yield headerOver(shownNames(plan, context), shown);
    computing = openSpan(SPANS.compute, {});
    const lost = await lossesOf(plan, loaded, session, context);
    yield* rowsOf({ plan, context, session, residual, shown, loaded, lost });
  } catch (error) {
    computing?.failed(error);
    throw error;
  } finally {
    computing?.end();
    session.close();
  }
}
