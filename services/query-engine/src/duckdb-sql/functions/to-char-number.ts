/** TO_CHAR of a number: its text, rounded to the digits of the format, cut into the parts of the form that it has. */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import {
  numberFormat,
  type FormPart,
  type NumberForm,
  type NumberFormat,
} from '../../logical/functions/number-format.ts';
import { isFormatProblem } from '../../logical/functions/postgres-format.ts';
import { writeArithmetic } from '../arithmetic.ts';
import { numberLiteral, quoteText } from '../literal.ts';
import { given } from '../named.ts';
import { toNumber } from '../types/convert.ts';
import { TEXT, type NumberType, type Typed } from '../types/sql-type.ts';
import { WIDEST } from '../text-budget.ts';
import { rounding } from './rounding.ts';

type NumberValue = Typed & { readonly type: NumberType };
type Digits = Extract<NumberFormat, { readonly kind: 'digits' }>;

const round = rounding('round');
const constant = (value: number): Typed => numberLiteral({ digits: BigInt(value), scale: 0 });

/** Digits of a DOUBLE that PostgreSQL shows; of more, it leaves out digits of the format. */
const DOUBLE_DIGITS = 15;
const TOO_MANY_DIGITS = `error('TO_CHAR of a DOUBLE shows ${DOUBLE_DIGITS} digits: cast it to DECIMAL, or write fewer')`;

function doubleText({ sql }: NumberValue, scale: number): string {
  const shown = `printf('%.${scale}f', x)`;
  const bound = `1e${Math.max(DOUBLE_DIGITS - scale, 0)}`;
  return given(
    'x',
    sql,
    `CASE WHEN abs(x) < ${bound} THEN ${shown} WHEN x IS NOT NULL THEN ${TOO_MANY_DIGITS} END`,
  );
}

/** Rounded half away from zero, with so many digits after the point. */
function exactText(number: NumberValue, scale: number): string {
  const { sql, type } = number.type.kind === 'integer' ? number : round([number, constant(scale)], WIDEST);
  const own = type.kind === 'decimal' ? type.scale : 0;
  const text = `CAST(${sql} AS VARCHAR)`;
  if (own === scale) return text;
  return `(${text} || '${own === 0 ? '.' : ''}${'0'.repeat(scale - own)}')`;
}

function partText(part: FormPart): string {
  switch (part.kind) {
    case 'text':
      return quoteText(part.text);
    case 'digits':
      return `s[${part.from + 1}:${part.to}]`;
    case 'ordinal': {
      const [first, second, third, other] = ['st', 'nd', 'rd', 'th'].map((ending) =>
        quoteText(part.upper ? ending.toUpperCase() : ending),
      );
      return (
        `CASE WHEN strlen(s) > 1 AND s[-2] = '1' THEN ${other} ` +
        `ELSE CASE s[-1] WHEN '1' THEN ${first} WHEN '2' THEN ${second} WHEN '3' THEN ${third} ELSE ${other} END END`
      );
    }
  }
}

const formText = ({ parts }: NumberForm): string =>
  parts.length === 0 ? "''" : parts.map((part) => `(${partText(part)})`).join(' || ');

/** Multipliers of what tells forms apart: their digits after the point are fewer. */
const OF_WHOLE = 1_000;
const OF_SIGN = 1_000_000;

