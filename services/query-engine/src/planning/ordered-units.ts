/** What rows cost that are read in the order of an index. */
import { sizeOf, unitsOfKeys, unitsOfRange } from '../dynamodb/access-path/estimate.ts';
import { tupleText } from '../dynamodb/access-path/key-value.ts';
import type { SecondaryIndex } from '../catalog/table.ts';
import type { TableRead } from '../dynamodb/table-read.ts';

/** What DynamoDB charges half a unit for, and a whole one where reads are consistent. */
const BYTES_PER_UNIT = 8192;

function indexOf({ path, table }: TableRead): SecondaryIndex | null {
  const name = 'index' in path ? path.index : null;
  return table.indexes.find((index) => index.name === name) ?? null;
}

/** The units of so many rows where each that is read counts; of several partitions each may have to give all. */
export function unitsOfRows(read: TableRead, rows: number): number {
  const { path, table, consistent } = read;
  const entries = unitsOfRange(rows, sizeOf(table, indexOf(read)), consistent);
  if (path.kind === 'IndexLookup') return entries + unitsOfKeys(rows, sizeOf(table, null), consistent);
  return path.kind === 'Query' && path.merged ? entries * path.ranges.length : entries;
}

/** What one more item costs, its page's rounding apart. */
export function unitsOfItem(read: TableRead): number {
  const { path, table, consistent } = read;
  const bytes = Math.max(1, sizeOf(table, indexOf(read)).itemBytes);
  const entry = (bytes / BYTES_PER_UNIT) * (consistent ? 2 : 1);
  return path.kind === 'IndexLookup' ? entry + unitsOfKeys(1, sizeOf(table, null), consistent) : entry;
}

/** Whether what a Query reads is part of what the other read does, of the same table: then it cannot cost more. */
export function isWithinRead(read: TableRead, other: TableRead): boolean {
  if (read.path.kind !== 'Query') return false;
  if (other.path.kind === 'Scan') return other.path.index === null || other.path.index === read.path.index;
  if (other.path.kind !== 'Query' || other.path.topOfEach !== undefined) return false;
  const isOfPartition = read.path.index === other.path.index || indexOf(read)?.global === false;
  if (!isOfPartition || (other.path.index !== null && other.path.index !== read.path.index)) return false;
  const whole = new Set(
    other.path.ranges.filter(({ sort }) => sort === null).map(({ partition }) => tupleText(partition)),
  );
  return read.path.ranges.every(({ partition }) => whole.has(tupleText(partition)));
}
