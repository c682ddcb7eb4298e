import { constantValue } from '../../../logical/constant-value.ts';
import type { Expression } from '../../../logical/expression.ts';
import { isFormatProblem, writtenParts } from '../../../logical/functions/postgres-format.ts';
import { instantOfText, type TimeUnit } from '../instant.ts';
import type { TurnAroundRule } from '../rule.ts';
import { comparedWithInstant, cutDown } from '../time-bounds.ts';
import { isReadAsTime } from '../value-kind.ts';

/** What a format writes of a time, from the year on: in this order, texts have the order of the times. */
const FIELDS: readonly { readonly letter: string; readonly digits: number; readonly unit: TimeUnit }[] =
  Object.freeze([
    { letter: 'Y', digits: 4, unit: 'year' },
    { letter: 'm', digits: 2, unit: 'month' },
    { letter: 'd', digits: 2, unit: 'day' },
    { letter: 'H', digits: 2, unit: 'hour' },
    { letter: 'M', digits: 2, unit: 'minute' },
    { letter: 'S', digits: 2, unit: 'second' },
  ]);
const SHORT_FORMS: Readonly<Record<string, string>> = Object.freeze({ F: '%Y-%m-%d', T: '%H:%M:%S' });

/** The last day that is written with a year of four digits. */
const LAST_DAY = instantOfText('9999-12-31');

interface WrittenTime {
  readonly unit: TimeUnit;
  /** The start of the unit that is written. */
  readonly instant: bigint;
}

/** What a text of such a format says; null where the format has another order, or the text is not of it. */
function readAs(format: string, text: string): WrittenTime | null {
  const spelled = format.replace(/%([FT])/g, (_, letter: string) => SHORT_FORMS[letter] ?? '');
  const letters = [...spelled.matchAll(/%(-?.)/g)].map(([, letter]) => letter);
  const fields = FIELDS.slice(0, letters.length);
  const last = fields.at(-1);
  if (last === undefined || letters.some((letter, i) => letter !== fields[i]?.letter)) return null;
  const literals = spelled.split(/%./);
  let at = literals[0]?.length ?? 0;
  if (!text.startsWith(literals[0] ?? '')) return null;
  const values: string[] = [];
  for (const [i, { digits }] of fields.entries()) {
    const value = text.slice(at, at + digits);
    const behind = literals[i + 1] ?? '';
    if (value.length < digits || !/^\d+$/.test(value) || !text.startsWith(behind, at + digits)) return null;
    values.push(value);
    at += digits + behind.length;
  }
  if (at !== text.length) return null;
  const [year = '', month = '01', day = '01', hour = '00', minute = '00', second = '00'] = values;
  const instant = instantOfText(`${year}-${month}-${day} ${hour}:${minute}:${second}`);
  return instant === null ? null : { unit: last.unit, instant };
}

/** The format as STRFTIME has it, and the time; null for any other call. */
function formatOf(node: Expression): { readonly inner: Expression; readonly format: string } | null {
  if (node.kind !== 'FunctionCall') return null;
  const [inner, given] = node.arguments;
  const value = given === undefined ? null : constantValue(given);
  if (inner === undefined || value?.type !== 'text') return null;
  if (node.name === 'STRFTIME') return { inner, format: value.value };
  if (node.name !== 'TO_CHAR') return null;
  const parts = writtenParts(value.value);
  if (isFormatProblem(parts)) return null;
  const formats = parts.map((part) =>
    part.kind === 'text' && part.letters === null && part.width === 0 ? part.strftime : null,
  );
  return formats.includes(null) ? null : { inner, format: formats.join('') };
}

/**
 * `strftime(e, '%Y-%m-%d') op 'c'` and `to_char`, of formats that begin with the year and go on in the order of ISO 8601. Not for a
 * `c` that is no text of the format. Years of five digits are written below others, so that they are before any `c`, too.
 */
export const writtenTime: TurnAroundRule = Object.freeze({
  name: 'written-time',
  comparison({ operand, operator, value }, context) {
    const call = formatOf(operand);
    if (call === null || value.type !== 'text' || !isReadAsTime(call.inner, context)) return null;
    const written = readAs(call.format, value.value);
    if (written === null) return null;
    const turned = cutDown(call.inner, operator, written.unit, written.instant);
    if (turned === null || (operator !== '<' && operator !== '<=')) return turned;
    const late = LAST_DAY === null ? null : comparedWithInstant(call.inner, '>=', LAST_DAY);
    return late === null ? null : Object.freeze({ kind: 'Or', operands: Object.freeze([turned, late]) });
  },
} satisfies TurnAroundRule);
