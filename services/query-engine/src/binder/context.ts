/** What is handed down while one statement is bound. */
import type { CatalogTable } from '../catalog/table.ts';
import type { Column, ColumnId } from '../logical/expression.ts';
import type { LogicalPlan } from '../logical/plan.ts';
import type { StructureOf } from '../logical/structure.ts';
import type { AstQuery } from '../parser/ast.ts';
import type { Calls } from './calls.ts';
import type { ParameterReader } from './parameters.ts';
import type { Scope } from './scope.ts';
import type { TableName } from './table-names.ts';

/** A common table expression that can be named. */
export interface CteBinding {
  readonly id: number;
  readonly name: string;
  /** Its columns as named; every use gets columns of its own. */
  readonly columns: readonly Column[];
  /** True inside of a query that names itself: of its rows, those that came last. */
  readonly isStep: boolean;
}

/** What lies outside a query: the rows it is correlated to, and the CTEs it may name (the innermost last). */
export interface Environment {
  readonly outer: Scope | null;
  readonly ctes: readonly CteBinding[];
}

/** A query that is bound: its plan, and its columns with the names to show. */
export interface BoundQuery {
  readonly plan: LogicalPlan;
  readonly columns: readonly Column[];
}

export interface StatementContext {
  readonly sql: string;
  /** A column with an ID of its own. */
  readonly newColumn: (name: string) => Column;
  readonly newCteId: () => number;
  /** Counts columns that a NATURAL join compares. False: the statement has too many. */
  readonly mayCompare: (columns: number) => boolean;
  /** The table of that name. @throws PenstockError where there is none */
  readonly table: (name: TableName) => CatalogTable;
  readonly parameters: ParameterReader;
  readonly structureOf: StructureOf;
  /** The statement means what PostgreSQL means by it: elements of arrays count from 1, a division by zero fails, and so on. */
  readonly isPostgresql: boolean;
  /** Columns of subqueries that are arrays, as far as their SELECTs are bound. Grows. */
  readonly arrays: Set<ColumnId>;
  readonly warn: (warning: string) => void;
  /** Told of a call whose value depends on the statement's time. */
  readonly sawClock: () => void;
  /** A SELECT of the statement itself has so many columns of all others behind its own. */
  readonly endsWithOthers: (columns: number) => void;
  /** Binds a subquery, a derived table or a CTE. */
  readonly bindQuery: (query: AstQuery, environment: Environment) => BoundQuery;
}

/** Where an expression stands. */
export interface ExpressionContext {
  readonly statement: StatementContext;
  readonly scope: Scope;
  /** For errors, e.g. `WHERE`. */
  readonly clause: string;
  /** Where aggregates and windows are collected; null where neither can stand. */
  readonly calls: Calls | null;
  /** Windows too. */
  readonly windows: boolean;
}
