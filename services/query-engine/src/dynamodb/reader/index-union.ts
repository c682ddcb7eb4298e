/** Items that several reads of one table find, each once. */
import type { ColumnBatch } from '../column-batch.ts';
import type { TableRead } from '../table-read.ts';
import { createSeenKeys, distinctRows } from './distinct-keys.ts';
import { inTurn } from './streams.ts';

/**
 * The rows of the arms, one arm after the other, without those that an earlier one had. Each arm's last columns are the
 * table's key attributes, which are not handed on.
 */
export function indexUnion(
  read: TableRead,
  arms: readonly AsyncGenerator<ColumnBatch>[],
  ahead: number,
): AsyncGenerator<ColumnBatch> {
  return distinctRows(read, inTurn(arms, ahead), createSeenKeys());
}
