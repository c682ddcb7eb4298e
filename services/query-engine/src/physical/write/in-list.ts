/** `x IN (…)` for long lists of constants of any types: one test of each value, instead of a comparison with each. */
import { MixedKind } from '../macros.ts';
import { toText } from '../types/convert.ts';
import { isNumber, type Typed } from '../types/sql-type.ts';

/** From so many values on, a list is compared at once. */
const LONG_LIST = 8;

const among = (value: string, list: readonly string[]): string =>
  list.length === 0 ? 'FALSE' : `coalesce(${value} IN (${list.join(', ')}), FALSE)`;
const key = (digits: string): string => `ps_number_key(${digits})`;
/** Of a text that may be no number. */
const keyOfText = (text: string): string =>
  `CASE WHEN ps_text_double(${text}) IS NOT NULL THEN ${key(text)} END`;

/**
 * `operand IN (values)`: null where the list is short, or holds other than texts and numbers, or the operand is
 * neither of these nor mixed. The values must be constants.
 */
export function isAmongConstants(operand: Typed, values: readonly Typed[]): string | null {
  if (values.length < LONG_LIST) return null;
  const numbers = values.filter(({ type }) => isNumber(type));
  const texts = values.filter(({ type }) => type.kind === 'text').map(({ sql }) => sql);
  if (numbers.length + texts.length < values.length) return null;
  const keys = numbers.map((value) => key(toText(value).sql));
  const allKeys = [...keys, ...texts.map(keyOfText)];
  const asText = (text: string): string => `(${among(text, texts)} OR ${among(keyOfText(text), keys)})`;
  const { sql, type } = operand;
  const ifThere = (test: string): string => `CASE WHEN ${sql} IS NOT NULL THEN ${test} END`;
  if (isNumber(type)) return ifThere(among(key(toText(operand).sql), allKeys));
  if (type.kind === 'text') return ifThere(asText(sql));
  if (type.kind !== 'mixed' || type.instants) return null;
  const { NUMBER, TEXT, BOOLEAN } = MixedKind;
  const truths = texts.map((text) => `TRY_CAST(${text} AS BOOLEAN)`);
  const [k, t] = [`(${sql}).k`, `(${sql}).t`];
  return (
    `CASE ${k} WHEN ${NUMBER} THEN ${among(`(${sql}).s`, allKeys)} WHEN ${TEXT} THEN ${asText(t)} ` +
    `WHEN ${BOOLEAN} THEN ${among(`(${t} = 'true')`, truths)} OR ${among(key(`ps_mixed_digits(${sql})`), keys)} ` +
    `ELSE ${ifThere(among(t, texts))} END`
  );
}
