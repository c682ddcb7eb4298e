import type { Expression } from '../../src/logical/expression.ts';

/** A predicate in a line, for messages of failing tests. */
export function print(expression: Expression): string {
  const not = 'negated' in expression && expression.negated ? 'NOT ' : '';
  switch (expression.kind) {
    case 'ColumnReference':
      return expression.column.name;
    case 'Literal':
      return JSON.stringify('value' in expression.value ? expression.value.value : expression.value);
    case 'Not':
      return `NOT (${print(expression.operand)})`;
    case 'And':
    case 'Or':
      return `(${expression.operands.map(print).join(expression.kind === 'And' ? ' AND ' : ' OR ')})`;
    case 'Comparison':
      return `${print(expression.left)} ${expression.operator} ${print(expression.right)}`;
    case 'IsNull':
      return `${print(expression.operand)} IS ${not}NULL`;
    case 'Between':
      return `${print(expression.operand)} ${not}BETWEEN ${print(expression.low)} AND ${print(expression.high)}`;
    case 'InList':
      return `${print(expression.operand)} ${not}IN (${expression.values.map(print).join(', ')})`;
    case 'Like':
      return `${print(expression.operand)} ${not}LIKE ${print(expression.pattern)}`;
    default:
      return expression.kind;
  }
}
