/** Rows that DuckDB computes from one page of items at a time, in the items' order. */
import type { DuckDBDataChunk } from '@duckdb/node-api';
import type { ColumnBatch } from '../dynamodb/column-batch.ts';
import { oneStep, type Sliced } from '../scheduling/sliced-work.ts';
import type { PhysicalPlan } from '../planning/physical-plan.ts';
import { duckdbType, type SqlType } from '../duckdb-sql/types/sql-type.ts';
import { writeLosses, type LossQuery } from '../duckdb-sql/losses/write-losses.ts';
import { writeRowByRow } from '../duckdb-sql/plan.ts';
import type { ScanSource, SourceOf } from '../duckdb-sql/sources.ts';
import type { LogicalPlan } from '../logical/plan.ts';
import type { WrittenQuery } from '../duckdb-sql/scope.ts';
import { createBatchAppender, type BatchAppender } from './loading/append.ts';
import { chunkRows } from './session/chunk-rows.ts';
import { jsonWriter } from './results/json-values.ts';
import { chunkPiece } from './results/text/chunk-cells.ts';
import type { FieldWriter } from './results/text/field-writer.ts';
import type { RowPiece } from './results/text/row-piece.ts';
import { orExpected, shownTypes } from './loading/expected-types.ts';
import { bytesOf, createEmpty, sourceOf } from './loading/load-read.ts';
import { createLosses } from './losses.ts';
import { UNWRITABLE_WARNING } from './results/result.ts';
import type { RunContext } from './run-context.ts';
import type { RowMaker } from './run-row-by-row.ts';
import { openSession, type Session } from './session/session.ts';
import { inferencesOf, observeAll } from './loading/infer-column-type.ts';
import { ITEM_TYPE, itemNumbers } from './loading/item-numbers.ts';
import { columnNamesOf, sourceFinder } from './loading/sources.ts';

/** The table that pages of items are put into. */
export const PAGE_TABLE = 'r0';
export const NO_ROWS = Object.freeze({ rowCount: 0, bytes: 0 });

/** The table of the current types, empty, and the query over it. */
interface Prepared {
  readonly stored: string;
  readonly query: WrittenQuery;
  readonly losses: readonly LossQuery[];
  readonly batches: BatchAppender;
}

/** What is computed of a page, and where its scan's columns are. */
function pageSource(
  { execution, bindings }: PhysicalPlan,
  types: readonly SqlType[],
  loaded: Pick<ScanSource, 'rowCount' | 'bytes'>,
): { readonly rowPlan: LogicalPlan; readonly find: SourceOf } {
  if (execution.kind === 'full') throw new Error('the plan does not run page by page');
  const own = execution.kind === 'pageByPage' ? execution.bindings : undefined;
  const source = { ...sourceOf(PAGE_TABLE, types), ...loaded };
  return { rowPlan: execution.rowPlan, find: sourceFinder({ bindings: own ?? bindings }, [source]) };
}

/** The query of what a page gives where the read's columns have these types. */
export function writePageQuery(
  plan: PhysicalPlan,
  types: readonly SqlType[],
  loaded: Pick<ScanSource, 'rowCount' | 'bytes'>,
): WrittenQuery {
  const { rowPlan, find } = pageSource(plan, types, loaded);
  return writeRowByRow(rowPlan, find);
}

/** What counts the values of a page that the statement takes for NULL. */
export function writePageLosses(plan: PhysicalPlan, types: readonly SqlType[]): Sliced<readonly LossQuery[]> {
  const { rowPlan, find } = pageSource(plan, types, NO_ROWS);
  return writeLosses(rowPlan, find);
}

async function prepare(
  plan: PhysicalPlan,
  { runSpaced }: Pick<RunContext, 'runSpaced'>,
  session: Session,
  types: readonly SqlType[],
  loaded: Pick<ScanSource, 'rowCount' | 'bytes'>,
  before: Prepared | null,
): Promise<Prepared> {
  const stored = types.map(duckdbType).join();
  const query = await runSpaced(oneStep(() => writePageQuery(plan, types, loaded)));
  const losses = await runSpaced(writePageLosses(plan, types));
  await createEmpty(session, PAGE_TABLE, types);
  const batches = before?.stored === stored ? before.batches : createBatchAppender(types);
  return { stored, query, losses, batches };
}

