import type { Column } from '../logical/expression.ts';
import type { LogicalPlan, TableScan } from '../logical/plan.ts';
import type { SqlType } from './types/sql-type.ts';
import type { Block, Selected } from './block.ts';
import type { WriteScope } from './scope.ts';
import type { ScanSource } from './sources.ts';

/** What the writer of one kind of node works with: what is in scope, its inputs, and blocks made fit for a next clause. */
export interface NodeWriter extends WriteScope {
  readonly sourceOf: (scan: TableScan) => ScanSource;
  /** Types of the columns of CTEs, by the CTE's ID. */
  readonly ctes: Map<number, readonly SqlType[]>;
  block(plan: LogicalPlan): Block;
  /** Brings a column into scope. Gives its name. */
  declare(column: Column, type: SqlType): Selected['name'];
  /** As a subquery in the FROM of a new block. */
  wrap(block: Block): Block;
  /** A block that has nothing but FROM and WHERE. */
  bare(block: Block): Block;
  /** A block whose SELECT list is still open. */
  open(block: Block): Block;
  /** With all columns of the plan in its SELECT list, where that is still open. */
  selectAll(block: Block, plan: LogicalPlan): Block;
  /** With the outermost order final, whatever the plan itself asked for. */
  ordered(block: Block, plan: LogicalPlan): Block;
  /** With one more column. */
  withColumn(block: Block, column: Selected): Block;
  /** As a FROM item. */
  item(block: Block): string;
}
