import { QueryCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import type { ColumnBatch } from '../column-batch.ts';
import type { DecodedPage } from '../decode/page-decoder.ts';
import type { KeyRange } from '../table-read.ts';
import { growingPagePart, limitMax } from './limits.ts';
import { queryInput, scanInput, type StartKey } from './request.ts';
import { sendPage, type ReadSession } from './send-page.ts';
import { topOfRange, type RangeEnd } from './top-of-range.ts';

/** The pages of one range behind `from`, in key order. */
export function queryPages(
  session: ReadSession,
  range: KeyRange,
  from: StartKey = null,
): AsyncGenerator<ColumnBatch> {
  const top = topOfRange(session.read);
  return pages(
    session,
    from,
    (startKey, limit) => new QueryCommand(queryInput(session.read, range, startKey, limit)),
    // Partitions that end before the items that are wanted are not like the others.
    top === null ? (seen) => session.context.observer?.range(session.read, seen) : undefined,
    top,
  );
}

/** The pages of one segment behind `from`, in the table's own order. */
export function scanPages(
  session: ReadSession,
  segment: number,
  from: StartKey = null,
): AsyncGenerator<ColumnBatch> {
  return pages(
    session,
    from,
    (startKey, limit) => new ScanCommand(scanInput(session.read, segment, startKey, limit)),
  );
}

/** An empty page is not the end: only the absence of LastEvaluatedKey is. */
async function* pages(
  session: ReadSession,
  from: StartKey,
  command: (startKey: StartKey, limit: number | null) => QueryCommand | ScanCommand,
  onEnd?: (seen: { readonly items: number; readonly halfUnits: number }) => void,
  top: RangeEnd | null = null,
): AsyncGenerator<ColumnBatch> {
  const { pageLimit, firstPageItems } = session.read;
  const { steering } = session.context;
  let startKey = from;
  let itemsMax = firstPageItems ?? Infinity;
  let [items, halfUnits] = [0, 0];
  do {
    const steered = steering === undefined ? Infinity : steering.nextItems();
    if (steered === null) return;
    const most = Math.min(itemsMax, steered, top?.nextItems() ?? Infinity);
    const limit = Math.min(pageLimit === null ? Infinity : Math.min(pageLimit, session.rowsLeft()), most);
    const page: DecodedPage = await sendPage(session, command(startKey, limit > limitMax ? null : limit));
    startKey = page.lastEvaluatedKey;
    items += page.scannedCount;
    if (firstPageItems !== null) itemsMax = Math.max(firstPageItems, Math.ceil(items * growingPagePart));
    halfUnits += page.consumedHalfUnits;
    steering?.scanned?.(page.scannedCount, page.consumedHalfUnits);
    session.context.observer?.page(session.read, {
      scanned: page.scannedCount,
      passed: page.count,
      // What came before the page is not known of one that began in the middle.
      isLast: startKey === null && from === null,
    });
    if (startKey === null && from === null) onEnd?.({ items, halfUnits });
    const batch = session.read.countOnly ? { rowCount: page.count, columns: [] } : page.batch;
    top?.read(batch);
    if (batch.rowCount > 0) yield batch;
  } while (startKey !== null && session.rowsLeft() > 0 && top?.isReached() !== true);
  if (top !== null) steering?.topRead?.(top.isFull());
}
