import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { SAMPLE_SEGMENTS, SAMPLE_SEGMENT_ITEMS } from '../limits.ts';
import type { Item } from './item-value.ts';
import { itemSizeBytes } from './item-size.ts';
import type { TableDescription } from './table-metadata.ts';
import type { ScanPage, TenantTables } from '../dynamodb/tenant-tables.ts';

/** What a sample found. */
export interface TableSample {
  readonly items: readonly Item[];
  /** Of the items together, as DynamoDB counts them. */
  readonly sizeBytes: number;
  readonly readUnits: number;
  /** True when these are all items of the table. */
  readonly complete: boolean;
}

/**
 * Reads a few items from several places of the table: one page from each of a few scan segments, since one page alone
 * shows a few neighboring partitions only. A table that is small by its description is read as one segment.
 * A segment that is throttled is left out as long as another was read.
 */
export async function sampleTable(
  tables: TenantTables,
  description: TableDescription,
  signal: AbortSignal,
): Promise<TableSample> {
  const parts = sampleParts(description);
  const results = await Promise.all(
    parts.map((part) => scanOrThrottled(tables, description.tableName, part, signal)),
  );
  const pages = results.flatMap((result) => (result instanceof PenstockError ? [] : [result]));
  const throttled = results.find((result) => result instanceof PenstockError);
  if (throttled !== undefined && pages.length === 0) throw throttled;
  return toSample(pages, throttled === undefined);
}

async function scanOrThrottled(
  tables: TenantTables,
  tableName: string,
  part: SamplePart,
  signal: AbortSignal,
): Promise<ScanPage | PenstockError> {
  try {
    return await tables.scan(tableName, part, signal);
  } catch (error) {
    if (error instanceof PenstockError && error.code === 'THROTTLED') return error;
    throw error;
  }
}

/** One scan of a sample. */
interface SamplePart {
  readonly segment: number;
  readonly totalSegments: number;
  readonly limit: number;
}

/** The scans of a sample, as data. */
export function sampleParts(description: TableDescription): readonly SamplePart[] {
  const itemsMax = SAMPLE_SEGMENTS * SAMPLE_SEGMENT_ITEMS;
  // 0 may mean "not counted yet".
  const small = description.itemCount > 0 && description.itemCount <= itemsMax;
  const totalSegments = small ? 1 : SAMPLE_SEGMENTS;
  return Array.from({ length: totalSegments }, (_, segment) => ({
    segment,
    totalSegments,
    limit: itemsMax / totalSegments,
  }));
}

function toSample(pages: readonly ScanPage[], allRead: boolean): TableSample {
  const items = pages.flatMap((page) => page.items);
  return Object.freeze({
    items,
    sizeBytes: items.reduce((sum, item) => sum + itemSizeBytes(item), 0),
    readUnits: pages.reduce((sum, page) => sum + page.readUnits, 0),
    complete: allRead && pages.every((page) => page.ended),
  });
}
