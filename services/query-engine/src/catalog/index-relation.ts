/**
 * An index that a statement names: `FROM schema.table.index`. Its entries are the rows. They have the index's keys, the
 * table's keys and what the index projects; items that it lacks are not among them, and that is what was asked.
 */
import { remembered } from '@penstock/common/caching/remembered.ts';
import {
  indexKeyAttributes,
  indexKeyNames,
  keyNames,
  queryKey,
  type CatalogTable,
  type KeyAttribute,
  type SecondaryIndex,
} from './table.ts';

/** By table, then by index: what is remembered of a table goes by the object. */
const relations = new WeakMap<CatalogTable, Map<SecondaryIndex, CatalogTable>>();

/** The index as a relation of its own: a table that has this index alone, and is read by nothing else. */
export function indexRelation(table: CatalogTable, index: SecondaryIndex): CatalogTable {
  const known = relations.get(table) ?? new Map<SecondaryIndex, CatalogTable>();
  relations.set(table, known);
  const relation = known.get(index) ?? makeRelation(table, index);
  known.set(index, relation);
  return relation;
}

function makeRelation(table: CatalogTable, index: SecondaryIndex): CatalogTable {
  const names = projectedNames(table, index);
  // An index that was not counted yet may be as large as its table.
  const isCounted = index.itemCount > 0 && index.sizeBytes > 0;
  const { itemCount, sizeBytes } = isCounted ? index : table;
  return Object.freeze({
    ...table,
    entriesOf: index.name,
    indexes: Object.freeze([index]),
    attributes: table.attributes.filter(({ name }) => names === null || names.has(name)),
    itemCount,
    sizeBytes,
  });
}

/** What the entries of an index have; null: everything. */
function projectedNames(table: CatalogTable, index: SecondaryIndex): ReadonlySet<string> | null {
  if (index.projection === 'ALL') return null;
  return new Set([...indexKeyNames(index.key), ...keyNames(table.key), ...index.nonKeyAttributes]);
}

/** The index whose entries are read; null for a table. */
export function entriesIndex({ entriesOf, indexes }: CatalogTable): SecondaryIndex | null {
  return (entriesOf === undefined ? undefined : indexes.find(({ name }) => name === entriesOf)) ?? null;
}

/** Whether rows may have attributes that nobody has seen: not those of an index that projects some only. */
export function isOpen(table: CatalogTable): boolean {
  const index = entriesIndex(table);
  return index === null || index.projection === 'ALL';
}

/** The attributes that every row has, with the type that they are declared with. */
export const requiredAttributes = remembered((table: CatalogTable): readonly KeyAttribute[] => {
  const index = entriesIndex(table);
  return [queryKey(table, null), ...(index === null ? [] : [index.key])].flatMap(indexKeyAttributes);
});

/** E.g. `shop.orders`, or `shop.orders.byRegion`: for people. */
export function relationName({ schemaName, tableName, entriesOf, relation }: CatalogTable): string {
  const below = entriesOf ?? relation;
  return `${schemaName}.${tableName}${below === undefined ? '' : `.${below}`}`;
}
