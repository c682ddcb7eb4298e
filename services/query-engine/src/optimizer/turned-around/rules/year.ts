import { constantValue } from '../../../logical/constant-value.ts';
import type { Expression } from '../../../logical/expression.ts';
import { startOfMonth } from '../instant.ts';
import { numberOf } from '../number-bounds.ts';
import type { TurnAroundRule } from '../rule.ts';
import { bounded } from '../time-bounds.ts';
import { isReadAsTime } from '../value-kind.ts';

/** The time of whose year it is; null for any other expression. */
function timeOfYear(node: Expression): Expression | null {
  if (node.kind === 'Extract') return node.field.toUpperCase() === 'YEAR' ? node.operand : null;
  if (node.kind !== 'FunctionCall') return null;
  const [first, second] = node.arguments;
  if (node.name === 'YEAR') return first ?? null;
  if (node.name !== 'DATE_PART' || first === undefined) return null;
  const part = constantValue(first);
  return part?.type === 'text' && part.value.toLowerCase() === 'year' ? (second ?? null) : null;
}

/** `year(e) op n`, `EXTRACT(YEAR FROM e)`, `date_part('year', e)`. A month or a day alone is no range. */
export const year: TurnAroundRule = Object.freeze({
  name: 'year',
  comparison({ operand, operator, value }, context) {
    const inner = timeOfYear(operand);
    const number = numberOf(value)?.number;
    if (inner === null || number === undefined || number.scale > 0 || !isReadAsTime(inner, context))
      return null;
    const of = Number(number.digits);
    if (of < 1 || of > 9999) return null;
    const [start, end] = [startOfMonth(of * 12), startOfMonth((of + 1) * 12)];
    switch (operator) {
      case '=':
        return bounded(inner, start, end);
      case '<':
        return bounded(inner, null, start);
      case '<=':
        return bounded(inner, null, end);
      case '>':
        return bounded(inner, end, null);
      case '>=':
        return bounded(inner, start, null);
    }
  },
} satisfies TurnAroundRule);
