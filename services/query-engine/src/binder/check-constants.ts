/**
 * Arguments that must be constants, or that only some constants fit: said of the statement, before anything is read,
 * where it says what is wrong.
 */
import { nearestNames } from '@penstock/common/text/nearest-names.ts';
import type { Expression, LiteralValue } from '../logical/expression.ts';
import type { ConstantRule, FunctionDefinition } from '../logical/functions/definition.ts';
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

const RULES: Readonly<Record<ConstantRule['is'], Check>> = Object.freeze({
  text: constantText,
  unit: unit(EXACT_UNITS),
  part: unit(UNITS),
  regexOptions,
  digit: wholeNumber,
  fraction,
  fromOne,
});

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
    const problem = RULES[is](value.kind === 'Literal' ? value.value : null, what);
    if (problem !== null) return { argument: Number(index), ...problem };
  }
  return null;
}
