import type { CatalogTable, SecondaryIndex } from '../../catalog/table.ts';
import type { DocumentStep } from '../../logical/expression.ts';
import { rejectsNull, type Condition } from './condition.ts';

/** Why an index may not be read instead of the table, in words for a warning; null when it may. */
export function whyNotIndex(
  index: SecondaryIndex,
  table: CatalogTable,
  conjuncts: readonly Condition[],
  paths: readonly (readonly DocumentStep[])[],
  consistent: boolean,
): string | null {
  if (consistent && index.global) return 'a consistent read cannot use a global index';
  const missing = paths.map(([name]) => String(name)).find((name) => !projects(index, table, name));
  if (missing !== undefined) return `it does not project ${missing}`;
  const optional = indexOnlyKeys(index, table).find(
    (name) => !conjuncts.some((conjunct) => rejectsNull(conjunct, name)),
  );
  // An index holds only items that have all of its key attributes.
  return optional === undefined ? null : `items without ${optional} are not in it`;
}

/** Whether the index's items have the attribute, where the table's do. */
export function projects(index: SecondaryIndex, table: CatalogTable, attribute: string): boolean {
  if (index.projection === 'ALL') return true;
  const keys = [table.key, index.key].flatMap(({ partitionKey, sortKey }) => [
    partitionKey.name,
    sortKey?.name,
  ]);
  return keys.includes(attribute) || index.nonKeyAttributes.includes(attribute);
}

/** The index's key attributes that items of the table may lack. */
function indexOnlyKeys(index: SecondaryIndex, table: CatalogTable): readonly string[] {
  const always = [table.key.partitionKey.name, table.key.sortKey?.name];
  return [index.key.partitionKey.name, index.key.sortKey?.name].filter(
    (name) => name !== undefined && !always.includes(name),
  ) as string[];
}
