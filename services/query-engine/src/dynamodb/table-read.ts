/**
 * What is read from one table, as plain data: chosen by access-path choice, shown by EXPLAIN, sent by the reader.
 */
import type { CatalogTable } from '../catalog/table.ts';
import type { ScanColumn } from '../logical/plan.ts';

/** A key value with the type its attribute is declared with; numbers as digits, binary as base64. */
export interface KeyValue {
  readonly type: 'S' | 'N' | 'B';
  readonly value: string;
}

/** A whole primary key. */
export interface ItemKey {
  readonly partition: KeyValue;
  /** Null where the table's key is simple. */
  readonly sort: KeyValue | null;
}

export type SortCondition =
  | { readonly operator: '=' | '<' | '<=' | '>' | '>='; readonly value: KeyValue }
  | { readonly operator: 'BETWEEN'; readonly low: KeyValue; readonly high: KeyValue }
  | { readonly operator: 'begins_with'; readonly value: KeyValue };

/** Some sort keys of a partition: attributes of the sort key are bound from left to right, and but the last by equality. */
export interface SortRange {
  /** Values of the first attributes; none where `last` is about the first. */
  readonly equals: readonly KeyValue[];
  /** What is said of the attribute after these. */
  readonly last: SortCondition;
}

/** What one Query reads: a partition, or some of its sort keys. */
export interface KeyRange {
  /** A value for each attribute of the partition key. */
  readonly partition: readonly KeyValue[];
  /** Null: all of them. */
  readonly sort: SortRange | null;
}

/** Where a range ends before its last item. */
export interface RangeTop {
  /** Items of each range, the first in the direction that it is read in. */
  readonly rows: number;
  /** Those equal to the last of them in all of these attributes come too; none: whatever they are, no more do. */
  readonly ties: readonly string[];
  /** Where those may be many, a request asks for so many at least: they cost no more than one does. */
  readonly tiedItemsMin: number;
}

export type AccessPath =
  /** A contradiction: no request at all. */
  | { readonly kind: 'Nothing' }
  | { readonly kind: 'GetItem'; readonly key: ItemKey }
  /** Any number of keys: sent 100 at a time, each once. */
  | { readonly kind: 'BatchGetItem'; readonly keys: readonly ItemKey[] }
  /** One Query for each range, in this order; no item is in two of them. */
  | {
      readonly kind: 'Query';
      readonly index: string | null;
      readonly ranges: readonly KeyRange[];
      readonly descending: boolean;
      /** True: partitions are read side by side and their rows merged by all attributes of the sort key, equal ones in this order. */
      readonly merged: boolean;
      /** Absent: each range is read to its end. Set only where every item of the ranges passes all predicates. */
      readonly topOfEach?: RangeTop;
    }
  /**
   * As Query, of an index that lacks columns: it gives whole keys, and BatchGetItem the items. The read's filter is the
   * Query's, over what the index holds; the projection is BatchGetItem's. `inOrder`: an order is wanted, and it is the
   * index's; items that have moved in it since they were indexed come where they belong now, as far as that can be.
   */
  | {
      readonly kind: 'IndexLookup';
      readonly index: string;
      readonly ranges: readonly KeyRange[];
      readonly descending: boolean;
      readonly inOrder: boolean;
    }
  /**
   * The items that any of the arms finds, each once, arm by arm. An arm's columns are the read's, then the table's key
   * attributes.
   */
  | { readonly kind: 'IndexUnion'; readonly arms: readonly TableRead[] }
  /** `segments` parallel ones; their rows come out in segment order. */
  | { readonly kind: 'Scan'; readonly index: string | null; readonly segments: number }
  /** Some segments of a scan of `SEGMENT_COUNT`, by their numbers, in this order: their rows tell which they are of. */
  | { readonly kind: 'Segments'; readonly numbers: readonly number[] };

/** Ready to send: names as `#n0`, values as `:v0`. */
export interface ExpressionText {
  readonly text: string;
  readonly names: Readonly<Record<string, string>>;
  /** In DynamoDB's JSON form, e.g. `{ ":v0": { "S": "x" } }`. */
  readonly values: Readonly<Record<string, AttributeValueJson>>;
}

export type AttributeValueJson =
  | { readonly S: string }
  | { readonly N: string }
  | { readonly B: string }
  | { readonly BOOL: boolean }
  | { readonly NULL: true };