/** The number's text `t` with its sign, and `s` without, in the form that it has. */
function digitsText({ scale, shift, forms }: Digits, value: NumberValue): string {
  const number =
    shift === 0
      ? value
      : toNumber(writeArithmetic('*', value, numberLiteral({ digits: 10n ** BigInt(shift), scale: 0 })));
  const text = number.type.kind === 'double' ? doubleText(number, scale) : exactText(number, scale);
  const fraction = scale === 0 ? 0 : scale + 1;
  const isKept = forms.some(({ keptDigits }) => keptDigits !== null);
  const kept = isKept ? ` + strlen(rtrim(s[-${scale}:], '0'))` : '';
  const key =
    `CASE WHEN starts_with(t, '-') THEN ${OF_SIGN} ELSE 0 END + ` +
    `CASE WHEN s[1] = '0' THEN 0 ELSE strlen(s) - ${fraction} END * ${OF_WHOLE}${kept}`;
  const whens = forms.flatMap((form) => {
    if (form.wholeDigits === null) return [];
    const place = (form.sign === '-' ? OF_SIGN : 0) + form.wholeDigits * OF_WHOLE + (form.keptDigits ?? 0);
    return [`WHEN ${place} THEN ${formText(form)}`];
  });
  const [positive = "''", negative = "''"] = (['+', '-'] as const).map((sign) => {
    const form = forms.find((one) => one.sign === sign && one.wholeDigits === null);
    return form === undefined ? "''" : formText(form);
  });
  const tooLong = `CASE WHEN t IS NOT NULL THEN CASE WHEN starts_with(t, '-') THEN ${negative} ELSE ${positive} END END`;
  const made = whens.length === 0 ? tooLong : `CASE ${key} ${whens.join(' ')} ELSE ${tooLong} END`;
  return given('t', text, given('s', "ltrim(t, '-')", made));
}

const ROMAN: readonly (readonly [one: string, five: string, ten: string])[] = [
  ['I', 'V', 'X'],
  ['X', 'L', 'C'],
  ['C', 'D', 'M'],
  ['M', '', ''],
];
const romanDigits = ([i, v, x]: readonly [string, string, string]): readonly string[] => [
  ...['', i, i + i, i + i + i, i + v, v, v + i, v + i + i, v + i + i + i, i + x],
];
const ROMAN_MAX = 3999;
const ROMAN_WIDTH = 15;

function romanText(
  { isFilled, isUpper }: Extract<NumberFormat, { readonly kind: 'roman' }>,
  number: NumberValue,
): string {
  const whole = number.type.kind === 'integer' ? number.sql : `round(${number.sql})`;
  const digits = ROMAN.map((letters, place) => {
    const list = romanDigits(letters).map((text) => quoteText(isUpper ? text : text.toLowerCase()));
    return `[${list.join(', ')}][CAST(n AS BIGINT) // ${10 ** place} % 10 + 1]`;
  }).toReversed();
  const text = `CASE WHEN n BETWEEN 1 AND ${ROMAN_MAX} THEN ${digits.join(' || ')} WHEN n IS NOT NULL THEN '${'#'.repeat(ROMAN_WIDTH)}' END`;
  return given('n', whole, isFilled ? `lpad(${text}, ${ROMAN_WIDTH}, ' ')` : text);
}

function exponentText(scale: number, { sql, type }: NumberValue): string {
  if (type.kind !== 'double')
    throw new PenstockError(
      'TYPE_ERROR',
      'Type error: TO_CHAR with EEEE takes a DOUBLE, CAST(x AS DOUBLE PRECISION)',
    );
  return given('x', sql, `CASE WHEN x >= 0 THEN ' ' ELSE '' END || printf('%.${scale}e', x)`);
}

/** The number in a constant format, which the binder has looked at. Throws TYPE_ERROR where the format is not for it. */
export function numberToChar(value: Typed, text: string | null): Typed {
  const format = text === null ? null : numberFormat(text);
  if (format === null || isFormatProblem(format) || value.type.kind === 'null')
    return { sql: 'CAST(NULL AS VARCHAR)', type: TEXT };
  if (value.type.kind === 'text' || value.type.kind === 'boolean')
    throw new PenstockError(
      'TYPE_ERROR',
      'Type error: TO_CHAR takes a number for this format, CAST(x AS DECIMAL)',
    );
  const number = toNumber(value);
  switch (format.kind) {
    case 'roman':
      return { sql: romanText(format, number), type: TEXT };
    case 'exponent':
      return { sql: exponentText(format.scale, number), type: TEXT };
    case 'digits':
      return { sql: digitsText(format, number), type: TEXT };
  }
}
