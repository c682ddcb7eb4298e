import type { Expression } from '../../../logical/expression.ts';
import { instantOf } from '../instant.ts';
import type { TurnAroundRule } from '../rule.ts';
import { comparedWithInstant, cutDown } from '../time-bounds.ts';
import { isReadAsTime } from '../value-kind.ts';

/** What is cast, and whether its time of day is cut off; null for any other expression. */
function castOf(node: Expression): { readonly inner: Expression; readonly toDate: boolean } | null {
  if (node.kind === 'FunctionCall') {
    const [inner] = node.arguments;
    return node.name === 'DATE' && inner !== undefined ? { inner, toDate: true } : null;
  }
  if (node.kind !== 'Cast') return null;
  const { operand, sqlType } = node;
  if (sqlType === 'DATE') return { inner: operand, toDate: true };
  return sqlType === 'TIMESTAMP' || sqlType === 'TIMESTAMPTZ' ? { inner: operand, toDate: false } : null;
}

/** `CAST(e AS DATE | TIMESTAMP | TIMESTAMPTZ) op c`, `DATE(e) op c`: `e` as a time. TRY_CAST is NULL where CAST fails. */
export const timeCast: TurnAroundRule = Object.freeze({
  name: 'time-cast',
  comparison({ operand, operator, value }, context) {
    const cast = castOf(operand);
    const instant = instantOf(value);
    if (cast === null || instant === null || !isReadAsTime(cast.inner, context)) return null;
    return cast.toDate
      ? cutDown(cast.inner, operator, 'day', instant)
      : comparedWithInstant(cast.inner, operator, instant);
  },
} satisfies TurnAroundRule);
