/** How a statement is carried out, as plain data: which reads, and what DuckDB has left to do. */
import type { KeyAttribute } from '../catalog/table.ts';
import type { TableRead } from '../dynamodb/table-read.ts';
import type { Expression } from '../logical/expression.ts';
import type { BoundStatement, LogicalPlan, ScanColumn, TableScan } from '../logical/plan.ts';
import type { StatementTime } from '../logical/statement-time.ts';
import type { IndexLookupChoice } from './index-lookup.ts';
import type { RowWindow } from '../logical/limits-of.ts';
import type { OrderedTry } from './ordered-tries.ts';
import type { PagePosition } from './page-position.ts';

/** Where a scan's columns are: in which read, and at which of its columns. */
export interface ScanBinding {
  readonly read: number;
  readonly positions: readonly number[];
}

/** Rows are read only where these columns have values that other tables were found to hold. */
export interface DynamicFilter {
  /** Columns of the scan. */
  readonly columns: readonly ScanColumn[];
  /** What each of them must equal: for EXPLAIN. */
  readonly sources: readonly Expression[];
  /** Rows of the values, by position; those of a row belong together. Needs nothing around it. */
  readonly query: LogicalPlan;
  /** Reads that must be in before. */
  readonly reads: readonly number[];
  /** The node of the statement whose condition it follows from. */
  readonly at: LogicalPlan;
  /** See `FilterCandidate`. */
  readonly byDoubles: boolean;
}

/** A read that is chosen when its keys are known. Until then `reads` has what is expected. */
export interface FilteredScan {
  readonly scan: TableScan;
  /** One at least. */
  readonly filters: readonly DynamicFilter[];
  /** Different keys that are expected. */
  readonly keys: number;
  /**
   * What is read where the keys are no help: the same for all scans of a table that need it whole, and then read once.
   * `positions`: where the scan's columns are in it.
   */
  readonly fallback: TableRead;
  readonly positions: readonly number[];
  /** What the dynamically filtered scan may cost: this scan's share of what `fallback` does. */
  readonly unitsMax: number;
}

/** A part of the statement without whose rows a read is of no use. */
export interface EmptySide {
  /** Needs nothing around it. */
  readonly query: LogicalPlan;
  /** Reads that must be in before. */
  readonly reads: readonly number[];
}

/** By what the rows of a page are put in order; as cells, these come behind those of the output. Empty: as they come. */
export type PageOrder = readonly {
  readonly column: ScanColumn;
  readonly descending: boolean;
  readonly type: KeyAttribute['type'];
}[];

/**
 * `lookup`: rows go out as they come in, checked and cut here; DuckDB is not asked. `pageByPage`: DuckDB computes each
 * page of the one read for itself, and reading stops when enough rows are there. `full`: everything is read, then
 * DuckDB runs the residual query.
 */
export type Execution =
  | {
      readonly kind: 'lookup';
      readonly rows: RowWindow;
      /** Conjuncts that `row-check.ts` understands. */
      readonly predicates: readonly Expression[];
      /** For each output column, and each of `order`, the position among the read's columns. */
      readonly outputs: readonly number[];
      /** The same for DuckDB, as of `pageByPage`: it writes what is no text. */
      readonly rowPlan: BoundStatement['plan'];
      readonly order: PageOrder;
    }
  | {
      readonly kind: 'pageByPage';
      readonly rows: RowWindow;
      /** Its columns are those of the output and of `order`. */
      readonly rowPlan: BoundStatement['plan'];
      /** Of the scan in it, where that is another than the statement's; absent: the plan's. */
      readonly bindings?: PhysicalPlan['bindings'];
      readonly order: PageOrder;
    }
  /** `rows` without the statement's own LIMIT and OFFSET, which the residual query has. */
  | { readonly kind: 'full'; readonly rows: RowWindow };

export interface PhysicalPlan {
  readonly statement: BoundStatement;
  /** What the caller asked for; `execution.rows` is this within the statement's own LIMIT and OFFSET. */
  readonly page: { readonly firstRowIdx: number; readonly maxRows: number };
  /** Set where the page begins behind the one before it: `execution.rows` has its rows alone. */
  readonly startsBehind?: PagePosition;
  /** A dynamically filtered scan comes after the reads of its build sides. */
  readonly reads: readonly TableRead[];
  /** By position in `reads`. */
  readonly filteredScans: ReadonlyMap<number, FilteredScan>;
  /** By position in `reads`: index lookups that may turn out too dear once their keys are known. */
  readonly lookups: ReadonlyMap<number, IndexLookupChoice>;
  /** By position in `reads`: those in order that may turn out not to be enough. */
  readonly tries: ReadonlyMap<number, OrderedTry>;
  /** By position in `reads`: where one of these has no rows, the read is not made. No two reads wait for each other. */
  readonly emptySides: ReadonlyMap<number, readonly EmptySide[]>;
  readonly bindings: ReadonlyMap<TableScan, ScanBinding>;
  readonly execution: Execution;
  /** Of the statement, where it reads the clock. */
  readonly time?: StatementTime;
}
