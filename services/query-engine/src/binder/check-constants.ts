/**
 * Arguments that must be constants, or that only some constants fit: said of the statement, before anything is read,
 * where it says what is wrong.
 */
import { nearestNames } from '@penstock/common/text/nearest-names.ts';
import { elementsOf } from '../logical/build-expression.ts';
import type { Expression, LiteralValue } from '../logical/expression.ts';
import {
  argumentKind,
  type ArgumentKind,
  type ConstantRule,
  type FunctionDefinition,
} from '../logical/functions/definition.ts';
import { numberFormat } from '../logical/functions/number-format.ts';
import { fromPostgresFormat, isFormatProblem, writtenParts } from '../logical/functions/postgres-format.ts';
import { didYouMean } from './errors.ts';
import { BINDER_LIMITS } from './limits.ts';
import { isNumberText } from './number-literal.ts';

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
]; // oxfmt-ignore
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

const isFraction = (value: LiteralValue | null): boolean =>
  value?.type === 'number' && Number(value.text) >= 0 && Number(value.text) <= 1;

const fraction: Check = (value, what) =>
  isFraction(value)
    ? null
    : { message: `${what} must be a constant from 0 to 1`, hint: 'for example 0.5, or ARRAY[0.25, 0.5]' };

/** Of several fractions, written as a list. */
function fractionsProblem(
  what: string,
  fractions: readonly Expression[],
): Pick<ArgumentProblem, 'message' | 'hint'> | null {
  if (fractions.length === 0) return { message: `${what} is an empty list`, hint: 'write ARRAY[0.25, 0.5]' };
  if (fractions.length > BINDER_LIMITS.fractionsMax) {
    const message = `${what} is a list of more than ${BINDER_LIMITS.fractionsMax}`;
    return { message, hint: 'ask for fewer at a time' };
  }
  const isRight = fractions.every((one) => isFraction(constantOf(one)));
  return isRight
    ? null
    : { message: `${what} must be constants from 0 to 1`, hint: 'write ARRAY[0.25, 0.5]' };
}

/** A computed one is looked at by row. */
const fromOne: Check = (value, what) =>
  value === null || value.type === 'null' || (value.type === 'number' && Number(value.text) >= 1)
    ? null
    : { message: `${what} must be a number from 1`, hint: undefined };

/** A name of the IANA database. An offset is none: PostgreSQL reads its sign the other way round. */
const zone: Check = (value, what) => {
  const hint = "for example 'Europe/Paris' or 'UTC'";
  if (value?.type === 'null') return null;
  if (value?.type !== 'text') return { message: `${what} must be a text constant`, hint };
  const name = value.value;
  if (isAbbreviation(name))
    return { message: `The time zone '${name}' is an abbreviation, which may mean several`, hint };
  if (isZone(name)) return null;
  const near = nearestNames(name, ZONES).map((known) => `'${known}'`);
  return { message: `There is no time zone '${name.slice(0, 40)}'`, hint: didYouMean(near) ?? hint };
};
/** Zones of three letters; others are abbreviations, which mean several zones, or others in PostgreSQL than in ICU. */
const SHORT_ZONES = new Set(['UTC', 'GMT', 'UCT', 'EST', 'MST', 'HST', 'PRC', 'ROC', 'ROK']);

const isAbbreviation = (name: string): boolean =>
  /^[a-z]{3}$/i.test(name) && !SHORT_ZONES.has(name.toUpperCase());

/** Whether it is the name of one zone, in PostgreSQL and here. */
export const namesZone = (name: string): boolean => !isAbbreviation(name) && isZone(name);

/** Older and newer names are zones, too; those that are listed are one for each. */
function isZone(name: string): boolean {
  if (!/^[a-z]/i.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
const ZONES: readonly string[] = Intl.supportedValuesOf('timeZone');

const formatRead =
  (read: (format: string) => unknown): Check =>
  (value, what) => {
    if (value?.type !== 'text') return constantText(value, what);
    const made = read(value.value);
    if (!isFormatProblem(made)) return null;
    return { message: `${what} has a part that is not supported: ${made.part}`, hint: made.advice };
  };

const oneOf =
  (names: readonly string[]): Check =>
  (value, what) => {
    if (value?.type === 'text' && names.includes(value.value.toLowerCase())) return null;
    return {
      message: `${what} must be a constant`,
      hint: `one of ${names.map((name) => `'${name}'`).join(', ')}`,
    };
  };

const EXACT_UNITS = UNITS.filter((name) => !PARTS_ONLY.includes(name) || name === 'isoyear');

const RULES: Readonly<Record<ConstantRule['is'], Check>> = Object.freeze({
  text: constantText,
  unit: unit(EXACT_UNITS),
  part: unit(UNITS),
  zone,
  dateFormat: formatRead(fromPostgresFormat),
  writtenFormat: formatRead(writtenParts),
  numberFormat: formatRead(numberFormat),
  byteFormat: oneOf(['base64', 'hex', 'escape']),
  encoding: oneOf(['utf8', 'utf-8']),
  regexOptions,
  digit: wholeNumber,
  fraction,
  fromOne,
});

const constantOf = (value: Expression): LiteralValue | null =>
  value.kind === 'Literal' ? value.value : null;

const NUMBERS: ReadonlySet<ArgumentKind> = new Set(['double', 'whole', 'short']);
/** Advice on functions that are often given a text to read. */
const READS_TEXT: ReadonlyMap<string, string> = new Map([
  ['TO_TIMESTAMP', 'write CAST(text AS TIMESTAMP), or STRPTIME(text, format)'],
]);

/** A constant text where a number belongs, which would be NULL. */
function numberProblem(
  definition: FunctionDefinition,
  values: readonly Expression[],
): ArgumentProblem | null {
  if (definition.kind !== 'scalar') return null;
  const { name } = definition;
  const argument = values.findIndex((value, index) => {
    const constant = constantOf(value);
    if (constant?.type !== 'text' || isNumberText(constant.value)) return false;
    // With a format it reads a text.
    if (name === 'TO_TIMESTAMP' && values.length > 1) return false;
    return NUMBERS.has(argumentKind(definition, index));
  });
  if (argument < 0) return null;
  const message = `${name} takes a number as argument ${argument + 1}, and this is text`;
  return { argument, message, hint: READS_TEXT.get(name) };
}

/** The first of the arguments that does not fit. */
export function constantProblem(
  definition: FunctionDefinition,
  values: readonly Expression[],
): ArgumentProblem | null {
  const { name, constants } = definition;
  for (const [index, { is, called }] of Object.entries(constants)) {
    const value = values[Number(index)];
    if (value === undefined) continue;
    const what = called === undefined ? name : `The ${called} of ${name}`;
    const list = is === 'fraction' ? elementsOf(value) : null;
    const problem = list === null ? RULES[is](constantOf(value), what) : fractionsProblem(what, list);
    if (problem !== null) return { argument: Number(index), ...problem };
  }
  return numberProblem(definition, values);
}
