import { PARTITION_KEY_BYTES_MAX, SORT_KEY_BYTES_MAX } from '../limits.ts';
import { isFields, text, type AttributeValue, type Fields } from './input.ts';
import type { IndexSchema, KeyAttribute } from './table-schema.ts';

/** A key attribute of an index, and how long its value may be. */
export interface BoundedKey extends KeyAttribute {
  readonly bytesMax: number;
}

/** Every key attribute of an index with its bound. */
export function boundedKeys({ partitionKeys, sortKeys }: IndexSchema): readonly BoundedKey[] {
  return [
    ...partitionKeys.map((key) => ({ ...key, bytesMax: PARTITION_KEY_BYTES_MAX })),
    ...sortKeys.map((key) => ({ ...key, bytesMax: SORT_KEY_BYTES_MAX })),
  ];
}

/**
 * Whether an index has an entry for the item: it has every key attribute, of the declared type, neither empty nor too
 * long. What was written before the index was made need not (Developer Guide, "Detecting and correcting index key
 * violations").
 */
export function isIndexed(item: Fields, keys: readonly BoundedKey[]): boolean {
  return keys.every((key) => {
    const value = item[key.name];
    return isFields(value) && isIndexable(value, key);
  });
}

function isIndexable(value: AttributeValue, { type, bytesMax }: BoundedKey): boolean {
  const content = text(value, type);
  if (content === undefined || type === 'N') return content !== undefined;
  const bytes = Buffer.byteLength(content, type === 'B' ? 'base64' : 'utf8');
  return bytes > 0 && bytes <= bytesMax;
}
