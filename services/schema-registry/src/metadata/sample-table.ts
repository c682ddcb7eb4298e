import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { ScanPage, TenantTables } from '../dynamodb/tenant-tables.ts';
import { itemSizeBytes } from './item-size.ts';
import type { Item } from './item-value.ts';
import { keyText, partitionRuns, type SegmentRuns } from './partition-runs.ts';
import { firstRound, nextRound, type SamplePart, type SampleRound } from './sample-rounds.ts';
import type { TableDescription } from './table-metadata.ts';

/** What a sample found. */
export interface TableSample {
  /** Each item once. */
  readonly items: readonly Item[];
  /** Of the items together, as DynamoDB counts them. */
  readonly sizeBytes: number;
  readonly readUnits: number;
  /** True when these are all items of the table. */
  readonly complete: boolean;
  /** What each segment showed of its partitions. */
  readonly runs: readonly SegmentRuns[];
}

/** A scan and its page. */
interface ReadPart {
  readonly part: SamplePart;
  readonly page: ScanPage;
}

/**
 * Reads a few items from many places of the table, in rounds: one page from each of some scan segments, since one page
 * alone shows a few neighboring partitions only. A segment that is throttled is left out as long as another was read.
 */
export async function sampleTable(
  tables: TenantTables,
  description: TableDescription,
  signal: AbortSignal,
): Promise<TableSample> {
  const read: ReadPart[] = [];
  for (let round = firstRound(description); ;) {
    const { pages, throttled } = await readRound(tables, description.tableName, round, signal);
    if (throttled !== null && pages.length + read.length === 0) throw throttled;
    read.push(...pages);
    const complete = isWhole(round, pages);
    // A table that is throttled is left in peace.
    const next =
      throttled !== null || complete ? null : nextRound(description, round, seenIn(read, description));
    if (next === null) return toSample(read, description, complete);
    round = next;
  }
}

async function readRound(
  tables: TenantTables,
  tableName: string,
  { parts }: SampleRound,
  signal: AbortSignal,
): Promise<{ readonly pages: readonly ReadPart[]; readonly throttled: PenstockError | null }> {
  const results = await Promise.all(parts.map((part) => scanOrThrottled(tables, tableName, part, signal)));
  return {
    pages: results.flatMap((result) => (result instanceof PenstockError ? [] : [result])),
    throttled: results.find((result) => result instanceof PenstockError) ?? null,
  };
}

async function scanOrThrottled(
  tables: TenantTables,
  tableName: string,
  part: SamplePart,
  signal: AbortSignal,
): Promise<ReadPart | PenstockError> {
  try {
    return { part, page: await tables.scan(tableName, part, signal) };
  } catch (error) {
    if (error instanceof PenstockError && error.code === 'THROTTLED') return error;
    throw error;
  }
}

/** Whether these pages are all of the table. */
function isWhole({ parts }: SampleRound, pages: readonly ReadPart[]): boolean {
  const isAll = parts.every(({ totalSegments }) => totalSegments === parts.length);
  return isAll && pages.length === parts.length && pages.every(({ page }) => page.ended);
}

function seenIn(
  read: readonly ReadPart[],
  { key }: TableDescription,
): { readonly runs: readonly SegmentRuns[]; readonly readUnits: number } {
  const runs = read.map(({ part, page }) => partitionRuns(page, key.partitionKey.name, part.totalSegments));
  return { runs, readUnits: read.reduce((sum, { page }) => sum + page.readUnits, 0) };
}

function toSample(read: readonly ReadPart[], description: TableDescription, complete: boolean): TableSample {
  const { partitionKey, sortKey } = description.key;
  const identity = (item: Item): string =>
    JSON.stringify([keyText(item, partitionKey.name), sortKey === null ? '' : keyText(item, sortKey.name)]);
  // A larger segment holds what a smaller one did.
  const items = [
    ...new Map(read.flatMap(({ page }) => page.items).map((item) => [identity(item), item])).values(),
  ];
  return Object.freeze({
    items,
    sizeBytes: items.reduce((sum, item) => sum + itemSizeBytes(item), 0),
    complete,
    ...seenIn(read, description),
  });
}
