/**
 * Formats of PostgreSQL's TO_CHAR of numbers ("Data Type Formatting Functions", and `NUM_processor` of its formatting.c, which
 * is followed step by step here, since what it does with signs, zeros and FM is said nowhere else).
 *
 * What is written depends on the number's sign, on how many digits it has before the point, and with FM on how many of those
 * after it are no trailing zeros: of each such form it is said once, with places for the digits.
 */
import {
  described,
  problem,
  tokensOf,
  type Action,
  type Description,
  type Token,
} from './number-format-description.ts';
import type { FormatProblem } from './postgres-format.ts';

type Sign = '+' | '-';

/** What stands in a form: text, digits of the number from one place to another (from 0, the end not included), or its ending. */
export type FormPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'digits'; readonly from: number; readonly to: number }
  | { readonly kind: 'ordinal'; readonly upper: boolean };

/** How numbers of a kind are written. */
export interface NumberForm {
  readonly sign: Sign;
  /** Before the point; 0 of a number below 1, null of one that has more than the format. */
  readonly wholeDigits: number | null;
  /** Digits after the point up to the last that is not zero; null where it does not matter. */
  readonly keptDigits: number | null;
  readonly parts: readonly FormPart[];
}

export type NumberFormat =
  | { readonly kind: 'roman'; readonly isFilled: boolean; readonly isUpper: boolean }
  | { readonly kind: 'exponent'; readonly scale: number }
  | {
      readonly kind: 'digits';
      /** Digits after the point. */
      readonly scale: number;
      /** Powers of ten that it is multiplied by. */
      readonly shift: number;
      readonly forms: readonly NumberForm[];
    };

/** A kind of number: as PostgreSQL has it, written with that sign before it. */
interface Kind {
  readonly sign: Sign;
  readonly number: string;
  /** Places of the format before its first digit. */
  readonly spaces: number;
  readonly isTooLong: boolean;
}

/** Where the last digit after the point is that is not zero, or the point; null without a point. */
function lastRelevant(number: string): number | null {
  const point = number.indexOf('.');
  if (point < 0) return null;
  let end = number.length;
  while (number[end - 1] === '0') end--;
  return end - 1;
}

/** What the tokens write of a kind of number; null where PostgreSQL would write past its end. */
function written(tokens: readonly Token[], format: Description, kind: Kind): readonly FormPart[] | null {
  const { number, sign, spaces, isTooLong } = kind;
  const { isFilled, hasPoint, hasZero, zeroStart } = format;
  const isSigned = format.isPlus || format.isMinus;
  const isBracketed = format.isBracketed && !(isFilled && sign === '+' && !isSigned);
  let signWritten = isSigned
    ? !(format.isPlus && !format.isMinus)
    : sign === '+' && isFilled && format.sign === null;
  let last = isFilled && hasPoint ? lastRelevant(number) : null;
  if (last !== null && format.zeroEnd > spaces)
    last = Math.max(last, Math.min(number.length - 1, format.zeroEnd - spaces));
  const count = format.after + format.before - 1 + (!signWritten && spaces === 0 ? 1 : 0);
  const parts: FormPart[] = [];
  const write = (text: string): void => void parts.push({ kind: 'text', text });
  let [at, current, isIn, isBroken] = [0, 0, false, false];

  /** A zero before the point that is not shown. */
  const isHiddenZero = (): boolean => !hasZero && at === 0 && number.startsWith('0') && format.after !== 0;
  const writeSign = (): void => {
    const isDue = current >= spaces || (hasZero && zeroStart === current);
    if (signWritten || !isDue || (isHiddenZero() && !(last !== null && number[last] === '.'))) return;
    if (format.sign !== null) {
      if (format.sign !== 'before') return;
      write(sign);
    } else if (isBracketed) write(sign === '+' ? ' ' : '<');
    else if (sign === '-') write('-');
    else if (!isFilled) write(' ');
    signWritten = true;
  };
  const writeDigit = (isZero: boolean): void => {
    if (at >= number.length) {
      isBroken ||= last === null || isZero;
      return;
    }
    if (number[at] === '.') write('.');
    else if (last !== null && at > last && !isZero) return void at++;
    else if (isHiddenZero()) {
      if (!isFilled) write(' ');
      else if (last !== null && number[last] === '.') write('0');
    } else {
      if (isTooLong) write('#');
      else parts.push({ kind: 'digits', from: at, to: at + 1 });
      isIn = true;
    }
    at++;
  };
  const writePlace = (action: Action): void => {
    isIn = false;
    writeSign();
    if (current < spaces && (zeroStart > current || !hasZero)) {
      if (!isFilled) write(' ');
    } else if (hasZero && current < spaces) {
      write('0');
      isIn = true;
    } else writeDigit(action === '0');
    let end = count + (spaces > 0 ? 1 : 0) + (hasPoint ? 1 : 0);
    if (last !== null && last === at) end = current;
    if (current + 1 === end) {
      if (signWritten && isBracketed) write(sign === '+' ? ' ' : '>');
      else if (format.sign === 'after') write(sign);
    }
    current++;
  };
  for (const token of tokens) {
    if ('text' in token) {
      write(token.text);
      continue;
    }
    switch (token.action) {
      case '9':
      case '0':
      case '.':
        writePlace(token.action);
        break;
      case ',':
      case 'G':
        if (isIn) write(',');
        else if (!isFilled) write(' ');
        break;
      case 'L':
        write(' ');
        break;
      case 'TH':
      case 'th':
        if (!isTooLong && sign === '+' && !hasPoint)
          parts.push({ kind: 'ordinal', upper: token.action === 'TH' });
        break;
      case 'MI':
        if (sign === '-') write('-');
        else if (!isFilled) write(' ');
        break;
      case 'PL':
        if (sign === '+') write('+');
        else if (!isFilled) write(' ');
        break;
      case 'SG':
        write(sign);
        break;
      default:
    }
  }
  return isBroken ? null : joined(parts);
}

