/**
 * Keys that a read has met. An item moves within an index while it is read (from 'open' to 'closed', to a later day), and
 * is then met again: DynamoDB refuses a BatchGetItem that names a key twice, and a row must not come out twice.
 */
import { keyText } from '../access-path/key-values.ts';
import type { ColumnBatch } from '../column-batch.ts';
import { pickRows } from '../pick-rows.ts';
import type { ItemKey, TableRead } from '../table-read.ts';
import { keyPart } from './keyed-items.ts';

/** Remembers keys; true where one is new. */
export type IsNewKey = (key: ItemKey) => boolean;

/** `keysMax`: once so many are remembered, others that come after are all taken for new. */
export function createSeenKeys(keysMax = Infinity): IsNewKey {
  const seen = new Set<string>();
  return (key) => {
    const text = keyText(key);
    if (seen.has(text)) return false;
    if (seen.size < keysMax) seen.add(text);
    return true;
  };
}

/** The keys without those that came before, equal as DynamoDB takes them to be (the numbers 1 and 1.0 are). */
export function distinctKeys(keys: readonly ItemKey[]): readonly ItemKey[] {
  return keys.filter(createSeenKeys());
}

/** The table's key of a row, whose attributes are the batch's columns from `at` on. */
export function keyOfRow({ columns }: ColumnBatch, row: number, at: number, { table }: TableRead): ItemKey {
  const { partitionKey, sortKey } = table.key;
  return {
    partition: keyPart(columns[at], row, partitionKey.type),
    sort: sortKey === null ? null : keyPart(columns[at + 1], row, sortKey.type),
  };
}

/** The rows whose keys are new. The batches' last columns are the table's key attributes, which are not handed on. */
export async function* distinctRows(
  read: TableRead,
  batches: AsyncGenerator<ColumnBatch>,
  isNew: IsNewKey,
): AsyncGenerator<ColumnBatch> {
  const width = read.columns.length;
  for await (const batch of batches) {
    const rows: number[] = [];
    for (let row = 0; row < batch.rowCount; row++)
      if (isNew(keyOfRow(batch, row, width, read))) rows.push(row);
    if (rows.length > 0) yield chosenRows(batch, width, rows);
  }
}

/** Some rows of a batch, in their order, with its first `width` columns. */
function chosenRows(batch: ColumnBatch, width: number, rows: readonly number[]): ColumnBatch {
  if (rows.length === batch.rowCount)
    return { rowCount: batch.rowCount, columns: batch.columns.slice(0, width) };
  return pickRows(
    rows.map((row) => ({ batch, row })),
    width,
  );
}
