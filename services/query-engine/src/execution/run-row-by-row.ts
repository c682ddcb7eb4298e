/**
 * Plans whose rows come straight from one read, page by page: reading stops as soon as the wanted rows are there.
 *
 * The header of a page is made last, since a column's type is inferred from all the rows of the page; so these rows are kept
 * until then, which the response's size bounds. A whole result is not kept: its header has the types of what is read first.
 */
import type { ColumnBatch } from '../dynamodb/column-batch.ts';
import type { PhysicalPlan } from '../planning/physical-plan.ts';
import { typeLabel, type SqlType } from '../duckdb-sql/types/sql-type.ts';
import { giveWay } from '../scheduling/time-slices.ts';
import { SLICE_ROWS } from './limits.ts';
import { createPage, headBatch, type RowBatch } from './results/page.ts';
import { sortedRows, type OrderedRow } from './results/page-order.ts';
import { UNWRITABLE_WARNING, type ResultPart } from './results/result.ts';
import { rowWriter, type RowWriter } from './results/row-format.ts';
import type { RunContext } from './run-context.ts';
import { watched } from './loading/watch.ts';

/** Turns the items of a page into rows of the result. */
export interface RowMaker {
  /**
   * JSON cells of each row that the batch yields, those of the output and of the page's order, in order; null now and then
   * where none comes for long.
   */
  rows(batch: ColumnBatch): AsyncIterable<readonly string[]> | Iterable<readonly string[] | null>;
  /** Types of these cells, by all batches so far. */
  types(): Promise<readonly SqlType[]>;
  /** True once a value had no JSON form. */
  unwritable(): boolean;
  close(): void;
}

/** What comes of a row: more may follow, what has been taken should be passed on first, or there is no room for it. */
type Taken = 'more' | 'full' | 'over';

/** Takes the rows of one page of items after another; yields where what was taken may be passed on. */
async function* takeRows(
  plan: PhysicalPlan,
  context: RunContext,
  maker: RowMaker,
  writer: RowWriter,
  take: (row: OrderedRow) => Taken,
): AsyncGenerator<void> {
  const [read] = plan.reads;
  const { offset, count } = plan.execution.rows;
  if (read === undefined || count === 0) return;
  const width = plan.statement.columns.length;
  let skip = offset;
  let made = 0;
  let rowCount = 0;
  // Leaving the loop ends what the read has under way.
  for await (const { batch } of watched(read, context, context.signal)) {
    for await (const cells of maker.rows(batch)) {
      if (cells === null || ++made % SLICE_ROWS === 0) await giveWay(context.runSliced);
      if (cells === null) continue;
      if (skip > 0) {
        skip--;
        continue;
      }
      const shown = cells.length > width ? cells.slice(0, width) : cells;
      const taken = take({ text: writer.row(shown), keys: cells.slice(width) });
      if (taken === 'over' || ++rowCount === count) return;
      if (taken === 'full') yield;
    }
    yield;
  }
}

/** Rows that are known to fit a page. */
function batchesOf(rows: readonly OrderedRow[], bounds: PhysicalPlan['page']): readonly (RowBatch | null)[] {
  const page = createPage(bounds);
  const full = rows.map(({ text }) => (page.add(text) ? page.take(false) : null));
  return [...full, page.take(true)];
}

async function headerOf(
  plan: PhysicalPlan,
  maker: RowMaker,
): Promise<Extract<ResultPart, { kind: 'header' }>> {
  const names = plan.statement.columns.map(({ name }) => name);
  const types = await maker.types();
  return { kind: 'header', columns: names, columnTypes: types.slice(0, names.length).map(typeLabel) };
}

const writerOf = (plan: PhysicalPlan, { format, rowFormat }: RunContext): RowWriter =>
  rowWriter(
    format,
    rowFormat,
    plan.statement.columns.map(({ name }) => name),
  );

/** One page of the result, complete before any of it is handed on. */
async function* runPage(
  plan: PhysicalPlan,
  context: RunContext,
  maker: RowMaker,
): AsyncGenerator<ResultPart> {
  const page = createPage(plan.page, context.responseBytesMax);
  const order = plan.execution.kind === 'full' ? [] : plan.execution.order;
  const batches: RowBatch[] = [];
  const unsorted: OrderedRow[] = [];
  const take = (row: OrderedRow): Taken => {
    if (!page.add(row.text)) return 'over';
    // Which rows are the page's is a matter of the order in which they came: so pages go on where the one before ended.
    if (order.length > 0) unsorted.push(row);
    const full = page.take(false);
    if (full !== null && order.length === 0) batches.push(full);
    return 'more';
  };
  for await (const _ of takeRows(plan, context, maker, writerOf(plan, context), take));
  if (context.signal.aborted) throw context.signal.reason;
  const rest = order.length > 0 ? batchesOf(sortedRows(unsorted, order), plan.page) : [page.take(true)];
  batches.push(...rest.filter((batch) => batch !== null));
  yield await headerOf(plan, maker);
  for (const batch of batches) yield { kind: 'rows', ...batch };
  const warnings = maker.unwritable() ? [UNWRITABLE_WARNING] : [];
  yield { kind: 'end', rowCount: page.rowCount, resumeIdx: page.resumeIdx(), warnings };
}

/** The whole result: what one page of items gives goes out before the next is asked for. */
async function* runWhole(
  plan: PhysicalPlan,
  context: RunContext,
  maker: RowMaker,
): AsyncGenerator<ResultPart> {
  const writer = writerOf(plan, context);
  const batch = createPage(plan.page, Infinity, writer.between);
  let hasHeader = false;
  const begin = async function* (): AsyncGenerator<ResultPart> {
    if (hasHeader) return;
    hasHeader = true;
    yield await headerOf(plan, maker);
    const head = headBatch(writer);
    if (head !== null) yield { kind: 'rows', ...head };
  };
  const take = ({ text }: OrderedRow): Taken => {
    batch.add(text);
    return batch.hasBatch ? 'full' : 'more';
  };
  for await (const _ of takeRows(plan, context, maker, writer, take)) {
    const rows = batch.take(true);
    if (rows === null) continue;
    yield* begin();
    yield { kind: 'rows', ...rows };
  }
  if (context.signal.aborted) throw context.signal.reason;
  yield* begin();
  const rest = batch.take(true);
  if (rest !== null) yield { kind: 'rows', ...rest };
  const warnings = maker.unwritable() ? [UNWRITABLE_WARNING] : [];
  yield { kind: 'end', rowCount: batch.rowCount, resumeIdx: null, warnings };
}

export async function* runRowByRow(
  plan: PhysicalPlan,
  context: RunContext,
  maker: RowMaker,
): AsyncGenerator<ResultPart> {
  try {
    yield* context.format === 'json' ? runPage(plan, context, maker) : runWhole(plan, context, maker);
  } finally {
    maker.close();
  }
}
