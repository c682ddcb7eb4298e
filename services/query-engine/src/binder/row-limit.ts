/** LIMIT and OFFSET: whole numbers known before anything is read. */
import type { AstExpression } from '../parser/ast.ts';
import type { ExpressionContext } from './context.ts';
import { invalid } from './errors.ts';
import { typeOf } from './types.ts';

export interface RowLimit {
  /** Null: all. */
  readonly count: number | null;
  readonly offset: number;
}

const NUMBERS: ReadonlySet<string> = new Set([
  'TINYINT',
  'SMALLINT',
  'INTEGER',
  'BIGINT',
  'HUGEINT',
  'DECIMAL',
]);

/** A literal, a parameter, these cast to a number, or arithmetic of these. */
function valueOf(node: AstExpression, context: ExpressionContext): bigint | 'null' | null {
  switch (node.kind) {
    case 'NumberLiteral':
      return /^\d+$/.test(node.text) ? BigInt(node.text) : null;
    case 'StringLiteral':
      return /^\s*\d+\s*$/.test(node.value) ? BigInt(node.value) : null;
    case 'Cast':
      return NUMBERS.has(typeOf(node.type)?.name ?? '') ? valueOf(node.operand, context) : null;
    case 'NullLiteral':
      return 'null';
    case 'Parameter': {
      const value = context.statement.parameters.take(node);
      if (value.type === 'null') return 'null';
      return value.type === 'number' && /^-?\d+$/.test(value.text) ? BigInt(value.text) : null;
    }
    case 'Unary': {
      const value = valueOf(node.operand, context);
      if (typeof value !== 'bigint' || node.operator === '~') return null;
      return node.operator === '-' ? -value : value;
    }
    case 'Binary':
      return arithmetic(node.operator, valueOf(node.left, context), valueOf(node.right, context));
    default:
      return null;
  }
}

function arithmetic(
  operator: string,
  left: bigint | 'null' | null,
  right: bigint | 'null' | null,
): bigint | null {
  if (typeof left !== 'bigint' || typeof right !== 'bigint') return null;
  if (operator === '+') return left + right;
  if (operator === '-') return left - right;
  return operator === '*' ? left * right : null;
}

function rowCount(node: AstExpression, clause: string, context: ExpressionContext): number | null {
  const value = valueOf(node, context);
  if (value === 'null') return null;
  if (value === null || value < 0n) {
    throw invalid(context, node, `${clause} must be a whole number that is not negative`);
  }
  // More than any table holds: the same as all.
  return value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(value);
}

/** `LIMIT NULL` is no limit, as in PostgreSQL. */
export function bindRowLimit(
  limit: AstExpression | null,
  offset: AstExpression | null,
  context: ExpressionContext,
): RowLimit {
  return {
    count: limit === null ? null : rowCount(limit, 'LIMIT', context),
    offset: offset === null ? 0 : (rowCount(offset, 'OFFSET', context) ?? 0),
  };
}
