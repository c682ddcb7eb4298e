/**
 * What a page is read by that begins where the one before it ended, and where it is left itself: no more items are read than
 * are likely to fill it, so that hardly any is read by two pages.
 */
import { growingPagesUnitsMin } from '../dynamodb/access-path/limits.ts';
import type { ReadSteering } from '../dynamodb/read-context.ts';
import type { ReadPosition } from '../dynamodb/table-read.ts';
import type { ColumnState, PageCost, PagePosition } from '../planning/page-position.ts';
import type { PhysicalPlan } from '../planning/physical-plan.ts';
import { FIRST_ITEMS_PER_ROW, GUIDED_GROWTH_MAX, GUIDED_ROWS_MARGIN } from './limits.ts';

export interface PageLeaving {
  readonly steering: ReadSteering;
  /** A row of item `item` of a batch of so many was passed over, since it is of a page before. */
  passed(item: number, batchRows: number): void;
  /** A row was taken; `after`: where the read goes on behind its item, null where it cannot. */
  took(item: number, batchRows: number, after: ReadPosition | null): void;
  /** Behind the last row that was taken; null where the next page cannot begin there. */
  position(columns: readonly ColumnState[]): PagePosition | null;
}

const NOTHING_READ: PageCost = Object.freeze({ rows: 0, items: 0, halfUnits: 0 });

/** Null where nobody asks. */
export function leavingOf({ reads, execution, startsBehind }: PhysicalPlan): PageLeaving | null {
  const [read] = reads;
  if (read?.leavable === undefined) return null;
  const before = startsBehind?.cost ?? NOTHING_READ;
  const { offset, count } = execution.rows;
  let last: ReadPosition | null = null;
  let made = 0;
  /** Rows so far, and what was read for them: of the last page of items, the part up to the last row. */
  let cost = NOTHING_READ;
  let [items, halfUnits, pageItems, pageHalfUnits] = [0, 0, 0, 0];
  const countRow = (item: number, batchRows: number): void => {
    made++;
    const left = 1 - (item + 1) / Math.max(1, batchRows);
    cost = {
      rows: cost.rows + 1,
      items: Math.round(items - pageItems * left),
      halfUnits: Math.round(halfUnits - pageHalfUnits * left),
    };
  };
  const wanted = offset + count;
  /**
   * Where every item is a row, `stopAfter` says how many are wanted. Of a first page, only where it is likely to be filled,
   * and small pages are worth it.
   */
  const isGuided =
    read.stopAfter === null &&
    (startsBehind !== undefined ||
      (read.estimate.high >= growingPagesUnitsMin && read.estimate.rows * GUIDED_ROWS_MARGIN >= wanted));
  return {
    steering: {
      nextItems() {
        if (!isGuided) return Infinity;
        const [seenRows, seenItems] = [before.rows + cost.rows, before.items + items];
        if (seenItems === 0) return wanted * FIRST_ITEMS_PER_ROW;
        if (seenRows === 0) return Infinity;
        const likely = Math.ceil(((wanted - made) * seenItems) / seenRows);
        // Fewer would cost as much.
        const least = Math.floor(seenItems / Math.max(1, before.halfUnits + halfUnits));
        return Math.max(1, Math.min(likely, seenItems * GUIDED_GROWTH_MAX), least);
      },
      spent: () => undefined,
      scanned(more, consumed) {
        items += more;
        halfUnits += consumed;
        [pageItems, pageHalfUnits] = [more, consumed];
      },
    },
    passed: countRow,
    took(item, batchRows, after) {
      countRow(item, batchRows);
      last = after;
    },
    position(columns) {
      return last === null ? null : { read: last, columns, cost };
    },
  };
}
