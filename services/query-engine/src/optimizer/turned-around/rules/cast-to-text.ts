import { comparison, literal } from '../../../logical/build-expression.ts';
import type { TurnAroundRule } from '../rule.ts';
import { isText } from '../value-kind.ts';
import { textOf } from './text-conditions.ts';

/** `7`, `-0.5`: a number as its text is written. Others may be read otherwise than they are written. */
const PLAIN_NUMBER = /^-?\d{1,38}(?:\.\d{1,38})?$/;

/**
 * `CAST(k AS VARCHAR) op 'c'`: of a text it is the text. A number equals what its text spells; the texts of numbers have
 * another order than the numbers.
 */
export const castToText: TurnAroundRule = Object.freeze({
  name: 'cast-to-text',
  comparison({ operand, operator, value }, context) {
    if (operand.kind !== 'Cast' || operand.sqlType !== 'VARCHAR') return null;
    const text = textOf(value);
    if (text === null) return null;
    const inner = operand.operand;
    if (isText(inner, context)) return comparison(operator, inner, literal({ type: 'text', value: text }));
    if (operator !== '=' || inner.kind !== 'ColumnReference') return null;
    const type = context.keyType(inner);
    if (type === 'number' && PLAIN_NUMBER.test(text))
      return comparison('=', inner, literal({ type: 'number', text }));
    // Whatever the text of a value is, the value equals it.
    return type === null ? null : comparison('=', inner, literal({ type: 'text', value: text }));
  },
} satisfies TurnAroundRule);
