import type { Item } from './item-value.ts';

/**
 * What a page from the start of a scan segment shows of its partitions. Items come partition by partition, in the order
 * of the hashes of their partition keys; a segment is a range of these, so it starts with a partition's first item. Only
 * the last partition of a page can go on behind it.
 */
export interface SegmentRuns {
  readonly totalSegments: number;
  /** Items of the page. */
  readonly items: number;
  /** Different partition keys among them. */
  readonly keys: number;
  /** Of these, the partitions that were read to their ends. */
  readonly endedRuns: number;
  /** False: the segment holds nothing behind the page. */
  readonly cut: boolean;
}

/** The runs of one page. `ended`: whether DynamoDB said that the segment holds nothing more. */
export function partitionRuns(
  page: { readonly items: readonly Item[]; readonly ended: boolean },
  partitionKey: string,
  totalSegments: number,
): SegmentRuns {
  let keys = 0;
  let before: string | null = null;
  for (const item of page.items) {
    const key = keyText(item, partitionKey);
    if (key === before) continue;
    keys++;
    before = key;
  }
  return Object.freeze({
    totalSegments,
    items: page.items.length,
    keys,
    endedRuns: page.ended ? keys : Math.max(0, keys - 1),
    cut: !page.ended,
  });
}

/** The value of a key attribute, with its type; the same for no two values. */
export function keyText(item: Item, attribute: string): string {
  const { S, N, B } = item[attribute] ?? {};
  return S !== undefined ? `S${S}` : N !== undefined ? `N${N}` : `B${B ?? ''}`;
}
