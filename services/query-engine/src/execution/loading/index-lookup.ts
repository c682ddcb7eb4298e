/** Chooses an index lookup or its fallback by the keys that there really are. */
import { keyPart } from '../../dynamodb/reader/keyed-items.ts';
import type { ReadBatch } from '../../dynamodb/read-table.ts';
import type { ItemKey, TableRead } from '../../dynamodb/table-read.ts';
import type { IndexLookupChoice } from '../../planning/index-lookup.ts';

/**
 * The lookup of the keys that the index gave; null, as soon as that is clear, where they cost more than `unitsMax`.
 * `lookup`: what the index lookup itself was to read.
 */
export async function resolveIndexLookup(
  lookup: TableRead,
  { keys: keysRead, unitsPerKey }: IndexLookupChoice,
  unitsMax: number,
  batchesOf: (read: TableRead) => AsyncIterable<ReadBatch>,
): Promise<TableRead | null> {
  const { partitionKey, sortKey } = lookup.table.key;
  const keysMax = Math.floor(unitsMax / unitsPerKey);
  const keys: ItemKey[] = [];
  for await (const { batch } of batchesOf(keysRead)) {
    for (let row = 0; row < batch.rowCount; row++) {
      const partition = keyPart(batch.columns[0], row, partitionKey.type);
      keys.push({
        partition,
        sort: sortKey === null ? null : keyPart(batch.columns[1], row, sortKey.type),
      });
    }
    if (keys.length > keysMax) return null;
  }
  return { ...lookup, path: { kind: 'BatchGetItem', keys }, filter: null };
}
