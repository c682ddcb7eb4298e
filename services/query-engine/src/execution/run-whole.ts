/** Whole results of plans whose rows come straight from one read: what a page of items gives goes out before the next is read. */
import type { ColumnBatch } from '../dynamodb/column-batch.ts';
import type { PhysicalPlan } from '../planning/physical-plan.ts';
import { typeLabel, type SqlType } from '../duckdb-sql/types/sql-type.ts';
import { watched } from './loading/watch.ts';
import type { RowBatch } from './results/page.ts';
import type { ResultPart } from './results/result.ts';
import type { FieldWriter } from './results/text/field-writer.ts';
import type { RowPiece } from './results/text/row-piece.ts';
import type { LateColumn } from './results/text/late-columns.ts';
import { createTextWriter, type TextFormat } from './results/text/text-writer.ts';
import type { RunContext } from './run-context.ts';

/** Turns the items of a page into rows that can be written as text. */
export interface PieceMaker {
  /** Each is written before the next is asked for. */
  pieces(batch: ColumnBatch, field: FieldWriter): AsyncIterable<RowPiece> | Iterable<RowPiece>;
  /** Types of the rows' cells, by all batches so far. */
  types(): Promise<readonly SqlType[]>;
  /** What is to be said of the values so far. */
  warnings(): readonly string[];
  close(): void;
}

type Header = Extract<ResultPart, { kind: 'header' }>;

/** The header has the types of what is read first. */
export async function headerOf(
  { statement }: PhysicalPlan,
  maker: Pick<PieceMaker, 'types'>,
  names: readonly string[] = statement.columns.map(({ name }) => name),
): Promise<Header> {
  const types = await maker.types();
  return { kind: 'header', columns: names, columnTypes: types.slice(0, names.length).map(typeLabel) };
}

/** Names of the columns, but of those that are to be hidden. */
export function shownNames(
  { statement }: PhysicalPlan,
  { hidesOthers = false }: Pick<RunContext, 'hidesOthers'>,
): readonly string[] {
  const { columns, others } = statement;
  return columns.slice(0, columns.length - (hidesOthers ? others : 0)).map(({ name }) => name);
}

type TellsColumns = (batch: RowBatch | null) => Generator<ResultPart>;

/** Hands batches on; behind the header, which is told again before rows that have more columns. */
export function tellsColumns(
  { columns, columnTypes }: Header,
  late: () => readonly LateColumn[],
): TellsColumns {
  let told = 0;
  return function* (batch) {
    if (batch === null) return;
    const more = late();
    if (more.length > told) {
      yield {
        kind: 'header',
        columns: [...columns, ...more.map(({ name }) => name)],
        columnTypes: [...columnTypes, ...more.map(({ type }) => type)],
      };
    }
    told = more.length;
    yield { kind: 'rows', ...batch };
  };
}

/** Closes the maker at its end. */
export async function* runWhole(
  plan: PhysicalPlan,
  context: RunContext,
  format: TextFormat,
  maker: PieceMaker,
): AsyncGenerator<ResultPart> {
  try {
    yield* textOf(plan, context, format, maker);
  } finally {
    maker.close();
  }
}

async function* textOf(
  plan: PhysicalPlan,
  context: RunContext,
  format: TextFormat,
  maker: PieceMaker,
): AsyncGenerator<ResultPart> {
  const [read] = plan.reads;
  const names = shownNames(plan, context);
  const { rows } = plan.execution;
  const { runSliced, hidesOthers = false } = context;
  const writer = createTextWriter(format, context.rowFormat, names, rows, runSliced, hidesOthers);
  let tell: TellsColumns | null = null;
  if (read !== undefined && rows.count > 0) {
    // Leaving the loop ends what the read has under way.
    for await (const { batch } of watched(read, context, context.signal)) {
      for await (const piece of maker.pieces(batch, writer.field)) {
        if (tell === null) {
          const header = await headerOf(plan, maker, names);
          tell = tellsColumns(header, () => writer.late);
          yield header;
        }
        for await (const full of writer.add(piece)) yield* tell(full);
      }
      if (tell !== null) yield* tell(writer.rest());
      if (writer.isOver) break;
    }
  }
  if (context.signal.aborted) throw context.signal.reason;
  if (tell === null) {
    const header = await headerOf(plan, maker, names);
    tell = tellsColumns(header, () => writer.late);
    yield header;
  }
  yield* tell(writer.rest());
  yield { kind: 'end', rowCount: writer.rowCount, resumeIdx: null, warnings: maker.warnings() };
}