/** Parts beside each other as one. */
function joined(parts: readonly FormPart[]): readonly FormPart[] {
  const made: FormPart[] = [];
  for (const part of parts) {
    const before = made.at(-1);
    if (before?.kind === 'text' && part.kind === 'text')
      made[made.length - 1] = { kind: 'text', text: before.text + part.text };
    else if (before?.kind === 'digits' && part.kind === 'digits' && before.to === part.from)
      made[made.length - 1] = { ...before, to: part.to };
    else if (part.kind !== 'text' || part.text !== '') made.push(part);
  }
  return made;
}

/** Forms that one format may have. */
const FORMS_MAX = 400;
const BOTH: readonly Sign[] = ['+', '-'];

function formsOf(tokens: readonly Token[], format: Description): readonly NumberForm[] | FormatProblem {
  const { before, after, isFilled, hasPoint } = format;
  const kept = isFilled && hasPoint && after > 0 ? Array.from({ length: after + 1 }, (_, i) => i) : [null];
  const wholes = Array.from({ length: before + 1 }, (_, i) => i);
  if (2 * wholes.length * kept.length > FORMS_MAX) return problem('FM', 'write fewer digits');
  const forms: NumberForm[] = [];
  const add = (form: Omit<NumberForm, 'parts'>, number: string, isTooLong: boolean): boolean => {
    const spaces = isTooLong ? 0 : Math.max(before - (form.wholeDigits || 1), 0);
    const parts = written(tokens, format, { sign: form.sign, number, spaces, isTooLong });
    if (parts !== null) forms.push({ ...form, parts });
    return parts !== null;
  };
  for (const sign of BOTH) {
    const rest = after === 0 ? '' : `.${'#'.repeat(after)}`;
    // PostgreSQL puts a point behind the signs where none is meant, and does not write it.
    if (
      !add(
        { sign, wholeDigits: null, keptDigits: null },
        `${'#'.repeat(before)}${rest === '' ? '.' : rest}`,
        true,
      )
    )
      return problem('9', 'write digits before the point');
    for (const wholeDigits of wholes) {
      if ((wholeDigits || 1) > before) continue;
      for (const keptDigits of kept) {
        const whole = wholeDigits === 0 ? '0' : '1'.repeat(wholeDigits);
        const shown = keptDigits ?? after;
        const fraction = after === 0 ? '' : `.${'1'.repeat(shown)}${'0'.repeat(after - shown)}`;
        if (!add({ sign, wholeDigits, keptDigits }, `${whole}${fraction}`, false))
          return problem('9', 'write digits before the point');
      }
    }
  }
  return forms;
}

/** The one form with an exponent. */
const EXPONENT = /^9\.(9*)(?:EEEE|eeee)$/;

/** The format of a number, or what of it is not done. */
export function numberFormat(format: string): NumberFormat | FormatProblem {
  const exponent = EXPONENT.exec(format);
  if (exponent !== null) return { kind: 'exponent', scale: (exponent[1] ?? '').length };
  const [roman, fill, letters] = /^(FM|fm)?(RN|rn)$/.exec(format) ?? [];
  if (roman !== undefined) return { kind: 'roman', isFilled: fill === undefined, isUpper: letters === 'RN' };
  const tokens = tokensOf(format);
  if ('advice' in tokens) return tokens;
  const description = described(tokens);
  if ('advice' in description) return description;
  if (description.before + description.after === 0)
    return problem(format.slice(0, 20), 'write a digit as 9 or 0');
  const forms = formsOf(tokens, description);
  if ('advice' in forms) return forms;
  return { kind: 'digits', scale: description.after, shift: description.shift, forms };
}

/** Whether a format is one of numbers: those of times have neither of these outside of quotes. */
export const isOfNumbers = (format: string): boolean =>
  /[09]|^(?:FM|fm)?(?:RN|rn)$/.test(format.replaceAll(/"[^"]*"/g, ''));
