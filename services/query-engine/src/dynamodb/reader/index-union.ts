/** Items that several reads of one table find, each once. */
import { keyText } from '../access-path/key-values.ts';
import type { ColumnBatch } from '../column-batch.ts';
import { pickRows } from '../pick-rows.ts';
import type { TableRead } from '../table-read.ts';
import { keyPart } from './keyed-items.ts';
import { inTurn } from './streams.ts';

/**
 * The rows of the arms, one arm after the other, without those that an earlier one had. Each arm's last columns are the
 * table's key attributes, which are not handed on.
 */
export async function* indexUnion(
  { table, columns }: TableRead,
  arms: readonly AsyncGenerator<ColumnBatch>[],
  ahead: number,
): AsyncGenerator<ColumnBatch> {
  const { partitionKey, sortKey } = table.key;
  const width = columns.length;
  const seen = new Set<string>();
  for await (const batch of inTurn(arms, ahead)) {
    const rows: number[] = [];
    for (let row = 0; row < batch.rowCount; row++) {
      const partition = keyPart(batch.columns[width], row, partitionKey.type);
      const sort = sortKey === null ? null : keyPart(batch.columns[width + 1], row, sortKey.type);
      const text = keyText({ partition, sort });
      if (seen.has(text)) continue;
      seen.add(text);
      rows.push(row);
    }
    if (rows.length > 0) yield chosen(batch, width, rows);
  }
}

function chosen(batch: ColumnBatch, width: number, rows: readonly number[]): ColumnBatch {
  if (rows.length === batch.rowCount)
    return { rowCount: batch.rowCount, columns: batch.columns.slice(0, width) };
  return pickRows(
    rows.map((row) => ({ batch, row })),
    width,
  );
}
