/** Which index `schema.table.index` names, and that it may be read as it is asked for. */
import { nearestNames } from '@penstock/common/text/nearest-names.ts';
import { indexRelation } from '../catalog/index-relation.ts';
import { SEGMENTS_NAME, segmentRelation, toldNames } from '../catalog/segment-relation.ts';
import { matchesOf, nameIndex, positionsOf } from '../catalog/name-index.ts';
import type { CatalogTable, SecondaryIndex } from '../catalog/table.ts';
import type { Identifier } from '../parser/ast.ts';
import { didYouMean, statementError } from './errors.ts';

export interface IndexReading {
  readonly sql: string;
  readonly consistentRead: boolean;
}

/** Those that the role was denied too: who names one is told so by DynamoDB, or may read it again by now. */
function indexesOf({ indexes, deniedIndexes = [] }: CatalogTable): readonly SecondaryIndex[] {
  return [...indexes, ...deniedIndexes];
}

/** The indexes that a name means, of the closest match that there is. */
export function indexesNamed(table: CatalogTable, identifier: Identifier): readonly SecondaryIndex[] {
  const indexes = indexesOf(table);
  const names = nameIndex(indexes.map(({ name }) => name));
  for (const match of matchesOf(identifier)) {
    const found = positionsOf(names, identifier.name, match).flatMap((at) => indexes[at] ?? []);
    if (found.length > 0) return found;
  }
  return [];
}

/**
 * The index as a relation.
 * @throws PenstockError TABLE_NOT_FOUND with the nearest names, AMBIGUOUS_NAME, or INVALID_QUERY for a consistent read of a
 * global index
 */
export function bindIndex(
  table: CatalogTable,
  identifier: Identifier,
  { sql, consistentRead }: IndexReading,
): CatalogTable {
  if (identifier.name === SEGMENTS_NAME) return bindSegments(table, identifier, sql);
  const place = { sql, pos: identifier.pos };
  const shown = `${table.schemaName}.${table.tableName}`;
  const [index, ...others] = indexesNamed(table, identifier);
  if (index === undefined) {
    const names = indexesOf(table).map(({ name }) => name);
    const near = didYouMean(nearestNames(identifier.name, names));
    const all = names.length === 0 ? `${shown} has no index` : `${shown} has ${names.join(', ')}`;
    const message = `Index not found: ${shown}.${identifier.name}`;
    throw statementError('TABLE_NOT_FOUND', message, place, near ?? all);
  }
  if (others.length > 0) {
    const names = [index, ...others].map(({ name }) => `"${name}"`).join(' or ');
    const advice = `it may be ${names}; put the exact name in double quotes`;
    throw statementError('AMBIGUOUS_NAME', `Ambiguous name: ${identifier.name}`, place, advice);
  }
  if (consistentRead && index.global) {
    throw statementError(
      'INVALID_QUERY',
      `A consistent read cannot use index ${index.name} of ${shown}`,
      place,
      'it is a global index, which DynamoDB reads eventually consistently only: leave consistentRead out, or read the table',
    );
  }
  return indexRelation(table, index);
}

/**
 * The table with the numbers of its items' segments.
 * @throws PenstockError AMBIGUOUS_NAME where the table has an attribute of the column's name
 */
function bindSegments(table: CatalogTable, { pos }: Identifier, sql: string): CatalogTable {
  const relation = segmentRelation(table);
  const names = toldNames(relation);
  const own = table.attributes.find(({ name }) => names.includes(name));
  if (own === undefined) return relation;
  throw statementError(
    'AMBIGUOUS_NAME',
    `Ambiguous name: ${table.schemaName}.${table.tableName} has an attribute ${own.name} of its own, which "${SEGMENTS_NAME}" would hide`,
    { sql, pos },
    'read the table itself',
  );
}
