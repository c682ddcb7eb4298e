/**
 * ORDER BY that the read answers by itself: the sort key within one partition, forwards or backwards. Reading in that
 * order stops after the rows that are wanted, where sorting would have to read all.
 */
import type { TableRead } from '../dynamodb/table-read.ts';
import type { Expression, SortKey } from '../logical/expression.ts';
import type { LogicalPlan, ScanColumn, TableScan } from '../logical/plan.ts';

/** A scan under filters and projections, and the scan's column that a column above it is, if it is one. */
interface Below {
  readonly scan: TableScan;
  readonly columnOf: (expression: Expression) => ScanColumn | null;
}

function scanBelow(plan: LogicalPlan): Below | null {
  switch (plan.kind) {
    case 'TableScan':
      return {
        scan: plan,
        columnOf: (expression) =>
          expression.kind === 'ColumnReference'
            ? (plan.columns.find(({ id }) => id === expression.column.id) ?? null)
            : null,
      };
    case 'Filter':
      return scanBelow(plan.input);
    case 'Project': {
      const below = scanBelow(plan.input);
      if (below === null) return null;
      const made = new Map(plan.columns.map(({ column, expression }) => [column.id, expression]));
      return {
        scan: below.scan,
        columnOf: (expression) => {
          const source = expression.kind === 'ColumnReference' ? made.get(expression.column.id) : undefined;
          return source === undefined ? null : below.columnOf(source);
        },
      };
    }
    default:
      return null;
  }
}

/** True when a read hands out the rows in the order of these keys. */
function readsInOrder(read: TableRead, keys: readonly SortKey[], { columnOf }: Below): boolean {
  const { path } = read;
  if (path.kind !== 'Query' || path.partitions.length !== 1 || path.index !== null) return false;
  const key = read.table.key;
  const attributes = keys.map(({ expression }) => {
    const column = columnOf(expression);
    return column?.path.length === 1 ? String(column.path[0]) : null;
  });
  // The partition key is one value here, so ordering by it orders nothing.
  const first = attributes.findIndex((name) => name !== key.partitionKey.name);
  const deciding = keys[first];
  if (deciding === undefined) return false;
  // Sort keys are unique within a partition, so whatever is asked after them decides nothing.
  return attributes[first] === key.sortKey?.name && deciding.descending === path.descending;
}

/** How a Sort under limits and projections can be left to the read; null: it cannot. */
export function orderByReading(
  plan: LogicalPlan,
  chooseRead: (scan: TableScan) => TableRead,
): LogicalPlan | null {
  switch (plan.kind) {
    case 'Limit':
    case 'Project': {
      const input = orderByReading(plan.input, chooseRead);
      return input === null ? null : { ...plan, input };
    }
    case 'Sort': {
      const below = scanBelow(plan.input);
      if (below === null) return null;
      return readsInOrder(chooseRead(below.scan), plan.keys, below) ? plan.input : null;
    }
    default:
      return null;
  }
}
