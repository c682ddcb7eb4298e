import { requiredAttributes } from '../catalog/index-relation.ts';
import { childrenOf } from '../logical/visit.ts';
import type { ColumnId, Expression } from '../logical/expression.ts';
import { outputColumns } from '../logical/output.ts';
import type { LogicalPlan } from '../logical/plan.ts';
import { producedColumns } from './column-use.ts';

/**
 * The type that every value of a plan's column surely has: `text`, `number`, `boolean`, or `cast to …`; null where
 * nothing is sure. Of attributes only the table's own keys have a certain type: the sample's are a hint.
 */
export function valueTypeOf(plan: LogicalPlan, id: ColumnId): string | null {
  switch (plan.kind) {
    case 'TableScan': {
      const path = plan.columns.find((column) => column.id === id)?.path ?? [];
      const key = requiredAttributes(plan.table).find(({ name }) => path.length === 1 && name === path[0]);
      return key?.type === 'S' ? 'text' : key?.type === 'N' ? 'number' : null;
    }
    case 'Project': {
      const source = plan.columns.find(({ column }) => column.id === id);
      return source === undefined ? null : expressionType(source.expression, plan.input);
    }
    case 'Aggregate': {
      const group = plan.groupBy.find(({ column }) => column.id === id);
      return group === undefined ? null : expressionType(group.expression, plan.input);
    }
    case 'Filter':
    case 'Sort':
    case 'Limit':
    case 'Distinct':
    case 'Window':
      return valueTypeOf(plan.input, id);
    case 'Unnest':
      return producedColumns(plan.input).has(id) ? valueTypeOf(plan.input, id) : null;
    case 'Join':
      return valueTypeOf(producedColumns(plan.left).has(id) ? plan.left : plan.right, id);
    case 'SetOperation': {
      const position = plan.columns.findIndex((column) => column.id === id);
      const [left, right] = [plan.left, plan.right].map((side) => {
        const column = outputColumns(side)[position];
        return column === undefined ? null : valueTypeOf(side, column.id);
      });
      return left !== undefined && left === right ? left : null;
    }
    case 'With':
      return valueTypeOf(plan.body, id);
    case 'CteScan':
    case 'Recursion':
    case 'RecursionScan':
    case 'Series':
    case 'Values':
      return null;
  }
}

function expressionType(expression: Expression, input: LogicalPlan): string | null {
  switch (expression.kind) {
    case 'ColumnReference':
      return valueTypeOf(input, expression.column.id);
    case 'Literal': {
      const { type } = expression.value;
      return type === 'text' || type === 'number' || type === 'boolean' ? type : null;
    }
    case 'Cast':
      return expression.tryCast ? null : `cast to ${expression.sqlType}`;
    default:
      return null;
  }
}

/** True for a comparison of a column with nothing but numbers. */
export function comparesWithNumbers(conjunct: Expression): boolean {
  if (conjunct.kind !== 'Comparison' && conjunct.kind !== 'Between' && conjunct.kind !== 'InList')
    return false;
  const operands = childrenOf(conjunct);
  const numbers = operands.filter((operand) => operand.kind === 'Literal' && operand.value.type === 'number');
  const columns = operands.filter((operand) => operand.kind === 'ColumnReference');
  return columns.length === 1 && numbers.length === operands.length - 1;
}
