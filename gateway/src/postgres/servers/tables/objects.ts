/** A tenant's schemas and tables as PostgreSQL is to have them, as plain data. */
import type { NumericDigits } from '../../types/numeric-modifier.ts';
import type { ColumnType } from './column-type.ts';

export interface ColumnObject {
  readonly name: string;
  readonly type: ColumnType;
  /** Digits of a number; absent: a number has as many as it likes. */
  readonly digits?: NumericDigits;
  readonly notNull: boolean;
  /** Why it has its type. */
  readonly comment: string;
}

export interface IndexObject {
  readonly name: string;
  readonly isPrimary: boolean;
  /** Names of columns. */
  readonly columns: readonly string[];
  readonly itemCount: number;
}

export interface TableObject {
  readonly name: string;
  readonly columns: readonly ColumnObject[];
  readonly indexes: readonly IndexObject[];
  readonly itemCount: number;
  readonly comment: string;
}

export interface SchemaObject {
  readonly name: string;
  /** What was left out of it; null: nothing. */
  readonly comment: string | null;
  /** By name. */
  readonly tables: ReadonlyMap<string, TableObject>;
}

/** By name. */
export type DatabaseObjects = ReadonlyMap<string, SchemaObject>;
