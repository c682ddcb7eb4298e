/** What writers of expressions ask of the writer of plans, so that neither imports the other's insides. */
import type { ColumnId } from '../logical/expression.ts';
import type { LogicalPlan } from '../logical/plan.ts';
import type { SqlType, Typed } from './types/sql-type.ts';
import type { TextBudget } from './text-budget.ts';

/** A whole SELECT and its output columns. */
export interface WrittenQuery {
  readonly sql: string;
  readonly columns: readonly { readonly id: ColumnId; readonly type: SqlType }[];
}

export interface WriteScope {
  /** The type of a column that a plan below, or around, has produced. */
  typeOf(id: ColumnId): SqlType;
  /** A subquery as SQL text, without parentheses. */
  subquery(plan: LogicalPlan): WrittenQuery;
  /** What functions may take and make of texts. */
  readonly textBudget: TextBudget;
  /** A table alias that is not in use. */
  freshAlias(): string;
}

/** Columns are named by their ID, so that any attribute name is safe and an outer column needs no qualifier. */
export function columnName(id: ColumnId): string {
  return `c${id}`;
}

export function columnValue(scope: WriteScope, id: ColumnId): Typed {
  return { sql: columnName(id), type: scope.typeOf(id) };
}
