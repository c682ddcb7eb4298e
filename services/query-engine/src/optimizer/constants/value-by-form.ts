/** Values of constants that need no evaluation: casts of a literal to the type that it has. */
import { constantValue } from '../../logical/constant-value.ts';
import type { Expression, LiteralValue } from '../../logical/expression.ts';
import { soleExpression } from './sole-expression.ts';

/** Digits that every number of the type may have. */
const WHOLE_DIGITS: Readonly<Record<string, number>> = Object.freeze({
  SMALLINT: 4,
  INTEGER: 9,
  BIGINT: 18,
  HUGEINT: 18,
  DECIMAL: 18,
});

/** The literal that is cast to its own type, as `CAST('x' AS VARCHAR)` is, or selected; null for anything else. */
export function valueByForm(node: Expression): LiteralValue | null {
  if (node.kind === 'ScalarSubquery') {
    const selected = soleExpression(node.plan);
    return selected === null ? null : (constantValue(selected) ?? valueByForm(selected));
  }
  if (node.kind !== 'Cast' || node.operand.kind !== 'Literal') return null;
  const { value } = node.operand;
  const { sqlType } = node;
  switch (value.type) {
    case 'text':
      return sqlType === 'VARCHAR' ? value : null;
    case 'boolean':
      return sqlType === 'BOOLEAN' ? value : null;
    case 'number': {
      const digits = Object.hasOwn(WHOLE_DIGITS, sqlType) ? WHOLE_DIGITS[sqlType] : undefined;
      return digits !== undefined && /^\d+$/.test(value.text) && value.text.length <= digits ? value : null;
    }
    case 'null':
      // Compared with anything, NULL of any type is NULL.
      return value;
    default:
      return null;
  }
}