/** The types of what a query gives; `known` is null where there was no page at all: those that an empty result has. */
function* outputTypes(
  plan: PhysicalPlan,
  known: WrittenQuery | null,
  inferredTypes: () => readonly SqlType[],
): Sliced<readonly SqlType[]> {
  const query = known ?? writePageQuery(plan, inferredTypes(), NO_ROWS);
  const types = query.columns.map(({ type }) => type);
  yield;
  return shownTypes(types, () =>
    writePageQuery(plan, orExpected(plan, 0, inferredTypes()), NO_ROWS).columns.map(({ type }) => type),
  );
}

/** What DuckDB computes of a page. */
interface Chunks {
  readonly chunks: AsyncGenerator<DuckDBDataChunk>;
  readonly types: readonly SqlType[];
}

async function* rowsOf(
  compute: () => Promise<Chunks>,
  onUnwritable: () => void,
  onRow: (cells: readonly string[]) => void,
): AsyncGenerator<readonly string[]> {
  const { chunks, types } = await compute();
  const writers = types.map((type) => jsonWriter(type, onUnwritable));
  for await (const chunk of chunks)
    for (const cells of chunkRows(chunk, writers)) {
      onRow(cells);
      yield cells;
    }
}

async function* piecesOf(
  compute: () => Promise<Chunks>,
  width: number,
  field: FieldWriter,
  onUnwritable: () => void,
): AsyncGenerator<RowPiece> {
  const { chunks, types } = await compute();
  for await (const chunk of chunks) yield chunkPiece(chunk, types.slice(0, width), field, onUnwritable);
}

export async function pageRows(plan: PhysicalPlan, context: RunContext): Promise<RowMaker> {
  const session = await openSession(context.database, {
    signal: context.signal,
    columnNames: columnNamesOf(plan.statement.plan),
    time: plan.time,
    runSliced: context.runSliced,
    enterStatement: context.enterStatement,
  });
  const inferences = inferencesOf(plan);
  const isLeavable = plan.reads[0]?.leavable !== undefined;
  const numbered = (types: readonly SqlType[]): SqlType[] => [...types, ...(isLeavable ? [ITEM_TYPE] : [])];
  const inferredTypes = (): SqlType[] => numbered(inferences.map(({ type }) => type));
  let lastItem = 0;
  const width = plan.statement.columns.length;
  let prepared: Prepared | null = null;
  let unwritable = false;
  const lost = createLosses();
  /** What DuckDB computes of a page of items. */
  const chunksOf = async (batch: ColumnBatch): Promise<Chunks> => {
    await context.runSliced(observeAll(inferences, batch));
    const types = inferredTypes();
    prepared = await prepare(
      plan,
      context,
      session,
      types,
      { rowCount: batch.rowCount, bytes: bytesOf(batch) },
      prepared,
    );
    const { query, batches, losses } = prepared;
    const stored = isLeavable
      ? { ...batch, columns: [...batch.columns, itemNumbers(batch.rowCount)] }
      : batch;
    await session.append(PAGE_TABLE, (appender) => batches.append(appender, stored));
    await lost.count(session, losses);
    return { chunks: session.stream(query.sql), types: query.columns.map(({ type }) => type) };
  };
  const onUnwritable = (): void => void (unwritable = true);
  return {
    rows: (batch) =>
      rowsOf(
        () => chunksOf(batch),
        onUnwritable,
        (cells) => {
          if (isLeavable) lastItem = Number(cells.at(-1));
        },
      ),
    pieces: (batch, field) => piecesOf(() => chunksOf(batch), width, field, onUnwritable),
    types: () => context.runSpaced(outputTypes(plan, prepared?.query ?? null, inferredTypes)),
    lastItem: () => lastItem,
    columnStates: () => inferences.map((inference) => inference.state()),
    warnings: () => [...(unwritable ? [UNWRITABLE_WARNING] : []), ...lost.warnings()],
    close: () => session.close(),
  };
}
