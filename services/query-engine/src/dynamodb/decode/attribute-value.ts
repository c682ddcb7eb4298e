import type { AttributeType } from '../../catalog/table.ts';
import { MalformedBodyError } from './malformed-body.ts';

/** A parsed attribute value, e.g. `{ "S": "x" }`, opened. */
export type AttributeValue =
  | { readonly type: 'S' | 'N' | 'B'; readonly value: string }
  | { readonly type: 'BOOL'; readonly value: boolean }
  | { readonly type: 'NULL'; readonly value: null }
  | { readonly type: 'M'; readonly value: Readonly<Record<string, unknown>> }
  | { readonly type: 'L'; readonly value: readonly unknown[] }
  | { readonly type: 'SS' | 'NS' | 'BS'; readonly value: readonly string[] };

/** Opens what `JSON.parse` made of an attribute value, one level deep. Throws MalformedBodyError if it is none. */
export function openAttributeValue(json: unknown): AttributeValue {
  if (isObject(json)) {
    const [type, ...others] = Object.keys(json);
    if (type !== undefined && others.length === 0) {
      const opened = open(type as AttributeType, json[type]);
      if (opened !== null) return opened;
    }
  }
  throw new MalformedBodyError('an attribute value is none of the known types');
}

function open(type: AttributeType, value: unknown): AttributeValue | null {
  switch (type) {
    case 'S':
    case 'N':
    case 'B':
      return typeof value === 'string' ? { type, value } : null;
    case 'BOOL':
      return typeof value === 'boolean' ? { type, value } : null;
    case 'NULL':
      return typeof value === 'boolean' ? { type, value: null } : null;
    case 'M':
      return isObject(value) ? { type, value } : null;
    case 'L':
      return Array.isArray(value) ? { type, value: value as unknown[] } : null;
    case 'SS':
    case 'NS':
    case 'BS':
      return isStrings(value) ? { type, value } : null;
    default:
      return null;
  }
}

/** A JSON object: no array, not null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((element) => typeof element === 'string');
}
