/**
 * Plans whose rows come straight from one read, page by page: reading stops as soon as the wanted rows are there.
 *
 * The header of a page is made last, since a column's type is inferred from all the rows of the page; so these rows are kept
 * until then, which the response's size bounds. Whole results, which are not kept, are made in `run-whole.ts`.
 */
import type { ColumnBatch } from '../dynamodb/column-batch.ts';
import type { ColumnState } from '../planning/page-position.ts';
import type { PhysicalPlan } from '../planning/physical-plan.ts';
import { giveWay } from '../scheduling/time-slices.ts';
import { SLICE_ROWS } from './limits.ts';
import { leavingOf, type PageLeaving } from './page-leaving.ts';
import { createPage, type RowBatch } from './results/page.ts';
import { sortedRows, type OrderedRow } from './results/page-order.ts';
import type { ResultPart } from './results/result.ts';
import { rowJoiner } from './results/row-format.ts';
import type { RunContext } from './run-context.ts';
import { headerOf, type PieceMaker } from './run-whole.ts';
import { watched } from './loading/watch.ts';

/** Turns the items of a page into rows of the result. */
export interface RowMaker extends PieceMaker {
  /**
   * JSON cells of each row that the batch yields, those of the output and of the page's order, in order; null now and then
   * where none comes for long.
   */
  rows(batch: ColumnBatch): AsyncIterable<readonly string[]> | Iterable<readonly string[] | null>;
  /** Of the last row that was yielded, the item's number in its batch; only where the read is `leavable`. */
  lastItem(): number;
  /** What is known of the read's columns, by all batches so far. */
  columnStates(): readonly ColumnState[];
}

/** Takes the rows of one page of items after another, until `take` says that there is no room for one. */
async function takeRows(
  plan: PhysicalPlan,
  context: RunContext,
  maker: RowMaker,
  join: (cells: readonly string[]) => string,
  take: (row: OrderedRow) => boolean,
  leaving: PageLeaving | null,
): Promise<void> {
  const [read] = plan.reads;
  const { offset, count } = plan.execution.rows;
  if (read === undefined || count === 0) return;
  const width = plan.statement.columns.length;
  let skip = offset;
  let made = 0;
  let rowCount = 0;
  // Leaving the loop ends what the read has under way.
  for await (const { batch, after } of watched(read, context, context.signal, null, leaving?.steering)) {
    for await (const cells of maker.rows(batch)) {
      if (cells === null || ++made % SLICE_ROWS === 0) await giveWay(context.runSliced);
      if (cells === null) continue;
      if (skip > 0) {
        skip--;
        leaving?.passed(maker.lastItem(), batch.rowCount);
        continue;
      }
      const shown = cells.length > width ? cells.slice(0, width) : cells;
      if (!take({ text: join(shown), keys: cells.slice(width) })) return;
      if (leaving !== null) {
        const item = maker.lastItem();
        leaving.took(item, batch.rowCount, after?.(item) ?? null);
      }
      if (++rowCount === count) return;
    }
  }
}

/** Rows that are known to fit a page. */
function batchesOf(rows: readonly OrderedRow[], bounds: PhysicalPlan['page']): readonly (RowBatch | null)[] {
  const page = createPage(bounds);
  const full = rows.map(({ text }) => (page.add(text) ? page.take(false) : null));
  return [...full, page.take(true)];
}

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
  const take = (row: OrderedRow): boolean => {
    if (!page.add(row.text)) return false;
    // Which rows are the page's is a matter of the order in which they came: so pages go on where the one before ended.
    if (order.length > 0) unsorted.push(row);
    const full = page.take(false);
    if (full !== null && order.length === 0) batches.push(full);
    return true;
  };
  const names = plan.statement.columns.map(({ name }) => name);
  const leaving = leavingOf(plan);
  await takeRows(plan, context, maker, rowJoiner(context.rowFormat, names), take, leaving);
  if (context.signal.aborted) throw context.signal.reason;
  const rest = order.length > 0 ? batchesOf(sortedRows(unsorted, order), plan.page) : [page.take(true)];
  batches.push(...rest.filter((batch) => batch !== null));
  yield await headerOf(plan, maker);
  for (const batch of batches) yield { kind: 'rows', ...batch };
  const warnings = maker.warnings();
  const resumeIdx = page.resumeIdx();
  const position = resumeIdx === null ? null : (leaving?.position(maker.columnStates()) ?? null);
  yield { kind: 'end', rowCount: page.rowCount, resumeIdx, warnings, position };
}

/** Closes the maker at its end. */
export async function* runRowByRow(
  plan: PhysicalPlan,
  context: RunContext,
  maker: RowMaker,
): AsyncGenerator<ResultPart> {
  try {
    yield* runPage(plan, context, maker);
  } finally {
    maker.close();
  }
}
