/**
 * Which columns can be named where.
 *
 * A table's columns are not a closed set: each attribute or document path that the statement names becomes a column of
 * the occurrence when it is first named. That map is the one thing here that grows while a SELECT is bound; its scan is
 * made when the SELECT is complete.
 */
import { remembered } from '@penstock/common/caching/remembered.ts';
import { attributeNames } from '../catalog/attributes.ts';
import { nameIndex } from '../catalog/name-index.ts';
import type { NameIndex } from '../catalog/name-index.ts';
import type { CatalogTable } from '../catalog/table.ts';
import { columnReference } from '../logical/build-expression.ts';
import type { Column, DocumentStep, Expression } from '../logical/expression.ts';
import type { ScanColumn } from '../logical/plan.ts';
import type { Identifier } from '../parser/ast.ts';
import type { Calls } from './calls.ts';
import type { Environment, StatementContext } from './context.ts';

/** A table in FROM. */
export interface TableRelation {
  readonly kind: 'TableRelation';
  readonly name: Identifier;
  /** Null when an alias hides the table's own name. */
  readonly schemaName: string | null;
  readonly table: CatalogTable;
  readonly index: NameIndex;
  /** By path, as JSON. Grows. */
  readonly columns: Map<string, ScanColumn>;
  /** Whether a star shows it. Is set. */
  readonly uses: { star: boolean };
}

/** A derived table, a CTE, or anything else with a fixed list of columns. */
export interface ColumnsRelation {
  readonly kind: 'ColumnsRelation';
  /** Null: has no name to qualify by. */
  readonly name: Identifier | null;
  readonly columns: readonly Column[];
  readonly index: NameIndex;
  /** Its name means its first column, where no column is called so, as of functions of one value a row in PostgreSQL. */
  readonly isValue: boolean;
}

export type Relation = TableRelation | ColumnsRelation;

/** The one column that USING or NATURAL makes of two. */
export interface MergedColumn {
  readonly name: string;
  readonly expression: Expression;
}

/** What FROM offers by name. */
export interface Visible {
  readonly relations: readonly Relation[];
  readonly merged: readonly MergedColumn[];
  /** Relations and merged columns in the order in which `*` shows them: a join's merged columns come before its sides. */
  readonly shown: readonly (Relation | MergedColumn)[];
  /** Columns (positions in the relation's index) that only a qualified name reaches, since they are merged. */
  readonly covered: ReadonlyMap<Relation, ReadonlySet<number>>;
}

/** SELECT-list aliases, where a clause may use them. */
export interface Aliases {
  readonly index: NameIndex;
  /** Of the same positions. */
  readonly expressions: readonly Expression[];
}

export interface Scope extends Visible {
  /** Asked after the relations, before what lies outside. */
  readonly aliases: Aliases | null;
  /** For subqueries: where the SELECT of these rows collects aggregates. Absent or null where none can stand. */
  readonly calls?: Calls | null;
  readonly environment: Environment;
}

export const NOTHING_VISIBLE: Visible = Object.freeze({
  relations: [],
  merged: [],
  shown: [],
  covered: new Map(),
});

/** A FROM of one relation alone. */
export const onlyVisible = (relation: Relation): Visible => ({
  ...NOTHING_VISIBLE,
  relations: [relation],
  shown: [relation],
});

// Tables are frozen and shared by statements; a table of many attributes is indexed once.
const tableIndex = remembered((table: CatalogTable): NameIndex => nameIndex(attributeNames(table)));

export function tableRelation(
  table: CatalogTable,
  name: Identifier,
  schemaName: string | null,
): TableRelation {
  return {
    kind: 'TableRelation',
    name,
    schemaName,
    table,
    index: tableIndex(table),
    columns: new Map(),
    uses: { star: false },
  };
}

export function columnsRelation(
  name: Identifier | null,
  columns: readonly Column[],
  isValue = false,
): ColumnsRelation {
  const index = nameIndex(columns.map((column) => column.name));
  return { kind: 'ColumnsRelation', name, columns, index, isValue };
}

/** `a.b[0].c`, as a path is written. */
export function pathText(path: readonly DocumentStep[]): string {
  return path
    .map((step, position) => (typeof step === 'number' ? `[${step}]` : position === 0 ? step : `.${step}`))
    .join('');
}

/** The column of this occurrence for a path, made when it is first named. */
export function scanColumn(
  statement: StatementContext,
  relation: TableRelation,
  path: readonly DocumentStep[],
): ScanColumn {
  const key = JSON.stringify(path);
  const known = relation.columns.get(key);
  if (known !== undefined) return known;
  const column = Object.freeze({ ...statement.newColumn(pathText(path)), path: Object.freeze([...path]) });
  relation.columns.set(key, column);
  return column;
}

/** The column at a position of the relation's index. */
export function columnAt(statement: StatementContext, relation: Relation, position: number): Expression {
  const column =
    relation.kind === 'TableRelation'
      ? scanColumn(statement, relation, [relation.index.names[position] as string])
      : (relation.columns[position] as Column);
  return columnReference(column);
}

/** True when the column comes from this FROM, not from outside. */
export function produces(visible: Visible, id: number): boolean {
  return visible.relations.some((relation) => {
    for (const column of relation.columns.values()) if (column.id === id) return true;
    return false;
  });
}
