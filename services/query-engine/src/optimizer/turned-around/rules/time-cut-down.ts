import { constantValue } from '../../../logical/constant-value.ts';
import { instantOf, startOfMonth, monthOf } from '../instant.ts';
import { timeUnitNamed } from '../instant.ts';
import type { TurnAroundRule } from '../rule.ts';
import { bounded, cutDown } from '../time-bounds.ts';
import { isReadAsTime } from '../value-kind.ts';

/** `date_trunc(unit, e) op c`. Not for units that are longer than a year. */
export const timeCutDown: TurnAroundRule = Object.freeze({
  name: 'time-cut-down',
  comparison({ operand, operator, value }, context) {
    if (operand.kind !== 'FunctionCall' || operand.name !== 'DATE_TRUNC') return null;
    const [unitNode, inner] = operand.arguments;
    const named = unitNode === undefined ? null : constantValue(unitNode);
    const unit = named?.type === 'text' ? timeUnitNamed(named.value) : null;
    const instant = instantOf(value);
    if (unit === null || instant === null || inner === undefined) return null;
    return isReadAsTime(inner, context) ? cutDown(inner, operator, unit, instant) : null;
  },
} satisfies TurnAroundRule);

/** `last_day(e) op c`: the month of `c`. */
export const lastDay: TurnAroundRule = Object.freeze({
  name: 'last-day',
  comparison({ operand, operator, value }, context) {
    if (operand.kind !== 'FunctionCall' || operand.name !== 'LAST_DAY') return null;
    const [inner] = operand.arguments;
    const instant = instantOf(value);
    if (inner === undefined || instant === null || !isReadAsTime(inner, context)) return null;
    const month = monthOf(instant);
    const isUpper = operator === '<' || operator === '<=';
    const isLower = operator === '>' || operator === '>=';
    return bounded(inner, isUpper ? null : startOfMonth(month), isLower ? null : startOfMonth(month + 1));
  },
} satisfies TurnAroundRule);
