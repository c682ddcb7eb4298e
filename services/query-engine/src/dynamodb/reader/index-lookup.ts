import { projectionOf } from '../access-path/projection.ts';
import type { ColumnBatch } from '../column-batch.ts';
import { createPageDecoder } from '../decode/page-decoder.ts';
import type { ItemKey, KeyRange, TableRead } from '../table-read.ts';
import { batchGetItems, keyPart } from './keyed-items.ts';
import { batchKeysMax } from './limits.ts';
import { queryPages } from './pages.ts';
import { keyNamesOf } from './request.ts';
import type { ReadSession } from './send-page.ts';
import { inTurn } from './streams.ts';

/** The Query of the index, for the table's keys only. */
function keysRead(read: TableRead): TableRead {
  if (read.path.kind !== 'IndexLookup') throw new Error('the read is no index lookup');
  const names = keyNamesOf(read);
  const { kind: _, ...path } = read.path;
  return {
    ...read,
    path: { kind: 'Query', ...path, merged: false },
    columns: names.map((name, id) => ({ id, name, path: [name] })),
    projection: projectionOf(
      names.map((name) => [name]),
      read.table,
    ),
  };
}

function keysOf(batch: ColumnBatch, { table }: TableRead): readonly ItemKey[] {
  const { partitionKey, sortKey } = table.key;
  return Array.from({ length: batch.rowCount }, (_, row) => ({
    partition: keyPart(batch.columns[0], row, partitionKey.type),
    sort: sortKey === null ? null : keyPart(batch.columns[1], row, sortKey.type),
  }));
}

/**
 * The items of one range of an index, in its order: keys from there, a page at a time, items from the table. What has
 * gone since it was indexed is left out. `ahead`: batches asked for before they are consumed.
 */
export async function* indexLookup(
  session: ReadSession,
  range: KeyRange,
  ahead: number,
): AsyncGenerator<ColumnBatch> {
  const read = keysRead(session.read);
  const pages = queryPages({ ...session, read, decoder: createPageDecoder(read.columns) }, range);
  for await (const page of pages) {
    const keys = keysOf(page, read).slice(0, session.rowsLeft());
    const batches: AsyncGenerator<ColumnBatch>[] = [];
    for (let i = 0; i < keys.length; i += batchKeysMax)
      batches.push(batchGetItems(session, keys.slice(i, i + batchKeysMax)));
    yield* inTurn(batches, ahead);
  }
}
