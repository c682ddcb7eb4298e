/** Whole results of plans whose rows come straight from one read: what a page of items gives goes out before the next is read. */
import type { ColumnBatch } from '../dynamodb/column-batch.ts';
import type { PhysicalPlan } from '../planning/physical-plan.ts';
import { typeLabel, type SqlType } from '../duckdb-sql/types/sql-type.ts';
import { watched } from './loading/watch.ts';
import type { ResultPart } from './results/result.ts';
import type { FieldWriter } from './results/text/field-writer.ts';
import type { RowPiece } from './results/text/row-piece.ts';
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

/** The header has the types of what is read first. */
export async function headerOf(
  plan: PhysicalPlan,
  maker: Pick<PieceMaker, 'types'>,
): Promise<Extract<ResultPart, { kind: 'header' }>> {
  const names = plan.statement.columns.map(({ name }) => name);
  const types = await maker.types();
  return { kind: 'header', columns: names, columnTypes: types.slice(0, names.length).map(typeLabel) };
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
  const names = plan.statement.columns.map(({ name }) => name);
  const { rows } = plan.execution;
  const writer = createTextWriter(format, context.rowFormat, names, rows, context.runSliced);
  let hasHeader = false;
  if (read !== undefined && rows.count > 0) {
    // Leaving the loop ends what the read has under way.
    for await (const { batch } of watched(read, context, context.signal)) {
      for await (const piece of maker.pieces(batch, writer.field)) {
        if (!hasHeader) yield await headerOf(plan, maker);
        hasHeader = true;
        for await (const full of writer.add(piece)) yield { kind: 'rows', ...full };
      }
      const rest = hasHeader ? writer.rest() : null;
      if (rest !== null) yield { kind: 'rows', ...rest };
      if (writer.isOver) break;
    }
  }
  if (context.signal.aborted) throw context.signal.reason;
  if (!hasHeader) yield await headerOf(plan, maker);
  const rest = writer.rest();
  if (rest !== null) yield { kind: 'rows', ...rest };
  yield { kind: 'end', rowCount: writer.rowCount, resumeIdx: null, warnings: maker.warnings() };
}
