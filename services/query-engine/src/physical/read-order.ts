/**
 * ORDER BY that the read answers by itself, e.g. by the sort key within one partition, forwards or backwards. Reading in
 * that order stops after the rows that are wanted, where sorting would have to read all.
 */
import type { TableRead } from '../dynamodb/table-read.ts';
import type { Expression, SortKey } from '../logical/expression.ts';
import type { LogicalPlan, ScanColumn, TableScan } from '../logical/plan.ts';

type OrderWanted = TableScan['orderWanted'];

/** The scan's column that an expression above filters and projections is; null where it is none. */
function scanColumn(expression: Expression, plan: LogicalPlan): ScanColumn | null {
  if (expression.kind !== 'ColumnReference') return null;
  const { id } = expression.column;
  switch (plan.kind) {
    case 'TableScan':
      return plan.columns.find((column) => column.id === id) ?? null;
    case 'Filter':
      return scanColumn(expression, plan.input);
    case 'Project': {
      const source = plan.columns.find(({ column }) => column.id === id);
      return source === undefined ? null : scanColumn(source.expression, plan.input);
    }
    default:
      return null;
  }
}

function orderOf(keys: readonly SortKey[], plan: LogicalPlan): OrderWanted | null {
  const wanted = keys.map(({ expression, descending }) => {
    const column = scanColumn(expression, plan);
    return column === null ? null : { column, descending };
  });
  return wanted.every((key) => key !== null) ? wanted : null;
}

/** Tells the scan below filters and projections what is wanted of it. Null: it is not alone below them. */
function ask(plan: LogicalPlan, orderWanted: OrderWanted, rowsNeeded: number | null): LogicalPlan | null {
  switch (plan.kind) {
    case 'TableScan':
      return { ...plan, orderWanted, rowsNeeded };
    case 'Filter': {
      const { input, predicates } = plan;
      // Rows that a filter may still drop cannot be counted on.
      const known = input.kind === 'TableScan' && predicates.every((p) => input.filter.includes(p));
      const asked = ask(input, orderWanted, known ? rowsNeeded : null);
      return asked === null ? null : { ...plan, input: asked };
    }
    case 'Project': {
      const input = ask(plan.input, orderWanted, rowsNeeded);
      return input === null ? null : { ...plan, input };
    }
    default:
      return null;
  }
}

function scanUnder(plan: LogicalPlan): TableScan | null {
  if (plan.kind === 'TableScan') return plan;
  return plan.kind === 'Filter' || plan.kind === 'Project' ? scanUnder(plan.input) : null;
}

/**
 * The plan with its Sort left to the read, which is told how many rows are needed; null where no read can take it over.
 * `rowsNeeded`: of the Sort's rows.
 */
export function orderByReading(
  plan: LogicalPlan,
  rowsNeeded: number,
  chooseRead: (scan: TableScan) => TableRead,
): LogicalPlan | null {
  switch (plan.kind) {
    case 'Limit': {
      const own = plan.count === null ? rowsNeeded : Math.min(rowsNeeded, plan.count);
      const input = orderByReading(plan.input, own + plan.offset, chooseRead);
      return input === null ? null : { ...plan, input };
    }
    case 'Project': {
      const input = orderByReading(plan.input, rowsNeeded, chooseRead);
      return input === null ? null : { ...plan, input };
    }
    case 'Sort': {
      const wanted = orderOf(plan.keys, plan.input);
      const asked = wanted === null ? null : ask(plan.input, wanted, rowsNeeded);
      const scan = asked === null ? null : scanUnder(asked);
      return scan !== null && chooseRead(scan).ordered ? asked : null;
    }
    default:
      return null;
  }
}
