/** Items of the control plane as plain values, where the SDK has attribute values. */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';

export type ItemValue = string | number | boolean | null | Uint8Array | readonly ItemValue[] | ItemMap;

export interface ItemMap {
  readonly [name: string]: ItemValue | undefined;
}

export type Item = Record<string, AttributeValue>;

function toAttribute(value: ItemValue): AttributeValue {
  if (value === null) return { NULL: true };
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'boolean') return { BOOL: value };
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new RangeError('DynamoDB stores finite numbers only');
    return { N: String(value) };
  }
  if (value instanceof Uint8Array) return { B: value };
  if (isList(value)) return { L: value.map(toAttribute) };
  return { M: toItem(value) };
}

const isList = (value: readonly ItemValue[] | ItemMap): value is readonly ItemValue[] => Array.isArray(value);

/** Fields that are undefined are left out. */
export function toItem(values: ItemMap): Item {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, toAttribute(value)]],
    ),
  );
}

function fromAttribute(attribute: AttributeValue): ItemValue {
  if (attribute.S !== undefined) return attribute.S;
  if (attribute.N !== undefined) return Number(attribute.N);
  if (attribute.BOOL !== undefined) return attribute.BOOL;
  if (attribute.NULL !== undefined) return null;
  if (attribute.B !== undefined) return attribute.B;
  if (attribute.L !== undefined) return attribute.L.map(fromAttribute);
  if (attribute.M !== undefined) return fromItem(attribute.M);
  if (attribute.SS !== undefined) return [...attribute.SS].sort();
  throw new TypeError(
    `an item holds a value of a type that we never write: ${Object.keys(attribute).join()}`,
  );
}

/** The inverse of toItem; a string set becomes a sorted list. Check the shape (zod) before use. */
export function fromItem(item: Item): Record<string, ItemValue> {
  return Object.fromEntries(
    Object.entries(item).map(([name, attribute]) => [name, fromAttribute(attribute)]),
  );
}
