/** The columns that a table is known to have. */
import { remembered } from '@penstock/common/caching/remembered.ts';
import { entriesIndex } from './index-relation.ts';
import { toldNames } from './segment-relation.ts';
import { indexKeyNames, keyNames, type Attribute, type CatalogTable } from './table.ts';

/** Orders names as DynamoDB orders text: by UTF-8 bytes. */
export function byUtf8(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** An attribute, and since when it is known if that is later than the first sample; else empty. */
type Place = readonly [name: string, metSince: string];

/**
 * Names of a table's attributes in the order of `SELECT *`: partition key, sort key, then all others by name, and last those
 * that were met after the first sample, in the order in which they were. Keys of indexes are among them even where the
 * sample met no item that has them. Of an index, its own keys come first.
 */
export function attributeNames(table: CatalogTable): readonly string[] {
  const entries = entriesIndex(table);
  const keys = [
    ...new Set([...(entries === null ? [] : indexKeyNames(entries.key)), ...keyNames(table.key)]),
  ];
  const others = new Map(table.attributes.map(({ name, metSince }) => [name, metSince ?? '']));
  const add = (name: string): unknown => others.has(name) || others.set(name, '');
  for (const name of entries?.nonKeyAttributes ?? []) add(name);
  for (const { key } of table.indexes) for (const name of indexKeyNames(key)) add(name);
  for (const key of keys) others.delete(key);
  const byPlace = ([a, metA]: Place, [b, metB]: Place): number => byUtf8(metA, metB) || byUtf8(a, b);
  return [...keys, ...[...others].sort(byPlace).map(([name]) => name), ...toldNames(table)];
}

/** The attributes by their names, for callers that look up each of a thousand. */
export const attributesByName = remembered(
  (attributes: readonly Attribute[]): ReadonlyMap<string, Attribute> =>
    new Map(attributes.map((attribute) => [attribute.name, attribute])),
);

/** The attributes of the map at this attribute; none when it is not known to be one. */
export function nestedAttributes(attributes: readonly Attribute[], name: string): readonly Attribute[] {
  return attributes.find((attribute) => attribute.name === name)?.nested ?? [];
}
