/** The type under which an attribute is announced: wide enough for whatever an item may hold. */
import type { DynamoDbType } from '../../../clients/catalog-tables.ts';
import { TYPE } from '../system/types.ts';

const WIDE: Readonly<Record<DynamoDbType, number | null>> = Object.freeze({
  S: TYPE.text,
  N: TYPE.numeric,
  B: TYPE.bytea,
  BOOL: TYPE.bool,
  NULL: null,
  M: TYPE.jsonb,
  L: TYPE.jsonb,
  SS: TYPE.jsonb,
  NS: TYPE.jsonb,
  BS: TYPE.jsonb,
});

/** OID of the type for values of these types: text where they are several, or where none was seen. */
export function wireType(types: Iterable<DynamoDbType>): number {
  const wide = new Set([...types].flatMap((type) => WIDE[type] ?? []));
  const [only] = wide;
  return wide.size === 1 && only !== undefined ? only : TYPE.text;
}
