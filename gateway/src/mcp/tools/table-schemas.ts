/** Output schemas that list_tables and describe_table share. */
import { z } from 'zod';
import type { TableKey } from '../../clients/catalog-tables.ts';

export const keyColumn = z.object({
  name: z.string(),
  type: z.enum(['S', 'N', 'B']).describe('S: string, N: number, B: binary'),
});

export const keySchema = {
  partitionKey: keyColumn.describe('WHERE this = a value makes a statement cheap'),
  sortKey: keyColumn
    .optional()
    .describe('With the partition key: =, <, >, BETWEEN and LIKE "prefix%" are cheap too'),
};

export const indexKind = z
  .enum(['global', 'local'])
  .describe("global: a key of its own; local: the table's partition key with another sort key");

/** The part of a key or an index that both tools show. */
export function keyOf({ partitionKey, sortKey }: TableKey): TableKey {
  return { partitionKey, ...(sortKey === undefined ? {} : { sortKey }) };
}
