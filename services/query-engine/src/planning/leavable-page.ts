/** Plans of pages that say where the next one begins, or that begin where one before ended. */
import { canBeLeft, leavable } from '../dynamodb/read-position.ts';
import type { ReadEstimate, TableRead } from '../dynamodb/table-read.ts';
import type { ScanColumn, TableScan } from '../logical/plan.ts';
import { limitsOf } from '../logical/limits-of.ts';
import { transformPlan } from '../logical/visit.ts';
import { withHiddenColumns } from './page-order.ts';
import type { PagePosition } from './page-position.ts';
import type { Execution, PhysicalPlan, ScanBinding } from './physical-plan.ts';

/** A column of no attribute: an item's number in its page of the read. */
const ITEM: ScanColumn = Object.freeze({ id: 2_000_000_001, name: 'item', path: [] });
const HIDDEN_ID = 2_000_000_002;

/** Whether there can be a page behind this one that begins where it ends. */
export function isLeavable({ execution, reads, statement, page }: PhysicalPlan): boolean {
  const [read, ...others] = reads;
  if (execution.kind === 'full' || read === undefined || others.length > 0) return false;
  if (page.maxRows === Infinity || execution.rows.count === 0 || !canBeLeft(read)) return false;
  const { count } = limitsOf(statement.plan);
  return page.firstRowIdx > 0 || count === null || count > page.firstRowIdx + page.maxRows;
}

/** `after` null: the page goes on behind the rows before it by reading these, too. */
export function leavablePage(plan: PhysicalPlan, after: PagePosition | null): PhysicalPlan {
  const [read] = plan.reads;
  const { execution } = plan;
  if (read === undefined || execution.kind === 'full') throw new Error('the plan is not row by row');
  const from = after === null ? read : startedBehind(read, execution.rows, after);
  const reads = [leavable(from, after?.read ?? null)];
  const rows = after === null ? execution.rows : { ...execution.rows, offset: 0 };
  const page = { ...plan, reads, ...(after === null ? {} : { startsBehind: after }) };
  if (execution.kind === 'lookup') return { ...page, execution: { ...execution, rows } };
  return { ...page, execution: withItemNumbers(plan, { ...execution, rows }) };
}

/** The read without what came before: fewer rows are wanted of it, and it is known how many items hold them. */
function startedBehind(
  read: TableRead,
  { offset, count }: Execution['rows'],
  { cost }: PagePosition,
): TableRead {
  const part = count / (offset + count);
  const inHalves = (units: number): number => Math.ceil(units * part * 2) / 2;
  const { estimate, stopAfter, pageLimit } = read;
  const seen = (cost.halfUnits / 2 / Math.max(1, cost.rows)) * count;
  const units = Math.min(estimate.units, Math.max(inHalves(estimate.units), Math.ceil(seen * 2) / 2));
  const behind: ReadEstimate = {
    rows: Math.min(estimate.rows, count),
    units,
    low: Math.min(estimate.low, units, 0.5),
    high: estimate.high,
  };
  return {
    ...read,
    estimate: behind,
    stopAfter: stopAfter === null ? null : count,
    pageLimit: pageLimit === null ? null : count,
    firstPageItems: null,
  };
}

/** With each item's number behind the other columns. */
function withItemNumbers(
  { bindings, reads }: PhysicalPlan,
  execution: Extract<Execution, { kind: 'pageByPage' }>,
): Execution {
  const numbered = new Map<TableScan, ScanBinding>();
  const rowPlan = transformPlan(execution.rowPlan, (node) => {
    if (node.kind !== 'TableScan') return node;
    const binding = bindings.get(node);
    if (binding === undefined) throw new Error(`no read for the scan of ${node.alias}`);
    const scan: TableScan = { ...node, columns: [...node.columns, ITEM] };
    // Behind the read's own columns.
    numbered.set(scan, { ...binding, positions: [...binding.positions, reads[0]?.columns.length ?? 0] });
    return scan;
  });
  return { ...execution, rowPlan: withHiddenColumns(rowPlan, [ITEM], HIDDEN_ID), bindings: numbered };
}
