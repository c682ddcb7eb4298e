import { indexKeyNames } from '../../catalog/table.ts';
import { projectionOf } from '../access-path/projection.ts';
import type { ColumnBatch } from '../column-batch.ts';
import { createPageDecoder } from '../decode/page-decoder.ts';
import { pickRows } from '../pick-rows.ts';
import type { LeavableBatch } from '../read-position.ts';
import type { AccessPath, ItemKey, ReadPosition, TableRead } from '../table-read.ts';
import { createSeenKeys, keyOfRow, type IsNewKey } from './distinct-keys.ts';
import { placeOfRow, withinRanges, type IndexPlace } from './index-place.ts';
import { fetchItems } from './keyed-items.ts';
import { queryKeyOf } from './key-condition.ts';
import { startKeyOf } from './leavable-pages.ts';
import { batchKeysMax } from './limits.ts';
import { queryPages } from './pages.ts';
import { createPlaceOrder, type FoundItem } from './place-order.ts';
import { keyNamesOf } from './request.ts';
import type { ReadSession } from './send-page.ts';
import { inTurn } from './streams.ts';

type LookupPath = Extract<AccessPath, { kind: 'IndexLookup' }>;

/** What the index has of an item. */
interface Entry {
  readonly key: ItemKey;
  /** Null where the order is of no interest. */
  readonly place: IndexPlace | null;
  /** Where the entries go on behind it; null where nobody asks. */
  readonly after: ReadPosition | null;
}

/** A row that goes out, and where the lookup can be left behind it. */
interface OutgoingRow {
  readonly item: FoundItem;
  readonly after: ReadPosition | null;
}

/** The columns that are read of the items besides those that are wanted: where they belong in the index now. */
export function placeColumns(read: TableRead): TableRead['columns'] {
  return indexKeyNames(queryKeyOf(read)).map((name, i) => ({ id: -100 - i, name, path: [name] }));
}

/** The Query of the index: the table's keys, and the index's where the order counts or the lookup may be left. */
function entriesRead(read: TableRead, { kind: _, inOrder, ...path }: LookupPath): TableRead {
  const names = keyNamesOf(read);
  const paths = [
    ...names.map((name) => [name]),
    ...(inOrder || read.leavable !== undefined ? placeColumns(read).map((column) => column.path) : []),
  ];
  return {
    ...read,
    path: { kind: 'Query', ...path, merged: false },
    columns: paths.map((own, id) => ({ id, name: String(own[0]), path: own })),
    projection: projectionOf(paths, read.table),
    // Of what was found some may have gone, so that pages that were too small must grow.
    pageLimit: null,
  };
}

/**
 * The items that the ranges of an index lead to, in its order: entries from there, a page at a time, items from the table.
 *
 * Indexes follow their table later. What has gone since it was indexed is left out; so is, in an exact read, what has left
 * the ranges: each row that comes out counts. An item that the index shows twice comes once. `ahead`: batches asked for
 * before they are consumed.
 */
export async function* indexLookup(
  session: ReadSession,
  path: LookupPath,
  ahead: number,
): AsyncGenerator<LeavableBatch> {
  const { read } = session;
  const left = read.leavable?.after ?? null;
  const key = queryKeyOf(read);
  const entries = entriesRead(read, path);
  const decoder = createPageDecoder(entries.columns);
  const isNew = createSeenKeys();
  const isWithin = read.isExact ? withinRanges(path.ranges) : null;
  const order = path.inOrder ? createPlaceOrder(path.descending) : null;
  const width = read.columns.length;

  const rowsOf = ({ batch, entries: own }: Fetched): readonly OutgoingRow[] => {
    const rows: OutgoingRow[] = [];
    for (const [row, entry] of own.entries()) {
      const place = isWithin === null && order === null ? null : placeOfRow(batch, row, width, key);
      if (isWithin !== null && (place === null || !isWithin(place))) continue;
      const item: FoundItem = { batch, row, entry: entry.place as IndexPlace, place };
      const ready = order === null ? [item] : order.next(item);
      for (const one of ready) {
        // Behind it, nothing that an entry before it led to is still to come.
        const isAllBefore = one === item && order?.isHolding !== true;
        rows.push({ item: one, after: isAllBefore ? entry.after : null });
      }
    }
    return rows;
  };
  const foundRows = (rows: readonly OutgoingRow[]): LeavableBatch => ({
    batch: pickRows(
      rows.map(({ item }) => item),
      width,
    ),
    after: (row) => rows[row]?.after ?? null,
  });

  for (const [part, range] of path.ranges.entries()) {
    if (part < (left?.part ?? 0)) continue;
    if (session.rowsLeft() <= 0) return;
    const firstPageItems = read.firstPageItems ?? (read.stopAfter === null ? null : session.rowsLeft());
    const from = part === left?.part ? left.key : null;
    const pages = queryPages({ ...session, read: { ...entries, firstPageItems }, decoder }, range, from);
    for await (const page of pages) {
      const own = entriesOf(page, part, read, isNew, path.inOrder);
      for await (const fetched of fetchedInTurn(session, own, ahead)) {
        const rows = rowsOf(fetched);
        if (rows.length > 0) yield foundRows(rows);
      }
    }
  }
  const rest = (order?.rest() ?? []).map((item) => ({ item, after: null }));
  if (rest.length > 0) yield foundRows(rest);
}

function entriesOf(
  page: ColumnBatch,
  part: number,
  read: TableRead,
  isNew: IsNewKey,
  inOrder: boolean,
): readonly Entry[] {
  const at = keyNamesOf(read).length;
  const entries: Entry[] = [];
  for (let row = 0; row < page.rowCount; row++) {
    const key = keyOfRow(page, row, 0, read);
    if (!isNew(key)) continue;
    const startKey = read.leavable === undefined ? null : startKeyOf(page, row, 0, read);
    entries.push({
      key,
      place: inOrder ? placeOfRow(page, row, at, queryKeyOf(read)) : null,
      after: startKey === null ? null : { part, key: startKey },
    });
  }
  return entries;
}

/** Items and the entries that they were found by, row by row. */
interface Fetched {
  readonly batch: ColumnBatch;
  readonly entries: readonly Entry[];
}

async function* fetched(session: ReadSession, entries: readonly Entry[]): AsyncGenerator<Fetched> {
  const { read } = session;
  const wide = { ...session, read: { ...read, columns: [...read.columns, ...placeColumns(read)] } };
  const { batch, found } = await fetchItems(
    wide,
    entries.map(({ key }) => key),
  );
  yield { batch, entries: found.map((at) => entries[at] as Entry) };
}

/** Where few rows are wanted, no more items than rows at first; more and more as long as they are not enough. */
async function* fetchedInTurn(
  session: ReadSession,
  entries: readonly Entry[],
  ahead: number,
): AsyncGenerator<Fetched> {
  if (session.rowsLeft() === Infinity) {
    const chunks: AsyncGenerator<Fetched>[] = [];
    for (let i = 0; i < entries.length; i += batchKeysMax)
      chunks.push(fetched(session, entries.slice(i, i + batchKeysMax)));
    yield* inTurn(chunks, ahead);
    return;
  }
  let [from, times] = [0, 1];
  while (from < entries.length && session.rowsLeft() > 0) {
    const to = from + Math.min(batchKeysMax, session.rowsLeft() * times);
    yield* fetched(session, entries.slice(from, to));
    from = to;
    times *= 2;
  }
}
