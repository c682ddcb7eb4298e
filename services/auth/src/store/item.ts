import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/** What an attribute of ours can hold. Null is stored as an absent attribute. */
export type Value = string | number | boolean | null | readonly string[];
export type Values = Readonly<Record<string, Value>>;

function toAttribute(value: Exclude<Value, null>): AttributeValue {
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'number') return { N: String(value) };
  if (typeof value === 'boolean') return { BOOL: value };
  return { L: value.map((text) => ({ S: text })) };
}

function fromAttribute(attribute: AttributeValue): Value {
  if (attribute.S !== undefined) return attribute.S;
  if (attribute.N !== undefined) return Number(attribute.N);
  if (attribute.BOOL !== undefined) return attribute.BOOL;
  if (attribute.L !== undefined) return attribute.L.map((element) => element.S ?? '');
  return null;
}

export function toAttributes(values: Values): Record<string, AttributeValue> {
  const present = Object.entries(values).filter(
    (entry): entry is [string, Exclude<Value, null>] => entry[1] !== null,
  );
  return Object.fromEntries(present.map(([name, value]) => [name, toAttribute(value)]));
}

export function fromAttributes(attributes: Readonly<Record<string, AttributeValue>>): Values {
  return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, fromAttribute(value)]));
}
