/** `x IN (…)` for long lists of constants of any types: one test of each value, instead of a comparison with each. */
import type { LiteralValue } from '../logical/expression.ts';
import { LONG_LIST } from './limits.ts';
import { MixedKind } from './macros.ts';
import { numberKey } from './number-key.ts';
import { parseNumber } from '../logical/exact-number.ts';
import { toText } from './types/convert.ts';
import { isNumber, type Typed } from './types/sql-type.ts';
import { quoteText } from './literal.ts';

const among = (value: string, list: readonly string[]): string =>
  list.length === 0 ? 'FALSE' : `coalesce(${value} IN (${list.join(', ')}), FALSE)`;
const keyOfDigits = (digits: string): string => `ps_number_key(${digits})`;
/** Of a text that may be no number. */
const keyOfText = (text: string): string =>
  `CASE WHEN ps_text_double(${text}) IS NOT NULL THEN ${keyOfDigits(text)} END`;

/** Keys of the numbers that texts are; `_` may stand between digits. */
function keysIn(texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) => {
    const number = parseNumber(text.trim().replace(/(?<=\d)_(?=\d)/g, ''));
    return number === null ? [] : [quoteText(numberKey(number))];
  });
}

/**
 * `operand IN (values)`: null where the list is short, or holds other than texts and numbers, or the operand is
 * neither of these nor mixed.
 */
export function isAmongConstants(operand: Typed, values: readonly LiteralValue[]): string | null {
  if (values.length < LONG_LIST) return null;
  const numbers = values.flatMap((value) => (value.type === 'number' ? [value.text] : []));
  const texts = values.flatMap((value) => (value.type === 'text' ? [value.value] : []));
  if (numbers.length + texts.length < values.length) return null;
  const keys = keysIn(numbers);
  if (keys.length < numbers.length) return null;
  const allKeys = [...keys, ...keysIn(texts)];
  const quoted = texts.map(quoteText);
  const asText = (text: string): string => `(${among(text, quoted)} OR ${among(keyOfText(text), keys)})`;
  const { sql, type } = operand;
  const ifThere = (test: string): string => `CASE WHEN ${sql} IS NOT NULL THEN ${test} END`;
  if (isNumber(type)) return ifThere(among(keyOfDigits(toText(operand).sql), allKeys));
  if (type.kind === 'text') return ifThere(asText(sql));
  if (type.kind !== 'mixed' || type.instants) return null;
  const { NUMBER, TEXT, BOOLEAN } = MixedKind;
  const truths = quoted.map((text) => `TRY_CAST(${text} AS BOOLEAN)`);
  const [k, t] = [`(${sql}).k`, `(${sql}).t`];
  return (
    `CASE ${k} WHEN ${NUMBER} THEN ${among(`(${sql}).s`, allKeys)} WHEN ${TEXT} THEN ${asText(t)} ` +
    `WHEN ${BOOLEAN} THEN ${among(`(${t} = 'true')`, truths)} OR ` +
    `${among(keyOfDigits(`ps_mixed_digits(${sql})`), keys)} ELSE ${ifThere(among(t, quoted))} END`
  );
}
