/** How a statement is carried out, as plain data: which reads, and what DuckDB has left to do. */
import type { TableRead } from '../dynamodb/table-read.ts';
import type { Expression } from '../logical/expression.ts';
import type { BoundStatement, TableScan } from '../logical/plan.ts';
import type { RowWindow } from './write/plan.ts';

/** Where a scan's columns are: in which read, and at which of its columns. */
export interface ScanBinding {
  readonly read: number;
  readonly positions: readonly number[];
}

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
      /** For each output column, the position among the read's columns. */
      readonly outputs: readonly number[];
    }
  | { readonly kind: 'pageByPage'; readonly rows: RowWindow; readonly rowPlan: BoundStatement['plan'] }
  /** `rows` without the statement's own LIMIT and OFFSET, which the residual query has. */
  | { readonly kind: 'full'; readonly rows: RowWindow };

export interface PhysicalPlan {
  readonly statement: BoundStatement;
  /** What the caller asked for; `execution.rows` is this within the statement's own LIMIT and OFFSET. */
  readonly page: { readonly firstRowIdx: number; readonly maxRows: number };
  readonly reads: readonly TableRead[];
  readonly bindings: ReadonlyMap<TableScan, ScanBinding>;
  readonly execution: Execution;
}
