/**
 * Functions that keep the order of what they are given: where `a` comes before `b`, `f(a)` comes before `f(b)` or is equal to it.
 * What is ordered by such a function of a key is read in the order of the key.
 */
import { constantValue } from '../logical/constant-value.ts';
import type { Expression } from '../logical/expression.ts';
import { NUMERIC_TYPE, TIME_TYPES } from './turned-around/value-kind.ts';

type Kind = 'number' | 'text' | 'time';

/** One function, of one operand. */
export interface MonotoneStep {
  readonly operand: Expression;
  /** Of other values it may do anything. Null: of any. */
  readonly takes: Kind | null;
  /** Null: what it takes. */
  readonly gives: Kind | null;
  /** The greater its operand, the less its value. */
  readonly reverses: boolean;
  /** Different values stay different. */
  readonly strict: boolean;
  /** Of NULL it may make something else, so that its operand has to be there. */
  readonly required: boolean;
}

type Of<K extends Expression['kind']> = Extract<Expression, { readonly kind: K }>;

const STEP = Object.freeze({ reverses: false, strict: false, required: false });
const numbers = (operand: Expression, reverses = false): MonotoneStep => ({
  ...STEP,
  operand,
  takes: 'number',
  gives: 'number',
  reverses,
});
const times = (operand: Expression, gives: Kind = 'time'): MonotoneStep => ({
  ...STEP,
  operand,
  takes: 'time',
  gives,
});
const texts = (operand: Expression, strict: boolean): MonotoneStep => ({
  ...STEP,
  operand,
  takes: 'text',
  gives: 'text',
  strict,
});

/** The outermost function of an expression, where it keeps or reverses the order of its only operand that is no constant. */
export function monotoneStep(node: Expression): MonotoneStep | null {
  switch (node.kind) {
    case 'Negate':
      return { ...numbers(node.operand, true), strict: true };
    case 'Arithmetic':
      return ofArithmetic(node);
    case 'Cast':
      return ofCast(node);
    case 'Extract':
      return isWholeTime(node.field) ? times(node.operand, 'number') : null;
    case 'FunctionCall':
      return ofCall(node);
    default:
      return null;
  }
}

/** -1, 0 or 1 of a constant number; null of what is none. */
function signOf(node: Expression): number | null {
  const value = constantValue(node);
  return value?.type === 'number' ? Math.sign(Number(value.text)) : null;
}

function ofArithmetic({ operator, left, right }: Of<'Arithmetic'>): MonotoneStep | null {
  const [first, second] = [signOf(left), signOf(right)];
  switch (operator) {
    case '+':
      return second !== null ? numbers(left) : first !== null ? numbers(right) : null;
    case '-':
      return second !== null ? numbers(left) : first !== null ? numbers(right, true) : null;
    case '*': {
      const factor = second ?? first;
      if (factor === null || factor === 0 || Number.isNaN(factor)) return null;
      return numbers(second !== null ? left : right, factor < 0);
    }
    case '/':
      return second === null || second === 0 || Number.isNaN(second) ? null : numbers(left, second < 0);
    case '||':
      return constantValue(left)?.type === 'text' ? texts(right, true) : null;
    default:
      return null;
  }
}

function ofCast({ operand, sqlType, tryCast }: Of<'Cast'>): MonotoneStep | null {
  // What does not fit is NULL there, which has a place of its own.
  if (tryCast) return null;
  if (sqlType === 'VARCHAR') return texts(operand, true);
  if (TIME_TYPES.has(sqlType)) return times(operand);
  return NUMERIC_TYPE.test(sqlType) ? numbers(operand) : null;
}

/** Parts of a time that only grow. */
const isWholeTime = (field: string): boolean => ['YEAR', 'EPOCH'].includes(field.toUpperCase());

const ROUNDING: ReadonlySet<string> = new Set(['CEIL', 'FLOOR', 'ROUND', 'TRUNC']);

function ofCall({ name, arguments: given }: Of<'FunctionCall'>): MonotoneStep | null {
  const [first, second, third] = given;
  if (first === undefined) return null;
  if (ROUNDING.has(name)) return second === undefined || isPlace(second) ? numbers(first) : null;
  switch (name) {
    case 'TO_TIMESTAMP':
      return second === undefined ? { ...numbers(first), gives: 'time' } : null;
    case 'DATE_TRUNC':
      return second !== undefined && constantValue(first)?.type === 'text' ? times(second) : null;
    case 'DATE':
      return second === undefined ? times(first) : null;
    case 'YEAR':
    case 'EPOCH':
    case 'EPOCH_MS':
      return times(first, 'number');
    case 'LEFT':
      return second !== undefined && isCount(second) ? texts(first, false) : null;
    case 'SUBSTRING':
      return isOne(second) && (third === undefined || isCount(third)) ? texts(first, false) : null;
    case 'COALESCE':
      return { ...STEP, operand: first, takes: null, gives: null, strict: true, required: true };
    default:
      return null;
  }
}

/** Of a number below 0, characters are left out at the end: 'ab' comes after 'a', without its last letter it does not. */
function isCount(node: Expression): boolean {
  const value = constantValue(node);
  return value?.type === 'number' && /^\d+$/.test(value.text);
}

/** Digits that numbers may be rounded to. */
function isPlace(node: Expression): boolean {
  const value = constantValue(node);
  return value?.type === 'number' && /^-?\d{1,2}$/.test(value.text);
}

function isOne(node: Expression | undefined): boolean {
  const value = node === undefined ? null : constantValue(node);
  return value?.type === 'number' && value.text === '1';
}
