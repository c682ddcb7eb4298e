/** Finds what an identifier names among the relations of one scope. */
import { remembered } from '@penstock/common/caching/remembered.ts';
import { foldCase, matchesOf, nameIndex, positionsOf } from '../catalog/name-index.ts';
import type { Match, NameIndex } from '../catalog/name-index.ts';
import type { Identifier } from '../parser/ast.ts';
import type { MergedColumn, Relation, TableRelation, Visible } from './scope.ts';

/** A column that a name may mean. */
export type Candidate =
  | { readonly kind: 'Merged'; readonly merged: MergedColumn }
  | {
      readonly kind: 'Column';
      readonly relation: Relation;
      readonly position: number;
      /** The name that it was found by, where that is its relation's. Absent: its own. */
      readonly called?: string;
    };

const sameName = (identifier: Identifier, name: string, match: Match): boolean =>
  match === 'exact' ? identifier.name === name : foldCase(identifier.name) === foldCase(name);

/** NATURAL joins merge thousands of columns, each of which the next join asks for. */
const indexOfMerged = remembered((merged: Visible['merged']): NameIndex =>
  nameIndex(merged.map(({ name }) => name)),
);

/** Columns that an unqualified name means, of the closest match that there is. */
export function columnsNamed(visible: Visible, identifier: Identifier): readonly Candidate[] {
  for (const match of matchesOf(identifier)) {
    const found = positionsOf(indexOfMerged(visible.merged), identifier.name, match).map(
      (position): Candidate => {
        const merged = visible.merged[position] as MergedColumn;
        return { kind: 'Merged', merged };
      },
    );
    for (const relation of visible.relations) {
      const covered = visible.covered.get(relation);
      for (const position of positionsOf(relation.index, identifier.name, match)) {
        if (covered?.has(position) !== true) found.push({ kind: 'Column', relation, position });
      }
    }
    if (found.length > 0) return found;
  }
  return relationsNamed(visible, null, identifier)
    .filter((relation) => relation.kind === 'ColumnsRelation' && relation.isValue)
    .map((relation) => ({
      ...{ kind: 'Column', relation, position: 0, called: relation.name?.name ?? identifier.name },
    }));
}

/** Positions of the relation's columns that the name means, of the closest match that there is. */
export function columnsOfRelation(relation: Relation, identifier: Identifier): readonly number[] {
  for (const match of matchesOf(identifier)) {
    const positions = positionsOf(relation.index, identifier.name, match);
    if (positions.length > 0) return positions;
  }
  return [];
}

const isOf = (schema: Identifier | null, relation: Relation): boolean =>
  schema === null ||
  (relation.kind === 'TableRelation' &&
    relation.schemaName !== null &&
    // Schema names are case-insensitive however they are written (../../README.md, "Names").
    foldCase(relation.schemaName) === foldCase(schema.name));

/** Relations that `table.` or `schema.table.` means, of the closest match that there is. */
export function relationsNamed(
  visible: Visible,
  schema: Identifier | null,
  table: Identifier,
): readonly Relation[] {
  for (const match of matchesOf(table)) {
    const found = visible.relations.filter(
      (relation) =>
        relation.name !== null && sameName(table, relation.name.name, match) && isOf(schema, relation),
    );
    if (found.length > 0) return found;
  }
  return [];
}

/** The tables among the relations: what may have attributes that nobody has seen. */
export function tablesOf(visible: Visible): readonly TableRelation[] {
  return visible.relations.filter((relation) => relation.kind === 'TableRelation');
}

/** How to name a candidate so that nothing else is meant. */
export function candidateName(candidate: Candidate): string {
  if (candidate.kind === 'Merged') return candidate.merged.name;
  const column = candidate.relation.index.names[candidate.position] ?? '';
  const qualifier = candidate.relation.name?.name;
  return qualifier === undefined ? column : `${qualifier}.${column}`;
}
