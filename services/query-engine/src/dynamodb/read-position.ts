/**
 * Where a read can go on that was left in the middle: as plain data, so that another process can go on there.
 *
 * Source: DynamoDB's developer guide, "Paginating table query results": any key may be an ExclusiveStartKey, not only one
 * that came as LastEvaluatedKey.
 */
import { countsRows } from '../catalog/segment-relation.ts';
import { indexKeyAttributes, keyNames, queryKey, type KeyAttribute } from '../catalog/table.ts';
import { projectionOf } from './access-path/projection.ts';
import type { ColumnBatch } from './column-batch.ts';
import { isPaged, type ReadPosition, type TableRead } from './table-read.ts';

/** Rows of a read that is `leavable`. */
export interface LeavableBatch {
  readonly batch: ColumnBatch;
  /** Where the read goes on behind a row of the batch; null where it cannot. */
  readonly after: (row: number) => ReadPosition | null;
}

/** The attributes that a page of this read may start behind: the table's key, then the index's where one is read. */
export function positionKeys({ table, path }: TableRead): readonly KeyAttribute[] {
  const { partitionKey, sortKey } = table.key;
  const own = sortKey === null ? [partitionKey] : [partitionKey, sortKey];
  const name = 'index' in path ? path.index : null;
  const index = table.indexes.find((one) => one.name === name) ?? null;
  return index === null ? own : [...own, ...indexKeyAttributes(queryKey(table, index))];
}

/**
 * Whether the rows of the read, in order, are those of its items, in an order that is known without all that came before:
 * not of several reads in one, nor of partitions that are merged, or end before their last item.
 */
export function canBeLeft({ path, columns, table }: TableRead): boolean {
  switch (path.kind) {
    case 'BatchGetItem':
    case 'IndexLookup':
      return true;
    case 'Query':
      return !path.merged && path.topOfEach === undefined;
    case 'Scan':
      return path.segments === 1;
    case 'Segments':
      // A row's place in its segment is counted from the segment's first.
      return !columns.some((column) => countsRows(table, column));
    case 'Nothing':
    case 'GetItem':
    case 'IndexUnion':
      return false;
  }
}

/** The same read; its batches say where they can be left. It begins behind `after`, or at its beginning (null). */
export function leavable(read: TableRead, after: ReadPosition | null): TableRead {
  const { columns, table, path } = read;
  const base = { ...read, leavable: { after } };
  if (!isPaged(path)) return base;
  const paths = [
    ...columns.map((column) => column.path),
    ...positionKeys(read).map(({ name }) => [name]),
    ...keyNames(table.key).map((name) => [name]),
  ];
  const isWhole = read.projection === null && !read.countOnly;
  return { ...base, countOnly: false, projection: isWhole ? null : projectionOf(paths, table) };
}
