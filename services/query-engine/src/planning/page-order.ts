/** What a page must be put in order by, where its rows come from an index that may lag behind the table. */
import { indexKeyAttributes, queryKey } from '../catalog/table.ts';
import type { TableRead } from '../dynamodb/table-read.ts';
import { columnReference } from '../logical/build-expression.ts';
import { project } from '../logical/build-plan.ts';
import { outputColumns } from '../logical/output.ts';
import type { LogicalPlan, ScanColumn, TableScan } from '../logical/plan.ts';
import { withFields } from '../logical/visit.ts';
import type { PageOrder } from './physical-plan.ts';

/** IDs of columns that only order a page: no statement has so many. */
const FIRST_ID = 1_000_000_000;

/** Empty where the rows come in their order, or in none that was asked for. */
export function pageOrderOf({ path }: TableRead, { orderHint, table }: TableScan): PageOrder {
  if (path.kind !== 'IndexLookup' || !path.inOrder) return [];
  const index = table.indexes.find(({ name }) => name === path.index) ?? null;
  const keys = indexKeyAttributes(queryKey(table, index));
  return orderHint.map(({ column, descending }) => {
    const key = keys.find((attribute) => attribute.name === column.path[0]);
    return { column, descending, type: key?.type ?? 'S' };
  });
}

/** The plan, a chain of Filter and Project over one scan, with these columns of the scan behind its own. */
export function withOrderColumns(plan: LogicalPlan, order: PageOrder): LogicalPlan {
  if (order.length === 0) return plan;
  return withHiddenColumns(
    plan,
    order.map(({ column }) => column),
    FIRST_ID,
  );
}

/** The same, for whatever they are there. `firstId`: of these columns, above all others of the plan. */
export function withHiddenColumns(
  plan: LogicalPlan,
  columns: readonly ScanColumn[],
  firstId: number,
): LogicalPlan {
  const outputs = outputColumns(plan).map((column) => ({ column, expression: columnReference(column) }));
  const hidden = columns.map((column, i) => ({
    column: { ...column, id: firstId + i },
    expression: columnReference(column),
  }));
  return project(handingUp(plan, columns), [...outputs, ...hidden]);
}

/** The plan with the scan's columns handed up through its projections. */
function handingUp(plan: LogicalPlan, columns: readonly ScanColumn[]): LogicalPlan {
  switch (plan.kind) {
    case 'Filter':
      return withFields(plan, { input: handingUp(plan.input, columns) });
    case 'Project': {
      const missing = columns.filter(({ id }) => !plan.columns.some(({ column }) => column.id === id));
      const more = [...new Set(missing)].map((column) => ({ column, expression: columnReference(column) }));
      return withFields(plan, { input: handingUp(plan.input, columns), columns: [...plan.columns, ...more] });
    }
    default:
      return plan;
  }
}
