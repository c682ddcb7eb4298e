/** Rows of several partitions in the order of their sort keys: of each, no more is read than the order has come to. */
import type { KeyAttribute } from '../../catalog/table.ts';
import { textOf, type ColumnBatch } from '../column-batch.ts';
import { compareDecimals, parseDecimal, type Decimal } from '../decimal.ts';
import { pickRows } from '../pick-rows.ts';
import { compareUtf8 } from '../../logical/text-order.ts';
import { pagesInFlightMax } from './limits.ts';
import { endAll } from './streams.ts';

/** An attribute of a sort key as it is compared. */
type SortValue = Decimal | string;

/** The partition's row that is next in its turn. */
interface Head {
  readonly batch: ColumnBatch;
  readonly row: number;
  /** In the order of the sort key's attributes. */
  readonly key: readonly SortValue[];
}

/** Rows that go out together, at most. */
const ROWS_PER_BATCH = 1024;

interface Stream {
  readonly batches: AsyncGenerator<ColumnBatch>;
  /** Null: at its end. */
  head: Head | null;
}

/**
 * Merges streams that are each in the order of `sortKeys`, which are their batches' last columns and are not handed on. Equal
 * keys come in the order of the streams. The first batches are asked for at once, others when their turn has come.
 */
export async function* mergedBySortKey(
  streams: readonly AsyncGenerator<ColumnBatch>[],
  sortKeys: readonly KeyAttribute[],
  descending: boolean,
): AsyncGenerator<ColumnBatch> {
  const sign = descending ? -1 : 1;
  const headOf = (batch: ColumnBatch, row: number): Head => {
    const key = sortKeys.map((sortKey, at) => {
      const column = batch.columns.at(at - sortKeys.length);
      return sortValue((column === undefined ? null : textOf(column, row)) ?? '', sortKey);
    });
    return { batch, row, key };
  };
  const next = async (batches: AsyncGenerator<ColumnBatch>): Promise<Head | null> => {
    const result = await batches.next();
    return result.done === true ? null : headOf(result.value, 0);
  };
  try {
    const waiting: Stream[] = streams.map((batches) => ({ batches, head: null }));
    const unasked = waiting.values();
    const askInTurn = async (): Promise<void> => {
      for (const stream of unasked) stream.head = await next(stream.batches);
    };
    await Promise.all(Array.from({ length: pagesInFlightMax }, askInTurn));
    let rows: Head[] = [];
    for (;;) {
      let least: Stream | null = null;
      let head: Head | null = null;
      for (const stream of waiting) {
        if (stream.head === null) continue;
        if (head !== null && sign * compareSortKeys(stream.head.key, head.key) >= 0) continue;
        least = stream;
        ({ head } = stream);
      }
      if (least === null || head === null) break;
      rows.push(head);
      const isLast = head.row + 1 === head.batch.rowCount;
      // What is known goes out before anything more is asked for: it may be enough.
      if (isLast || rows.length === ROWS_PER_BATCH) {
        yield batchOf(rows, sortKeys.length);
        rows = [];
      }
      least.head = isLast ? await next(least.batches) : headOf(head.batch, head.row + 1);
    }
    if (rows.length > 0) yield batchOf(rows, sortKeys.length);
  } finally {
    endAll([], streams);
  }
}

/** Binary keys come as base64; as hexadecimal digits they have the order of their bytes. */
function sortValue(text: string, { type }: KeyAttribute): SortValue {
  if (type === 'N') return parseDecimal(text) ?? text;
  return type === 'B' ? Buffer.from(text, 'base64').toString('hex') : text;
}

function compareSortKeys(a: readonly SortValue[], b: readonly SortValue[]): number {
  for (const [at, value] of a.entries()) {
    const order = compareSortValues(value, b[at] as SortValue);
    if (order !== 0) return order;
  }
  return 0;
}

function compareSortValues(a: SortValue, b: SortValue): number {
  if (typeof a === 'string') return typeof b === 'string' ? compareUtf8(a, b) : 1;
  return typeof b === 'string' ? -1 : compareDecimals(a, b);
}

/** Without the sort key's columns. */
function batchOf(rows: readonly Head[], sortColumns: number): ColumnBatch {
  return pickRows(rows, (rows[0]?.batch.columns.length ?? sortColumns) - sortColumns);
}
