/** The type under which an attribute is announced: wide enough for whatever an item may hold. */
import type { DynamoDbType } from '../../../clients/catalog-tables.ts';

export type ColumnType = 'text' | 'numeric' | 'bytea' | 'bool' | 'jsonb';

const WIDE: Readonly<Record<DynamoDbType, ColumnType | null>> = Object.freeze({
  S: 'text',
  N: 'numeric',
  B: 'bytea',
  BOOL: 'bool',
  NULL: null,
  M: 'jsonb',
  L: 'jsonb',
  SS: 'jsonb',
  NS: 'jsonb',
  BS: 'jsonb',
});

/** The type for values of these types: text where they are several, or where none was seen. */
export function columnType(types: Iterable<DynamoDbType>): ColumnType {
  const wide = new Set([...types].flatMap((type) => WIDE[type] ?? []));
  const [only] = wide;
  return wide.size === 1 && only !== undefined ? only : 'text';
}
