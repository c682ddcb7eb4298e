import { QueryCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import type { ColumnBatch } from '../column-batch.ts';
import type { DecodedPage } from '../decode/page-decoder.ts';
import type { KeyValue } from '../table-read.ts';
import { createPacer } from './pacer.ts';
import { queryInput, scanInput, type StartKey } from './request.ts';
import { sendPage, type ReadSession } from './send-page.ts';

/** The pages of one partition, in key order. */
export function queryPages(session: ReadSession, partition: KeyValue): AsyncGenerator<ColumnBatch> {
  return pages(
    session,
    (startKey, limit) => new QueryCommand(queryInput(session.read, partition, startKey, limit)),
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
  const { pageLimit } = session.read;
  const pacer = createPacer();
  let startKey: StartKey = null;
  do {
    const limit = pageLimit === null ? null : Math.min(pageLimit, session.rowsLeft());
    const page: DecodedPage = await sendPage(session, command(startKey, limit), pacer);
    startKey = page.lastEvaluatedKey;
    const batch = session.read.countOnly ? { rowCount: page.count, columns: [] } : page.batch;
    if (batch.rowCount > 0) yield batch;
  } while (startKey !== null && session.rowsLeft() > 0);
}
