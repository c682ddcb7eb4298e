/** The columns that a table is known to have. */
import type { Attribute, CatalogTable } from './table.ts';

/** Orders names as DynamoDB orders text: by UTF-8 bytes. */
export function byUtf8(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/**
 * Names of a table's attributes in the order of `SELECT *`: partition key, sort key, then all others by name. Keys of
 * indexes are among them even where the sample met no item that has them.
 */
export function attributeNames(table: CatalogTable): readonly string[] {
  const keys = [table.key.partitionKey.name];
  if (table.key.sortKey !== null) keys.push(table.key.sortKey.name);
  const others = new Set(table.attributes.map(({ name }) => name));
  for (const { key } of table.indexes) {
    others.add(key.partitionKey.name);
    if (key.sortKey !== null) others.add(key.sortKey.name);
  }
  for (const key of keys) others.delete(key);
  return [...keys, ...[...others].sort(byUtf8)];
}

/** The attributes of the map at this attribute; none when it is not known to be one. */
export function nestedAttributes(attributes: readonly Attribute[], name: string): readonly Attribute[] {
  return attributes.find((attribute) => attribute.name === name)?.nested ?? [];
}
