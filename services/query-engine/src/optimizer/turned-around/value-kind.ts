/** What the values of an expression are, where keys have their declared types. */
import { constantValue } from '../../logical/constant-value.ts';
import type { Expression } from '../../logical/expression.ts';
import { scalarNamed } from '../../logical/functions/list.ts';
import { walkExpression } from '../../logical/visit.ts';
import type { TurnAroundContext } from './rule.ts';

/** Types of casts whose values are numbers. */
export const NUMERIC_TYPE =
  /^(?:TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT|REAL|DOUBLE|DECIMAL(?:\(\d+,\d+\))?)$/;
/** Types of casts whose values are dates or timestamps. */
export const TIME_TYPES: ReadonlySet<string> = new Set(['DATE', 'TIMESTAMP', 'TIMESTAMPTZ']);
/** Functions whose value has the type of their first argument. */
const AS_FIRST: ReadonlySet<string> = new Set(['ABS', 'CEIL', 'FLOOR', 'ROUND', 'TRUNC']);
const NUMERIC_RESULTS: ReadonlySet<unknown> = new Set(['number', 'integer', 'hugeInteger']);

/** Whether the values are numbers; false where that is not known. */
export function isNumeric(node: Expression, context: TurnAroundContext): boolean {
  const value = constantValue(node);
  if (value !== null) return value.type === 'number';
  switch (node.kind) {
    case 'ColumnReference':
      return context.keyType(node) === 'number';
    case 'Negate':
      return isNumeric(node.operand, context);
    case 'Arithmetic':
      return (
        ['+', '-', '*', '/', '%'].includes(node.operator) &&
        isNumeric(node.left, context) &&
        isNumeric(node.right, context)
      );
    case 'Cast':
      return NUMERIC_TYPE.test(node.sqlType);
    case 'Extract':
      return true;
    case 'FunctionCall': {
      const [first] = node.arguments;
      if (AS_FIRST.has(node.name)) return first !== undefined && isNumeric(first, context);
      return NUMERIC_RESULTS.has(scalarNamed(node.name).result);
    }
    default:
      return false;
  }
}

/** Whether the values are made of a partition key. */
export function isOfPartitionKey(node: Expression, { isPartitionKey }: TurnAroundContext): boolean {
  let found = false;
  walkExpression(node, (one) => {
    if (one.kind === 'ColumnReference' && isPartitionKey(one.column)) found = true;
  });
  return found;
}

/** Whether the values are dates or timestamps; false where that is not known. */
export function isTime(node: Expression): boolean {
  const value = constantValue(node);
  if (value !== null) return value.type === 'temporal' && value.sqlType !== 'TIME';
  switch (node.kind) {
    case 'Cast':
      return TIME_TYPES.has(node.sqlType);
    case 'FunctionCall': {
      const { result } = scalarNamed(node.name);
      return result === 'date' || result === 'timestamp';
    }
    case 'Arithmetic': {
      if (node.operator !== '+' && node.operator !== '-') return false;
      // Of two times, the difference is none.
      return isTime(node.left) !== isTime(node.right);
    }
    default:
      return false;
  }
}

/** Whether the values are dates, without a time of day. */
export function isDate(node: Expression): boolean {
  const value = constantValue(node);
  if (value !== null) return value.type === 'temporal' && value.sqlType === 'DATE';
  if (node.kind === 'Cast') return node.sqlType === 'DATE';
  return node.kind === 'FunctionCall' && scalarNamed(node.name).result === 'date';
}

/** Whether a function that takes a date or timestamp reads the values as one: a text key's, too. */
export function isReadAsTime(node: Expression, context: TurnAroundContext): boolean {
  return isTime(node) || (node.kind === 'ColumnReference' && context.keyType(node) === 'text');
}

/** Whether an expression's values are texts and compare as such; false where that is not known. */
export function isText(node: Expression, context: TurnAroundContext): boolean {
  const value = constantValue(node);
  if (value !== null) return value.type === 'text';
  switch (node.kind) {
    case 'ColumnReference':
      return context.keyType(node) === 'text';
    case 'Cast':
      return node.sqlType === 'VARCHAR';
    case 'Arithmetic':
      // Bytes alone are joined as bytes.
      return node.operator === '||' && (isText(node.left, context) || isText(node.right, context));
    case 'FunctionCall':
      if (node.name === 'COALESCE') return node.arguments.every((one) => isText(one, context));
      if (node.name === 'NULLIF') return node.arguments.slice(0, 1).every((one) => isText(one, context));
      return scalarNamed(node.name).result === 'text';
    default:
      return false;
  }
}
