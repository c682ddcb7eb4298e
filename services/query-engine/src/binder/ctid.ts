/** Places of rows (PostgreSQL's `ctid`) as numbers: what constants are, and what is known of a comparison beforehand. */
import { CTID_OFFSET_MAX, CTID_RANGE, ctidNumber } from '../catalog/segment-relation.ts';
import { CTID_COLUMNS } from '../parser/postgresql/ctid.ts';
import { literal } from '../logical/build-expression.ts';
import type { Expression, LiteralValue } from '../logical/expression.ts';

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

/**
 * Whether a comparison is true or false of every row of a table; null where that is not known. So a program that asks for all
 * blocks has an ordinary scan.
 */
export function knownOfAll(comparison: Extract<Expression, { readonly kind: 'Comparison' }>): boolean | null {
  const { operator, left, right } = comparison;
  if (left.kind !== 'ColumnReference' || left.column.name !== CTID_COLUMNS.number) return null;
  if (right.kind !== 'Literal' || right.value.type !== 'number' || !/^\d+$/.test(right.value.text))
    return null;
  const bound = BigInt(right.value.text);
  const { first, last } = CTID_RANGE;
  switch (operator) {
    case '<':
      return last < bound ? true : first < bound ? null : false;
    case '<=':
      return last <= bound ? true : first <= bound ? null : false;
    case '>':
      return first > bound ? true : last > bound ? null : false;
    case '>=':
      return first >= bound ? true : last >= bound ? null : false;
    default:
      return null;
  }
}

/** The comparison, or what it is known to be of all rows. */
export function decided(comparison: Extract<Expression, { readonly kind: 'Comparison' }>): Expression {
  const known = knownOfAll(comparison);
  return known === null ? comparison : literal({ type: 'boolean', value: known }, comparison.pos);
}
