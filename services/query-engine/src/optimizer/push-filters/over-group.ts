/** Conjuncts over Aggregate and Window that decide on whole groups or partitions can do so before there are any. */
import type { Expression } from '../../logical/expression.ts';
import type { Aggregate, Window } from '../../logical/plan.ts';
import { usedColumns, usesOnlyOutputOf } from '../column-use.ts';
import { substitute } from '../substitute.ts';

/**
 * The conjunct below an Aggregate; null where it has to stay above. Without GROUP BY there is one group even of no rows;
 * a grouping set without a column makes it NULL above.
 */
export function belowAggregate(node: Aggregate, conjunct: Expression): Expression | null {
  if (node.groupingSets !== null || usedColumns(conjunct).size === 0) return null;
  const keys = new Map(node.groupBy.map(({ column, expression }) => [column.id, expression]));
  if (![...usedColumns(conjunct)].every((id) => keys.has(id))) return null;
  return substitute(conjunct, keys);
}

/** Whether the conjunct is over columns that every function's PARTITION BY names: it drops whole partitions only. */
export function isBelowWindow(node: Window, conjunct: Expression): boolean {
  if (usedColumns(conjunct).size === 0 || !usesOnlyOutputOf(conjunct, node.input)) return false;
  return node.functions.every(({ window }) => {
    const partition = new Set(
      window.partitionBy.flatMap((key) => (key.kind === 'ColumnReference' ? [key.column.id] : [])),
    );
    return [...usedColumns(conjunct)].every((id) => partition.has(id));
  });
}
