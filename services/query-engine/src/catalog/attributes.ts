/** The columns that a table is known to have. */
import { entriesIndex } from './index-relation.ts';
import { indexKeyNames, keyNames, type Attribute, type CatalogTable } from './table.ts';

/** Orders names as DynamoDB orders text: by UTF-8 bytes. */
export function byUtf8(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/**
 * Names of a table's attributes in the order of `SELECT *`: partition key, sort key, then all others by name. Keys of
 * indexes are among them even where the sample met no item that has them. Of an index, its own keys come first.
 */
export function attributeNames(table: CatalogTable): readonly string[] {
  const entries = entriesIndex(table);
  const keys = [
    ...new Set([...(entries === null ? [] : indexKeyNames(entries.key)), ...keyNames(table.key)]),
  ];
  const others = new Set(table.attributes.map(({ name }) => name));
  for (const name of entries?.nonKeyAttributes ?? []) others.add(name);
  for (const { key } of table.indexes) for (const name of indexKeyNames(key)) others.add(name);
  for (const key of keys) others.delete(key);
  return [...keys, ...[...others].sort(byUtf8)];
}

/** The attributes of the map at this attribute; none when it is not known to be one. */
export function nestedAttributes(attributes: readonly Attribute[], name: string): readonly Attribute[] {
  return attributes.find((attribute) => attribute.name === name)?.nested ?? [];
}
