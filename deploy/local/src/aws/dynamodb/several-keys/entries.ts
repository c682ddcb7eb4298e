import { createHash } from 'node:crypto';
import type { KeyPredicate } from '../checks/several-keys.ts';
import { canonicalNumber, compareScalars } from '../checks/scalar-order.ts';
import { typeOf } from '../expression/placeholders.ts';
import { isFields, text, type AttributeValue, type Fields } from '../input.ts';
import { keysOf, type IndexSchema, type KeyAttribute, type TableSchema } from '../table-schema.ts';

/** Which segment of how many reads the entry: all that have one partition key are in the same. */
export function segmentOf(entry: Fields, index: IndexSchema, segments: number): number {
  return Number.parseInt(partitionHash(entry, index).slice(0, 8), 16) % segments;
}

/**
 * The order of an index: by sort key attributes, from left to right. Scans go by partition first, in an order that says
 * nothing, and what is equal goes by the table's key.
 */
export function entryOrder(
  operation: string,
  index: IndexSchema,
  table: TableSchema,
): (one: Fields, other: Fields) => number {
  const ordered = [...index.sortKeys, ...keysOf(table)];
  return (one, other) => {
    if (operation === 'Scan') {
      const [a, b] = [partitionHash(one, index), partitionHash(other, index)];
      if (a !== b) return a < b ? -1 : 1;
    }
    for (const { name } of ordered) {
      const order = compareScalars(valueOf(one, name), valueOf(other, name));
      if (order !== 0) return order;
    }
    return 0;
  };
}

/** Whether an entry is what a key condition asks for. */
export function holds(entry: Fields, predicates: readonly KeyPredicate[]): boolean {
  return predicates.every(({ name, operator, values }) => {
    const value = valueOf(entry, name);
    const [low = {}, high = low] = values;
    const order = compareScalars(value, low);
    switch (operator) {
      case '=':
        return order === 0;
      case '<':
        return order < 0;
      case '<=':
        return order <= 0;
      case '>':
        return order > 0;
      case '>=':
        return order >= 0;
      case 'BETWEEN':
        return order >= 0 && compareScalars(value, high) <= 0;
      default:
        return bytesOf(value).subarray(0, bytesOf(low).length).equals(bytesOf(low));
    }
  });
}

/** The attributes that say where a read goes on: the index's keys and the table's. */
export function startKeyOf(entry: Fields, index: IndexSchema, table: TableSchema): Fields {
  return Object.fromEntries(startKeyAttributes(index, table).map(({ name }) => [name, entry[name]]));
}

/** Whether a starting key has just those attributes, of their types. */
export function isStartKey(key: Fields, index: IndexSchema, table: TableSchema): boolean {
  const attributes = new Map(startKeyAttributes(index, table).map(({ name, type }) => [name, type]));
  return (
    Object.keys(key).length === attributes.size &&
    [...attributes].every(([name, type]) => typeOf(valueOf(key, name)) === type)
  );
}

function startKeyAttributes(
  { partitionKeys, sortKeys }: IndexSchema,
  table: TableSchema,
): readonly KeyAttribute[] {
  return [...partitionKeys, ...sortKeys, ...keysOf(table)];
}

function valueOf(item: Fields, name: string): AttributeValue {
  const value = item[name];
  return isFields(value) ? value : {};
}

function bytesOf(value: AttributeValue): Buffer {
  const type = typeOf(value);
  return Buffer.from(text(value, type) ?? '', type === 'B' ? 'base64' : 'utf8');
}

function partitionHash(entry: Fields, { partitionKeys }: IndexSchema): string {
  const values = partitionKeys.map(({ name, type }) => {
    const content = text(valueOf(entry, name), type) ?? '';
    return type === 'N' ? canonicalNumber(content) : content;
  });
  return createHash('sha256').update(JSON.stringify(values)).digest('hex');
}
