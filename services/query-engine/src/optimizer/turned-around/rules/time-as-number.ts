import { constantValue } from '../../../logical/constant-value.ts';
import type { Expression } from '../../../logical/expression.ts';
import { SECOND, floorDivision } from '../instant.ts';
import { numberOf } from '../number-bounds.ts';
import type { TurnAroundRule } from '../rule.ts';
import { comparedBetween } from '../time-bounds.ts';
import { isReadAsTime } from '../value-kind.ts';

/** Above what DOUBLEs and whole milliseconds round a time of this calendar by. */
const ROUNDED_BY = 1000n;

/** Whose seconds, or milliseconds, since 1970 an expression is; null for any other. */
function countedOf(node: Expression): { readonly inner: Expression; readonly unit: bigint } | null {
  if (node.kind === 'Extract')
    return node.field.toUpperCase() === 'EPOCH' ? { inner: node.operand, unit: SECOND } : null;
  if (node.kind !== 'FunctionCall') return null;
  const [first, second] = node.arguments;
  if (first === undefined) return null;
  if (node.name === 'EPOCH') return { inner: first, unit: SECOND };
  if (node.name === 'EPOCH_MS') return { inner: first, unit: 1000n };
  if (node.name !== 'DATE_PART' || second === undefined) return null;
  const part = constantValue(first);
  return part?.type === 'text' && part.value.toLowerCase() === 'epoch'
    ? { inner: second, unit: SECOND }
    : null;
}

/** `epoch(e) op n`, `epoch_ms(e) op n`, `EXTRACT(EPOCH FROM e)`: a time, a millisecond wider on each side. */
export const timeAsNumber: TurnAroundRule = Object.freeze({
  name: 'time-as-number',
  comparison({ operand, operator, value }, context) {
    const counted = countedOf(operand);
    const number = numberOf(value)?.number;
    if (counted === null || number === undefined || !isReadAsTime(counted.inner, context)) return null;
    const micros = floorDivision(number.digits * counted.unit, 10n ** BigInt(number.scale));
    return comparedBetween(counted.inner, operator, micros - ROUNDED_BY, micros + ROUNDED_BY);
  },
} satisfies TurnAroundRule);
