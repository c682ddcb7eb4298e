/**
 * Plans whose rows come straight from one read, page by page: reading stops as soon as the wanted rows are there.
 *
 * The header is made last, since a column's type is inferred from all the rows of the page; so these rows are kept until
 * then, which the response's size bounds.
 */
import type { ColumnBatch } from '../dynamodb/column-batch.ts';
import type { PhysicalPlan } from '../planning/physical-plan.ts';
import { typeLabel, type SqlType } from '../duckdb-sql/types/sql-type.ts';
import { giveWay } from '../scheduling/time-slices.ts';
import { SLICE_ROWS } from './limits.ts';
import { createPage, type Page, type RowBatch } from './results/page.ts';
import { sortedRows, type OrderedRow } from './results/page-order.ts';
import { UNWRITABLE_WARNING, type ResultPart } from './results/result.ts';
import { rowJoiner } from './results/row-format.ts';
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

async function fill(
  plan: PhysicalPlan,
  context: RunContext,
  maker: RowMaker,
  page: Page,
  take: (row: OrderedRow) => boolean,
): Promise<void> {
  const [read] = plan.reads;
  if (read === undefined) return;
  const { offset, count } = plan.execution.rows;
  const width = plan.statement.columns.length;
  const join = rowJoiner(
    context.rowFormat,
    plan.statement.columns.map(({ name }) => name),
  );
  let skip = offset;
  let made = 0;
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
      if (!take({ json: join(shown), keys: cells.slice(width) })) return;
      if (page.rowCount === count) return;
    }
  }
}

/** Rows that are known to fit a page. */
function batchesOf(rows: readonly OrderedRow[], bounds: PhysicalPlan['page']): readonly (RowBatch | null)[] {
  const page = createPage(bounds);
  const full = rows.map(({ json }) => (page.add(json) ? page.take(false) : null));
  return [...full, page.take(true)];
}

export async function* runRowByRow(
  plan: PhysicalPlan,
  context: RunContext,
  maker: RowMaker,
): AsyncGenerator<ResultPart> {
  const page = createPage(plan.page, context.responseBytesMax);
  const order = plan.execution.kind === 'full' ? [] : plan.execution.order;
  const batches: RowBatch[] = [];
  const unsorted: OrderedRow[] = [];
  const take = (row: OrderedRow): boolean => {
    if (!page.add(row.json)) return false;
    // Which rows are the page's is a matter of the order in which they came: so pages go on where the one before ended.
    if (order.length > 0) unsorted.push(row);
    const full = page.take(false);
    if (full !== null && order.length === 0) batches.push(full);
    return true;
  };
  try {
    if (plan.execution.rows.count > 0) await fill(plan, context, maker, page, take);
    if (context.signal.aborted) throw context.signal.reason;
    const rest = order.length > 0 ? batchesOf(sortedRows(unsorted, order), plan.page) : [page.take(true)];
    batches.push(...rest.filter((batch) => batch !== null));
    const types = await maker.types();
    yield {
      kind: 'header',
      columns: plan.statement.columns.map(({ name }) => name),
      columnTypes: types.slice(0, plan.statement.columns.length).map(typeLabel),
    };
    for (const batch of batches) yield { kind: 'rows', ...batch };
    const warnings = maker.unwritable() ? [UNWRITABLE_WARNING] : [];
    yield { kind: 'end', rowCount: page.rowCount, resumeIdx: page.resumeIdx(), warnings };
  } finally {
    maker.close();
  }
}
