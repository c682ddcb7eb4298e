/** Queries of many partitions in rounds, each after it was decided, by what those before cost, whether it is worth it. */
import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { isCounted, sizeOf } from '../access-path/estimate.ts';
import type { RoundAnswer } from '../bounded-regret/ledger.ts';
import type { Round } from '../bounded-regret/plan-round.ts';
import { BYTES_PER_UNIT } from '../bounded-regret/limits.ts';
import type { ColumnBatch } from '../column-batch.ts';
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
  const started = (range: KeyRange): Partition => ({ range, startKey: null, units: 0 });
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
    for (const { scannedCount, count, lastEvaluatedKey } of pages)
      session.context.observer?.page(read, {
        scanned: scannedCount,
        passed: count,
        isLast: lastEvaluatedKey === null,
      });
    const after = asked.map(({ range, units }, i): Partition => {
      const { lastEvaluatedKey: startKey = null, consumedHalfUnits = 0, count = 0 } = pages[i] ?? {};
      return { range, startKey, units: units + consumedHalfUnits / 2 + count * control.unitsPerRow };
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
