import { withoutTrailing } from '@penstock/common/text/without-trailing.ts';
import type { Item, ItemValue } from './item-value.ts';

/** What a list or map costs beside its entries, bytes. */
const CONTAINER_BYTES = 3;

/** What each entry of a list or map costs beside itself, bytes. */
const ENTRY_BYTES = 1;

/**
 * An item's size in bytes, as DynamoDB counts it for read units (Developer Guide, "DynamoDB item sizes and formats").
 * Numbers are approximate there too: about one byte for two significant digits and one more.
 */
export function itemSizeBytes(item: Item): number {
  return Object.entries(item).reduce((sum, [name, value]) => sum + textBytes(name) + valueBytes(value), 0);
}

function valueBytes(value: ItemValue): number {
  if (value.S !== undefined) return textBytes(value.S);
  if (value.N !== undefined) return numberBytes(value.N);
  if (value.B !== undefined) return binaryBytes(value.B);
  if (value.SS !== undefined) return sum(value.SS, textBytes);
  if (value.NS !== undefined) return sum(value.NS, numberBytes);
  if (value.BS !== undefined) return sum(value.BS, binaryBytes);
  if (value.L !== undefined)
    return CONTAINER_BYTES + sum(value.L, (entry) => ENTRY_BYTES + valueBytes(entry));
  if (value.M !== undefined) {
    return (
      CONTAINER_BYTES +
      sum(Object.entries(value.M), ([key, entry]) => ENTRY_BYTES + textBytes(key) + valueBytes(entry))
    );
  }
  return 1;
}

function numberBytes(text: string): number {
  const [mantissa = ''] = text.split(/[eE]/, 1);
  const digits = withoutTrailing(mantissa.replace(/[-+.]/g, '').replace(/^0+/, ''), '0');
  return Math.ceil(digits.length / 2) + 1 + (text.startsWith('-') ? 1 : 0);
}

function binaryBytes(base64: string): number {
  return Buffer.byteLength(base64, 'base64');
}

function textBytes(text: string): number {
  return Buffer.byteLength(text);
}

function sum<T>(values: readonly T[], bytes: (value: T) => number): number {
  return values.reduce((total, value) => total + bytes(value), 0);
}
