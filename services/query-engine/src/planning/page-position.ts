/** Where the next page of a statement begins, as plain data that another engine can go on with. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { ReadPosition, TableRead } from '../dynamodb/table-read.ts';

/** What a column's values were so far, of which its type follows: see `createColumnTypeInference`. */
export type ColumnState = readonly number[];

/** What a page took to be filled. */
export interface PageCost {
  readonly rows: number;
  /** Items before the filter, or keys. */
  readonly items: number;
  readonly halfUnits: number;
}

export interface PagePosition {
  readonly read: ReadPosition;
  /** Of the read's columns, by all pages before: values are shown as if all had been read by one. */
  readonly columns: readonly ColumnState[];
  /** By the page before: the next one will be alike. */
  readonly cost: PageCost;
}

const scalar = z.union([
  z.strictObject({ S: z.string() }),
  z.strictObject({ N: z.string() }),
  z.strictObject({ B: z.string() }),
]);
const count = z.number().int().min(0);

const shape = z.strictObject({
  read: z.strictObject({ part: count, key: z.record(z.string(), scalar).nullable() }),
  columns: z.array(z.array(z.number())),
  cost: z.strictObject({ rows: count, items: count, halfUnits: count }),
});

/** Null where the text is no position. */
export function parsePosition(text: string): PagePosition | null {
  try {
    return shape.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/**
 * What a position depends on besides the statement: whose table is read, by which role, and by which path, in whose order its
 * items come. A position is of use only where all of it is the same; sizes and what the sample saw do not count. The number is
 * that of a position's format.
 */
export function positionScope({ table, path, consistent }: TableRead): string {
  const { schemaName, tableName, access, key, entriesOf } = table;
  const index = 'index' in path ? table.indexes.find(({ name }) => name === path.index)?.key : null;
  const parts = [2, schemaName, tableName, access, key, entriesOf ?? null, index ?? null, path, consistent];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
