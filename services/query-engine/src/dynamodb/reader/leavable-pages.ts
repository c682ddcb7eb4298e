/** Reads that another one can go on with: their batches say where each of their rows is. */
import { textOf, type ColumnBatch } from '../column-batch.ts';
import { pickRows } from '../pick-rows.ts';
import { positionKeys, type LeavableBatch } from '../read-position.ts';
import {
  mayRepeat,
  type AttributeValueJson,
  type ItemKey,
  type ReadPosition,
  type TableRead,
} from '../table-read.ts';
import { keyJson } from './attribute-json.ts';
import { createSeenKeys, keyOfRow } from './distinct-keys.ts';
import { fetchItems, keyPart } from './keyed-items.ts';
import { batchKeysMax, rememberedKeysMax } from './limits.ts';
import type { StartKey } from './request.ts';
import type { ReadSession } from './send-page.ts';

type Leavable = NonNullable<TableRead['leavable']>;

/** The key attributes of a row, from the batch's columns from `at` on; null where one is missing. */
export function startKeyOf(
  { columns }: ColumnBatch,
  row: number,
  at: number,
  read: TableRead,
): ReadPosition['key'] {
  const key: Record<string, AttributeValueJson> = {};
  for (const [i, { name, type }] of positionKeys(read).entries()) {
    const column = columns[at + i];
    if (column === undefined || textOf(column, row) === null) return null;
    key[name] = keyJson(keyPart(column, row, type));
  }
  return key;
}

/**
 * The rows of the parts (ranges, or one segment), one part after the other. The session's decoder has `positionKeys` as its
 * last columns; they are not handed on.
 */
export async function* leavablePages(
  session: ReadSession,
  parts: readonly ((from: StartKey) => AsyncGenerator<ColumnBatch>)[],
  { after }: Leavable,
): AsyncGenerator<LeavableBatch> {
  const { read } = session;
  const width = read.columns.length;
  const isNew = mayRepeat(read) ? createSeenKeys(rememberedKeysMax) : null;
  for (const [part, pagesFrom] of parts.entries()) {
    if (part < (after?.part ?? 0)) continue;
    if (session.rowsLeft() <= 0) return;
    for await (const page of pagesFrom(part === after?.part ? after.key : null)) {
      const rows = Array.from({ length: page.rowCount }, (_, row) => row).filter(
        (row) => isNew === null || isNew(keyOfRow(page, row, width, read)),
      );
      if (rows.length === 0) continue;
      const batch =
        rows.length === page.rowCount
          ? { rowCount: page.rowCount, columns: page.columns.slice(0, width) }
          : pickRows(
              rows.map((row) => ({ batch: page, row })),
              width,
            );
      const behind = (row: number): ReadPosition | null => {
        const key = startKeyOf(page, rows[row] ?? -1, width, read);
        return key === null ? null : { part, key };
      };
      yield { batch, after: behind };
    }
  }
}

/** The items of the keys, which are distinct, in their order: no more are asked for at a time than may be wanted. */
export async function* leavableItems(
  session: ReadSession,
  keys: readonly ItemKey[],
  { after }: Leavable,
): AsyncGenerator<LeavableBatch> {
  const { steering } = session.context;
  for (let from = after?.part ?? 0; from < keys.length && session.rowsLeft() > 0;) {
    const steered = steering === undefined ? Infinity : steering.nextItems();
    if (steered === null) return;
    const first = from;
    from = Math.min(keys.length, first + Math.min(batchKeysMax, session.rowsLeft(), steered));
    const { batch, found, halfUnits } = await fetchItems(session, keys.slice(first, from));
    steering?.scanned?.(from - first, halfUnits);
    const behind = (row: number): ReadPosition => ({ part: first + (found[row] ?? 0) + 1, key: null });
    if (batch.rowCount > 0) yield { batch, after: behind };
  }
}
