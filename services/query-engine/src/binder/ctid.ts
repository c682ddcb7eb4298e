/** Places of rows (PostgreSQL's `ctid`) as numbers: what constants are, and what is known of a comparison beforehand. */
import { CTID_OFFSET_MAX, CTID_RANGE, ctidNumber } from '../catalog/segment-relation.ts';
import { CTID_COLUMNS } from '../parser/postgresql/ctid.ts';
import { literal } from '../logical/build-expression.ts';
import { holdsOf } from '../logical/comparison-operators.ts';
import type { ComparisonOperator, Expression, LiteralValue } from '../logical/expression.ts';

type Of<Kind> = Extract<Expression, { readonly kind: Kind }>;

const TEXT = /^\s*\(\s*(\d{1,10})\s*,\s*(\d{1,5})\s*\)\s*$/;
/** Blocks have 32 bits. */
const BLOCK_MAX = 2 ** 32 - 1;

/** The number of a constant, NULL of NULL; null where it is no `ctid`. */
export function ctidConstant(value: LiteralValue): LiteralValue | null {
  if (value.type === 'null') return value;
  const [, block, offset] = (value.type === 'text' ? TEXT.exec(value.value) : null) ?? [];
  if (block === undefined || Number(block) > BLOCK_MAX || Number(offset) > CTID_OFFSET_MAX) return null;
  return { type: 'number', text: ctidNumber(BigInt(block), BigInt(offset ?? 0)).toString() };
}

const isSorted = (operator: ComparisonOperator): operator is '<' | '<=' | '>' | '>=' =>
  operator === '<' || operator === '<=' || operator === '>' || operator === '>=';

/**
 * The comparison, or whether it is true where it is the same of every row of a table: a program that asks for all blocks then
 * has an ordinary scan.
 */
export function decided(comparison: Of<'Comparison'>): Expression {
  const { operator, left, right, pos } = comparison;
  if (left.kind !== 'ColumnReference' || left.column.name !== CTID_COLUMNS.number) return comparison;
  if (!isSorted(operator) || right.kind !== 'Literal' || right.value.type !== 'number') return comparison;
  const { text } = right.value;
  if (!/^\d+$/.test(text)) return comparison;
  const holds = (number: bigint): boolean => holdsOf(operator, Number(number - BigInt(text)));
  const isTrue = holds(CTID_RANGE.first);
  return isTrue === holds(CTID_RANGE.last) ? literal({ type: 'boolean', value: isTrue }, pos) : comparison;
}
