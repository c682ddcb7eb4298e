import { withoutTrailing } from '@penstock/common/text/without-trailing.ts';
import { isFields } from '../input.ts';

/** Bytes of a number besides its digits, and of a list or map besides its elements. */
const NUMBER_BYTES = 1;
const COLLECTION_BYTES = 3;

/** Size of an item in bytes (Developer Guide, "DynamoDB item sizes and formats"). */
export function itemBytes(item: Readonly<Record<string, unknown>>): number {
  return sum(Object.entries(item), ([name, value]) => Buffer.byteLength(name) + valueBytes(value));
}

function valueBytes(value: unknown): number {
  if (!isFields(value)) return 0;
  const [[type, content] = ['', undefined]] = Object.entries(value);
  switch (type) {
    case 'S':
      return Buffer.byteLength(String(content));
    case 'N':
      return numberBytes(String(content));
    case 'B':
      return Buffer.byteLength(String(content), 'base64');
    case 'SS':
      return sum(listOf(content), (one) => Buffer.byteLength(String(one)));
    case 'NS':
      return sum(listOf(content), (one) => numberBytes(String(one)));
    case 'BS':
      return sum(listOf(content), (one) => Buffer.byteLength(String(one), 'base64'));
    case 'L':
      return COLLECTION_BYTES + sum(listOf(content), (one) => 1 + valueBytes(one));
    case 'M':
      return (
        COLLECTION_BYTES +
        sum(
          Object.entries(isFields(content) ? content : {}),
          ([name, one]) => 1 + Buffer.byteLength(name) + valueBytes(one),
        )
      );
    default:
      return 1;
  }
}

/** About a byte for two significant digits, and one for a minus sign. */
function numberBytes(text: string): number {
  const [mantissa = ''] = text.toLowerCase().split('e');
  const digits = withoutTrailing(mantissa.replace(/[^\d]/g, '').replace(/^0+/, ''), '0');
  return NUMBER_BYTES + Math.ceil(digits.length / 2) + (text.startsWith('-') ? 1 : 0);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function sum<T>(list: readonly T[], of: (one: T) => number): number {
  return list.reduce((total, one) => total + of(one), 0);
}
