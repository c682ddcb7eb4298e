/**
 * ORDER BY that the read answers by itself, e.g. by the sort key within one partition, forwards or backwards. Reading in
 * that order stops after the rows that are wanted, where sorting would have to read all.
 */
import { allKeyAttributes } from '../catalog/table.ts';
import type { TableRead } from '../dynamodb/table-read.ts';
import type { Limit, LogicalPlan, TableScan } from '../logical/plan.ts';
import { transformPlan, withFields } from '../logical/visit.ts';
import { orderHintOf } from '../optimizer/order-of-scan.ts';

type OrderHint = TableScan['orderHint'];

/** Tells the scan below filters and projections what is wanted of it. Null: it is not alone below them. */
export function askInOrder(
  plan: LogicalPlan,
  orderHint: OrderHint,
  limitHint: number | null,
): LogicalPlan | null {
  switch (plan.kind) {
    case 'TableScan':
      return { ...plan, orderHint, limitHint };
    case 'Filter': {
      const { input, predicates } = plan;
      // Rows that a filter may still drop cannot be counted on.
      const known = input.kind === 'TableScan' && predicates.every((p) => input.filter.includes(p));
      const asked = askInOrder(input, orderHint, known ? limitHint : null);
      return asked === null ? null : { ...plan, input: asked };
    }
    case 'Project': {
      const input = askInOrder(plan.input, orderHint, limitHint);
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
 * `limitHint`: of the Sort's rows; Infinity: all of them.
 */
export function orderByReading(
  plan: LogicalPlan,
  limitHint: number,
  chooseRead: (scan: TableScan) => TableRead,
): LogicalPlan | null {
  switch (plan.kind) {
    case 'Limit': {
      const own = plan.count === null ? limitHint : Math.min(limitHint, plan.count);
      const input = orderByReading(plan.input, own + plan.offset, chooseRead);
      return input === null ? null : { ...plan, input };
    }
    case 'Project': {
      const input = orderByReading(plan.input, limitHint, chooseRead);
      return input === null ? null : { ...plan, input };
    }
    case 'Sort': {
      const wanted = orderHintOf(plan.keys, plan.input);
      const rows = Number.isFinite(limitHint) ? limitHint : null;
      const asked = wanted === null ? null : askInOrder(plan.input, wanted, rows);
      const scan = asked === null ? null : scanUnder(asked);
      return scan !== null && chooseRead(scan).ordered ? asked : null;
    }
    default:
      return null;
  }
}

/** Values that sort in DynamoDB as in the residual query. */
export function sortsAlike({ table }: TableScan, { column }: OrderHint[number]): boolean {
  const key = allKeyAttributes(table).find(({ name }) => name === column.path[0]);
  return column.path.length === 1 && key !== undefined && key.type !== 'B';
}

function withTopRows(node: Limit, chooseRead: (scan: TableScan) => TableRead): LogicalPlan {
  const { input, count, offset } = node;
  if (count === null || input.kind !== 'Sort') return node;
  const wanted = orderHintOf(input.keys, input.input);
  const asked = wanted === null ? null : askInOrder(input.input, wanted, count + offset);
  const scan = asked === null ? null : scanUnder(asked);
  if (asked === null || scan?.limitHint !== count + offset) return node;
  const { ordered, stopAfter } = chooseRead(scan);
  if (!ordered || stopAfter === null || !scan.orderHint.every((key) => sortsAlike(scan, key))) return node;
  return withFields(node, { input: withFields(input, { input: asked }) });
}

/**
 * The plan with scans below each LIMIT of an ORDER BY that are told to stop after the rows that it takes, where they can
 * be read in its order. What was read is sorted again: it may be joined before it goes out.
 */
export function topRowsByReading(root: LogicalPlan, chooseRead: (scan: TableScan) => TableRead): LogicalPlan {
  return transformPlan(root, (node) => (node.kind === 'Limit' ? withTopRows(node, chooseRead) : node));
}
