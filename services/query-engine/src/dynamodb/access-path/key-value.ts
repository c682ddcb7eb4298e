import type { KeyAttribute } from '../../catalog/table.ts';
import { compareDecimals, decimalText, fitsDynamo, parseDecimal, type Decimal } from '../decimal.ts';
import type { KeyValue } from '../table-read.ts';
import { compareUtf8 } from '../../logical/text-order.ts';
import { numberBytesMax } from './limits.ts';
import { numericText, type Literal } from './literal.ts';

/** How a constant compares with a key attribute. */
export type KeyMatch =
  /** `exact`: this key value and no other is what the predicate means. */
  | { readonly kind: 'value'; readonly value: KeyValue; readonly exact: boolean }
  /** No key can equal it. */
  | { readonly kind: 'never' }
  /** Keys of several spellings may match, or we cannot tell: no key condition. */
  | { readonly kind: 'unknown' };

const UNKNOWN: KeyMatch = Object.freeze({ kind: 'unknown' });
const NEVER: KeyMatch = Object.freeze({ kind: 'never' });

/**
 * A constant as a key value of the attribute's declared type. A number never becomes a text key: `'01'` and `'1.0'` are
 * keys that equal 1. A text equals a binary key by its base64 text. `bytesMax`: what DynamoDB allows for the key; longer ones exist nowhere.
 */
export function keyValueOf(literal: Literal, attribute: KeyAttribute, bytesMax: number): KeyMatch {
  switch (attribute.type) {
    case 'S': {
      if (literal.type !== 'text') return UNKNOWN;
      const bytes = Buffer.byteLength(literal.value);
      if (bytes === 0 || bytes > bytesMax) return NEVER;
      return { kind: 'value', value: { type: 'S', value: literal.value }, exact: true };
    }
    case 'N': {
      if (literal.type === 'boolean' || literal.type === 'binary') return UNKNOWN;
      const text = literal.type === 'number' ? literal.text : literal.value;
      const decimal = parseDecimal(text);
      if (decimal === null) return literal.type === 'text' && numericText(text) === 'no' ? NEVER : UNKNOWN;
      if (!fitsDynamo(decimal)) return UNKNOWN;
      return {
        kind: 'value',
        value: { type: 'N', value: decimalText(decimal) },
        exact: literal.type === 'number',
      };
    }
    case 'B': {
      if (literal.type !== 'binary' && literal.type !== 'text') return UNKNOWN;
      const bytes = Buffer.from(literal.type === 'binary' ? literal.base64 : literal.value, 'base64');
      if (bytes.length === 0 || bytes.length > bytesMax) return NEVER;
      const base64 = bytes.toString('base64');
      // With a text, a binary value compares as its base64 text, which is spelled in one way only.
      if (literal.type === 'text' && literal.value !== base64) return NEVER;
      return { kind: 'value', value: { type: 'B', value: base64 }, exact: true };
    }
  }
}

/** Below 0, 0 or above 0: values of the same key attributes, from left to right; 0 where the shorter list begins the other. */
export function compareTuples(a: readonly KeyValue[], b: readonly KeyValue[]): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const order = compareKeyValues(a[i] as KeyValue, b[i] as KeyValue);
    if (order !== 0) return order;
  }
  return 0;
}

/** One text for each list of values of the same key attributes. */
export function tupleText(values: readonly KeyValue[]): string {
  const [only] = values;
  return values.length === 1 && only !== undefined
    ? only.value
    : JSON.stringify(values.map(({ value }) => value));
}

/** Bytes of a value, as DynamoDB counts those of keys; of a number, the most that one may have. */
export function keyBytes({ type, value }: KeyValue): number {
  if (type === 'N') return numberBytesMax;
  return Buffer.byteLength(value, type === 'B' ? 'base64' : 'utf8');
}

/** Below 0, 0 or above 0: two values of one key attribute in DynamoDB's order. */
export function compareKeyValues(a: KeyValue, b: KeyValue): number {
  switch (a.type) {
    case 'S':
      return compareUtf8(a.value, b.value);
    case 'N':
      return compareDecimals(parseDecimal(a.value) as Decimal, parseDecimal(b.value) as Decimal);
    case 'B':
      return Buffer.compare(Buffer.from(a.value, 'base64'), Buffer.from(b.value, 'base64'));
  }
}
