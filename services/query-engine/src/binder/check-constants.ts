/**
 * Arguments that must be constants, or that only some constants fit: said of the statement, before anything is read,
 * where it says what is wrong.
 */
import { nearestNames } from '../catalog/nearest-names.ts';
import type { Expression, LiteralValue } from '../logical/expression.ts';
import type { FunctionDefinition } from '../logical/functions/definition.ts';
import { didYouMean } from './errors.ts';

/** What is wrong with an argument, and what may help; null: nothing. */
export interface ArgumentProblem {
  readonly argument: number;
  readonly message: string;
  readonly hint: string | undefined;
}

type Check = (value: LiteralValue | null, what: string) => Pick<ArgumentProblem, 'message' | 'hint'> | null;

const UNITS: readonly string[] = [
  'microsecond', 'millisecond', 'second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year', 'decade',
  'century', 'millennium', 'isoyear', 'isodow', 'dow', 'doy', 'dayofweek', 'dayofyear', 'weekday', 'yearweek', 'epoch',
  'era', 'timezone', 'timezone_hour', 'timezone_minute', 'julian',
]; // prettier-ignore
const PARTS_ONLY: readonly string[] = UNITS.slice(UNITS.indexOf('isoyear'));

const singular = (unit: string): string => {
  const folded = unit.trim().toLowerCase();
  return folded === 'centuries'
    ? 'century'
    : folded === 'millennia'
      ? 'millennium'
      : folded.replace(/s$/, '');
};

const unit =
  (units: readonly string[]): Check =>
  (value, what) => {
    if (value === null || value.type === 'null') return null;
    if (value.type !== 'text')
      return { message: `The unit of ${what} must be text`, hint: `for example 'day'` };
    if (units.includes(singular(value.value))) return null;
    const near = didYouMean(nearestNames(singular(value.value), units).map((name) => `'${name}'`));
    return { message: `${what} knows no unit '${value.value.slice(0, 40)}'`, hint: near };
  };

const constantText: Check = (value, what) =>
  value?.type === 'text' || value?.type === 'null'
    ? null
    : { message: `${what} must be a text constant`, hint: 'write it as a literal or a parameter' };

const regexOptions: Check = (value, what) => {
  if (value?.type === 'text' && /^[cgilmnps]*$/.test(value.value)) return null;
  return { message: `${what} must be a constant of option letters`, hint: "for example 'i' or 'g'" };
};

const wholeNumber: Check = (value, what) =>
  value?.type === 'number' && /^\d$/.test(value.text)
    ? null
    : { message: `${what} must be a constant from 0 to 9`, hint: undefined };

const fraction: Check = (value, what) =>
  value?.type === 'number' && Number(value.text) >= 0 && Number(value.text) <= 1
    ? null
    : { message: `${what} must be a constant from 0 to 1`, hint: 'for example 0.5' };

/** A computed one is looked at by row. */
const fromOne: Check = (value, what) =>
  value === null || value.type === 'null' || (value.type === 'number' && Number(value.text) >= 1)
    ? null
    : { message: `${what} must be a number from 1`, hint: undefined };

const EXACT_UNITS = UNITS.filter((name) => !PARTS_ONLY.includes(name) || name === 'isoyear');

/** By function and argument. */
const CHECKS: Readonly<Record<string, Readonly<Record<number, readonly [what: string, check: Check]>>>> =
  Object.freeze({
    DATE_TRUNC: { 0: ['DATE_TRUNC', unit(EXACT_UNITS)] },
    DATE_DIFF: { 0: ['DATE_DIFF', unit(EXACT_UNITS)] },
    DATE_PART: { 0: ['DATE_PART', unit(UNITS)] },
    STRFTIME: { 1: ['The format of STRFTIME', constantText] },
    STRPTIME: { 1: ['The format of STRPTIME', constantText] },
    STRING_AGG: { 1: ['The separator of STRING_AGG', constantText] },
    REGEXP_MATCHES: { 2: ['The options of REGEXP_MATCHES', regexOptions] },
    REGEXP_REPLACE: { 3: ['The options of REGEXP_REPLACE', regexOptions] },
    REGEXP_EXTRACT: {
      2: ['The group of REGEXP_EXTRACT', wholeNumber],
      3: ['The options of REGEXP_EXTRACT', regexOptions],
    },
    NTILE: { 0: ['The buckets of NTILE', fromOne] },
    NTH_VALUE: { 1: ['The row of NTH_VALUE', fromOne] },
    PERCENTILE_CONT: { 0: ['The fraction of PERCENTILE_CONT', fraction] },
    PERCENTILE_DISC: { 0: ['The fraction of PERCENTILE_DISC', fraction] },
  });

/** The first of the arguments that does not fit. */
export function constantProblem(
  definition: FunctionDefinition,
  values: readonly Expression[],
): ArgumentProblem | null {
  const checks = Object.hasOwn(CHECKS, definition.name) ? CHECKS[definition.name] : undefined;
  for (const [index, [what, check]] of Object.entries(checks ?? {})) {
    const value = values[Number(index)];
    if (value === undefined) continue;
    const problem = check(value.kind === 'Literal' ? value.value : null, what);
    if (problem !== null) return { argument: Number(index), ...problem };
  }
  return null;
}
