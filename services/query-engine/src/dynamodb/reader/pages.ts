import { QueryCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import type { ColumnBatch } from '../column-batch.ts';
import type { DecodedPage } from '../decode/page-decoder.ts';
import type { KeyRange } from '../table-read.ts';
import { limitMax } from './limits.ts';
import { queryInput, scanInput, type StartKey } from './request.ts';
import { sendPage, type ReadSession } from './send-page.ts';

/** The pages of one range, in key order. */
export function queryPages(session: ReadSession, range: KeyRange): AsyncGenerator<ColumnBatch> {
  return pages(
    session,
    (startKey, limit) => new QueryCommand(queryInput(session.read, range, startKey, limit)),
  );
}

/** The pages of one segment, in the table's own order. */
export function scanPages(session: ReadSession, segment: number): AsyncGenerator<ColumnBatch> {
  return pages(
    session,
    (startKey, limit) => new ScanCommand(scanInput(session.read, segment, startKey, limit)),
  );
}

/** An empty page is not the end: only the absence of LastEvaluatedKey is. */
async function* pages(
  session: ReadSession,
  command: (startKey: StartKey, limit: number | null) => QueryCommand | ScanCommand,
): AsyncGenerator<ColumnBatch> {
  const { pageLimit, firstPageItems } = session.read;
  let startKey: StartKey = null;
  let itemsMax = firstPageItems ?? Infinity;
  do {
    const limit = Math.min(pageLimit === null ? Infinity : Math.min(pageLimit, session.rowsLeft()), itemsMax);
    itemsMax *= 2;
    const page: DecodedPage = await sendPage(session, command(startKey, limit > limitMax ? null : limit));
    startKey = page.lastEvaluatedKey;
    const batch = session.read.countOnly ? { rowCount: page.count, columns: [] } : page.batch;
    if (batch.rowCount > 0) yield batch;
  } while (startKey !== null && session.rowsLeft() > 0);
}
