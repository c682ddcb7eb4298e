/** Queries of many partitions in rounds, each after it was decided, by what those before cost, whether it is worth it. */
import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { isCounted, sizeOf } from '../access-path/estimate.ts';
import type { RoundAnswer } from '../bounded-regret/ledger.ts';
import type { Round } from '../bounded-regret/plan-round.ts';
import { BYTES_PER_UNIT } from '../bounded-regret/limits.ts';
import type { ColumnBatch } from '../column-batch.ts';
import type { DecodedPage } from '../decode/page-decoder.ts';
import type { AccessPath, KeyRange, TableRead } from '../table-read.ts';
import { limitMax } from './limits.ts';
import { queryInput, type StartKey } from './request.ts';
import { sendPage, type ReadSession } from './send-page.ts';
import { inHashOrder } from './hash-order.ts';

/** Whoever decides. */
export interface RoundControl {
  /** What each row will cost yet, e.g. the item that an entry of an index leads to; 0 where it is what was wanted. */
  readonly unitsPerRow: number;
  /** The next round; null: no more is wanted, and what was read is of no use. */
  next(): Round | null;
  /** Told what a round gave, before its rows are handed on. */
  answered(answer: RoundAnswer): void;
}

/** A partition that is being read. */
interface Partition {
  readonly range: KeyRange;
  readonly startKey: StartKey;
  /** With what its rows will cost yet. */
  readonly units: number;
  /** Items that were read, before any filter, and what they cost. */
  readonly items: number;
  readonly halfUnits: number;
}

/** Items that cost about so many units; one at least, null where that is no limit. */
function itemsOf({ table, path, consistent }: TableRead, units: number | null): number | null {
  if (units === null) return null;
  const name = 'index' in path ? path.index : null;
  const { itemBytes } = sizeOf(table, table.indexes.find((index) => index.name === name) ?? null);
  const bytes = units * BYTES_PER_UNIT * (consistent ? 0.5 : 1);
  const items = Math.max(1, Math.floor(bytes / itemBytes));
  return items > limitMax || !isCounted(table) ? null : items;
}

/** The partition with one more page, which whoever watches the read is told of. */
function afterPage(
  { range, units, items, halfUnits }: Partition,
  { lastEvaluatedKey: startKey, consumedHalfUnits, scannedCount, count }: DecodedPage,
  { read, context: { observer } }: ReadSession,
  { unitsPerRow }: RoundControl,
): Partition {
  const seen = { items: items + scannedCount, halfUnits: halfUnits + consumedHalfUnits };
  observer?.page(read, { scanned: scannedCount, passed: count, isLast: startKey === null });
  if (startKey === null) observer?.range(read, seen);
  return { range, startKey, units: units + consumedHalfUnits / 2 + count * unitsPerRow, ...seen };
}

/**
 * The rows of all ranges, a round's together. Keys come in the order of a hash of their text: the first of them are a sample
 * that is the same each time. Partitions with more pages come last. What is asked for depends on nothing but the data.
 */
export async function* lookedUpInRounds(
  session: ReadSession,
  { ranges }: Extract<AccessPath, { kind: 'Query' }>,
  control: RoundControl,
): AsyncGenerator<ColumnBatch> {
  const { read } = session;
  const started = (range: KeyRange): Partition => ({
    range,
    startKey: null,
    units: 0,
    items: 0,
    halfUnits: 0,
  });
  const unstarted = inHashOrder(ranges, (range) => JSON.stringify(range));
  let next = 0;
  let open: readonly Partition[] = [];
  while (next < unstarted.length || open.length > 0) {
    const round = control.next();
    if (round === null) return;
    const first = unstarted.slice(next, next + round.requests).map(started);
    next += first.length;
    const asked = [...first, ...open.slice(0, round.requests - first.length)];
    const untouched = open.slice(asked.length - first.length);
    const limit = itemsOf(read, round.pageUnits);
    const pages = await Promise.all(
      asked.map(({ range, startKey }) =>
        sendPage(session, new QueryCommand(queryInput(read, range, startKey, limit))),
      ),
    );
    const after = asked.map((partition, i) => {
      const page = pages[i];
      return page === undefined ? partition : afterPage(partition, page, session, control);
    });
    const unfinished = after.filter(({ startKey }) => startKey !== null);
    open = [...untouched, ...unfinished];
    control.answered({
      pages: pages.length,
      units: pages.reduce((sum, { consumedHalfUnits }) => sum + consumedHalfUnits, 0) / 2,
      done: asked.length - unfinished.length,
      open: open.map(({ units }) => units),
      owed: pages.reduce((sum, { count }) => sum + count, 0) * control.unitsPerRow,
    });
    for (const { batch, count } of pages) {
      const rows = read.countOnly ? { rowCount: count, columns: [] } : batch;
      if (rows.rowCount > 0) yield rows;
    }
  }
}
