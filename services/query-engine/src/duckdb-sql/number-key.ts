/**
 * Texts that sort as the numbers do which they stand for, one for each number, whatever its digits: a sign, how many
 * digits the number has before its point, these, and those after it. The digits of negative numbers are turned around.
 */
import { printNumber, type ExactNumber } from '../logical/exact-number.ts';

/** What a key begins with; `END` sorts above any digit, as of two negative numbers the one with more digits is less. */
export const NumberKey = Object.freeze({ NEGATIVE: '0', ZERO: '1', POSITIVE: '2', END: '~' });
export const KEY_LENGTH_DIGITS = 4;

/** As the macro `ps_number_key` makes it of the number's text. */
export function numberKey(number: ExactNumber): string {
  if (number.digits === 0n) return NumberKey.ZERO;
  const [whole = '', fraction = ''] = printNumber(number).replace('-', '').split('.');
  const before = whole === '0' ? '' : whole;
  const digits = `${String(before.length).padStart(KEY_LENGTH_DIGITS, '0')}${before}${fraction}`;
  if (number.digits > 0n) return NumberKey.POSITIVE + digits;
  return NumberKey.NEGATIVE + digits.replace(/\d/g, (digit) => String(9 - Number(digit))) + NumberKey.END;
}
