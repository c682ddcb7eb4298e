/** Output schemas that list_tables and describe_table share. */
import { z } from 'zod';
import type { IndexKey, TableKey } from '../../clients/catalog-tables.ts';

const keyColumn = z.object({
  name: z.string(),
  type: z.enum(['S', 'N', 'B']).describe('S: string, N: number, B: binary'),
});

export const keySchema = {
  partitionKey: keyColumn.describe('WHERE this = a value makes a statement cheap'),
  sortKey: keyColumn
    .optional()
    .describe('With the partition key: =, <, >, BETWEEN and LIKE "prefix%" are cheap too'),
};

/** The key of an index, which may have several attributes of each kind. */
export const indexKeySchema = {
  partitionKeys: z.array(keyColumn).describe('WHERE all of these = values makes a statement cheap'),
  sortKeys: z
    .array(keyColumn)
    .describe(
      'With all partitionKeys bound, from left to right without gaps: = on each, and on the last one used also <, >, BETWEEN and LIKE "prefix%"',
    ),
};

export const indexKind = z
  .enum(['global', 'local'])
  .describe("global: a key of its own; local: the table's partition key with another sort key");

/** The part of an index that both tools show. */
export function indexKeyOf({ partitionKeys, sortKeys }: IndexKey): {
  partitionKeys: IndexKey['partitionKeys'][number][];
  sortKeys: IndexKey['sortKeys'][number][];
} {
  return { partitionKeys: [...partitionKeys], sortKeys: [...sortKeys] };
}

/** The part of a table's key that both tools show. */
export function keyOf({ partitionKey, sortKey }: TableKey): TableKey {
  return { partitionKey, ...(sortKey === undefined ? {} : { sortKey }) };
}
