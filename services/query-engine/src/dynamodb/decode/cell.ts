import type { DocumentStep } from '../../logical/expression.ts';
import { TypeCode } from '../column-batch.ts';
import { openAttributeValue, type AttributeValue } from './attribute-value.ts';
import { plainJson } from './plain-json.ts';

/** One value as a column holds it. */
export interface Cell {
  readonly type: TypeCode;
  readonly value: string | null;
}

const MISSING: Cell = Object.freeze({ type: TypeCode.MISSING, value: null });

/**
 * What lies at a document path in an attribute's parsed value: names lead into maps, positions into lists (never into
 * sets, as in DynamoDB's own document paths); anywhere else is missing. Throws MalformedBodyError.
 */
export function cellAt(json: unknown, path: readonly DocumentStep[]): Cell {
  let value = openAttributeValue(json);
  for (const step of path) {
    let inner: unknown;
    if (typeof step === 'number') inner = value.type === 'L' ? value.value[step] : undefined;
    else inner = value.type === 'M' && Object.hasOwn(value.value, step) ? value.value[step] : undefined;
    if (inner === undefined) return MISSING;
    value = openAttributeValue(inner);
  }
  return cellOf(value);
}

function cellOf(value: AttributeValue): Cell {
  const type = TypeCode[value.type];
  switch (value.type) {
    case 'S':
    case 'N':
    case 'B':
      return { type, value: value.value };
    case 'BOOL':
      return { type, value: String(value.value) };
    case 'NULL':
      return { type, value: null };
    default:
      return { type, value: plainJson(value) };
  }
}