/** Where a read can go on, behind an item. */
export interface ReadPosition {
  /** The range that the item is of, by its number; of a batch of keys, how many of them were taken. */
  readonly part: number;
  /** The item's key attributes, the index's among them; null where `part` says all. */
  readonly key: Readonly<Record<string, AttributeValueJson>> | null;
}

export interface TableRead {
  readonly kind: 'TableRead';
  readonly table: CatalogTable;
  readonly alias: string;
  readonly path: AccessPath;
  /** Never narrower than the predicates that the residual query checks again. */
  readonly filter: ExpressionText | null;
  /** Null: whole items. */
  readonly projection: { readonly text: string; readonly names: Readonly<Record<string, string>> } | null;
  /** Every row passes all predicates of the scan: nothing has to check them again. */
  readonly isExact: boolean;
  /** `Select: COUNT`: no column is needed, only how many. */
  readonly countOnly: boolean;
  readonly consistent: boolean;
  /** Columns to decode, in order. */
  readonly columns: readonly ScanColumn[];
  /**
   * Stop when so many items have come back: set only where every one of them passes all predicates. Null: read on until
   * the consumer has enough, or to the end. `pageLimit` is what may be sent as Limit.
   */
  readonly stopAfter: number | null;
  readonly pageLimit: number | null;
  /**
   * Items to ask for at first, of each range, where few may be enough but it is not known how many; later pages grow with
   * what was read (`growingPagePart`). Null: as many as DynamoDB gives, or `pageLimit`.
   */
  readonly firstPageItems: number | null;
  /**
   * Whether the rows come in the scan's `orderHint` (true where none is wanted). Ties are in the path's own order, so
   * the rows must not be sorted again where a page is cut out of them.
   */
  readonly ordered: boolean;
  /** True when the rows are wanted to the end: pages may be asked for before they are consumed. */
  readonly prefetch: boolean;
  readonly estimate: ReadEstimate;
  /** Why this path, in a line, e.g. `partition key bound by o.customer_id = 'c1'`. */
  readonly reason: string;
  /** What has to hold in all items for the index that is read to hold every row; null where nothing has to. */
  readonly assumption: string | null;
  /**
   * What is read in its place where one of its ranges ends before it has the items of `topOfEach`: the index may lack rows
   * that come behind those that it has. The same columns. Absent: it lacks none.
   */
  readonly otherwise?: TableRead;
  /**
   * Set where the read's batches are to say where it can be left (`ReadBatch.after`): made by `leavable`. It begins behind
   * `after`; null: at its beginning.
   */
  readonly leavable?: { readonly after: ReadPosition | null };
  /** The read that it is a step of, where one is made in steps. */
  readonly stepOf?: TableRead;
  /** E.g. that a large table is scanned and which index would help. */
  readonly warnings: readonly string[];
}

/** What a read will give and cost, as far as that is known before. Units are read units, in halves. */
export interface ReadEstimate {
  /** Rows that come back, a guess. */
  readonly rows: number;
  /** What it will probably consume: a guess, by which paths are chosen. Not below `low`, not above `high`. */
  readonly units: number;
  /**
   * What it consumes at least, where it is made: what DynamoDB charges for its requests whatever they find; of a scan
   * to its end, nine tenths of what the table's size says.
   */
  readonly low: number;
  /**
   * What it consumes at most, as far as sizes are known: where the table has not grown by more than a tenth since it was
   * counted, and the items picked out are not more than four times as large as all are on average. Of a table that was not
   * counted yet, a guess.
   */
  readonly high: number;
}

/** Whether items come in pages of ranges or segments, in whose order the read goes on behind any of them. */
export const isPaged = ({ kind }: AccessPath): boolean =>
  kind === 'Query' || kind === 'Scan' || kind === 'Segments';

/**
 * Whether a read may come upon an item twice and can tell: of several ranges of an index, one may be read before the item
 * moves into another. Such a read brings the table's key attributes along. Of the first items of each range none is left
 * out: what would take its place was not read.
 */
export function mayRepeat({ path, countOnly }: Pick<TableRead, 'path' | 'countOnly'>): boolean {
  if (path.kind !== 'Query' || path.topOfEach !== undefined) return false;
  return path.index !== null && path.ranges.length > 1 && !countOnly;
}
