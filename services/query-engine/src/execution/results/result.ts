/**
 * What running a statement yields, in this order: one header, batches of rows, one end. Of NDJSON, another header before
 * rows that have more columns.
 */
import type { PagePosition } from '../../planning/page-position.ts';
import type { RowBatch } from './page.ts';

export type ResultPart =
  | { readonly kind: 'header'; readonly columns: readonly string[]; readonly columnTypes: readonly string[] }
  | ({ readonly kind: 'rows' } & RowBatch)
  | {
      readonly kind: 'end';
      readonly rowCount: number;
      readonly resumeIdx: number | null;
      readonly warnings: readonly string[];
      /** Where the next page begins; absent or null: it is found by reading what came before. */
      readonly position?: PagePosition | null;
    };

/** Told to the caller when a value has no JSON form. */
export const UNWRITABLE_WARNING = 'Infinite values and NaN have no JSON form: they are shown as null';
