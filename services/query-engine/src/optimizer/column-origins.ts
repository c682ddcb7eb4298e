import type { ColumnId } from '../logical/expression.ts';
import type { CatalogTable } from '../catalog/table.ts';
import type { LogicalPlan, ScanColumn } from '../logical/plan.ts';
import { walkDeep } from '../logical/visit.ts';

/** The attribute that a column's values come from unchanged. */
export interface ColumnOrigin {
  readonly table: CatalogTable;
  readonly column: ScanColumn;
}

/** For each column of the plan that is a table's attribute, possibly under other names, which one. */
export function columnOrigins(plan: LogicalPlan): (id: ColumnId) => ColumnOrigin | null {
  const origins = new Map<ColumnId, ColumnOrigin>();
  const sources = new Map<ColumnId, ColumnId>();
  walkDeep(plan, {
    plan: (node) => {
      if (node.kind === 'TableScan')
        for (const column of node.columns) origins.set(column.id, { table: node.table, column });
      const renamed = node.kind === 'Project' ? node.columns : node.kind === 'Aggregate' ? node.groupBy : [];
      for (const { column, expression } of renamed)
        // A column that is handed through keeps its ID.
        if (expression.kind === 'ColumnReference' && expression.column.id !== column.id)
          sources.set(column.id, expression.column.id);
    },
  });
  return (id) => {
    let current: ColumnId | undefined = id;
    while (current !== undefined && !origins.has(current)) current = sources.get(current);
    return current === undefined ? null : (origins.get(current) ?? null);
  };
}
