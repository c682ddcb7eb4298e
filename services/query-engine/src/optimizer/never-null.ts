import { requiredAttributes } from '../catalog/index-relation.ts';
import type { ColumnId } from '../logical/expression.ts';
import { outputColumns } from '../logical/output.ts';
import type { LogicalPlan } from '../logical/plan.ts';
import { producedColumns } from './column-use.ts';
import { rejectsNull } from './rejects-null.ts';

/**
 * True when no row of the plan can have NULL there: of attributes only a table's own keys are in every item, and an index's
 * in every entry.
 */
export function isNeverNull(plan: LogicalPlan, id: ColumnId): boolean {
  switch (plan.kind) {
    case 'TableScan': {
      const path = plan.columns.find((column) => column.id === id)?.path ?? [];
      return path.length === 1 && requiredAttributes(plan.table).some(({ name }) => name === path[0]);
    }
    case 'Filter': {
      const columns = new Set([id]);
      return plan.predicates.some((one) => rejectsNull(one, columns)) || isNeverNull(plan.input, id);
    }
    case 'Project':
    case 'Aggregate': {
      if (plan.kind === 'Aggregate' && plan.groupingSets !== null) return false;
      const list = plan.kind === 'Project' ? plan.columns : plan.groupBy;
      const source = list.find(({ column }) => column.id === id)?.expression;
      if (source?.kind === 'Literal') return source.value.type !== 'null';
      return source?.kind === 'ColumnReference' && isNeverNull(plan.input, source.column.id);
    }
    case 'Sort':
    case 'Limit':
    case 'Distinct':
    case 'Window':
      return isNeverNull(plan.input, id);
    case 'Join': {
      const columns = new Set([id]);
      const inner = plan.join === 'inner' || plan.join === 'cross';
      if (inner && plan.on.some((one) => rejectsNull(one, columns))) return true;
      if (producedColumns(plan.left).has(id))
        return (inner || plan.join === 'left') && isNeverNull(plan.left, id);
      return (inner || plan.join === 'right') && isNeverNull(plan.right, id);
    }
    case 'Unnest':
      return producedColumns(plan.input).has(id) && isNeverNull(plan.input, id);
    case 'SetOperation': {
      const position = plan.columns.findIndex((column) => column.id === id);
      const [left = false, right = false] = [plan.left, plan.right].map((side) => {
        const column = outputColumns(side)[position];
        return column !== undefined && isNeverNull(side, column.id);
      });
      return plan.operator === 'union' ? left && right : left || (plan.operator === 'intersect' && right);
    }
    case 'With':
      return isNeverNull(plan.body, id);
    case 'CteScan':
    case 'Recursion':
    case 'RecursionScan':
    case 'Series':
    case 'Values':
      return false;
  }
}
