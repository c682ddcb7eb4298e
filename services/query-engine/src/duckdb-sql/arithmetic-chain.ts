/**
 * `a + b - c + …` of many operands, and `a * b * …`: one list, folded from the left. Written as operators inside of each
 * other, DuckDB's optimizer takes time by the cube of their number, seconds for a few hundred, and cannot be interrupted.
 */
import type { Expression } from '../logical/expression.ts';
import { LONG_CHAIN } from './limits.ts';
import { digitsOf } from './types/common-type.ts';
import { toNumber } from './types/convert.ts';
import {
  DOUBLE,
  EXACT_DIGITS_MAX,
  REAL,
  exactNumber,
  integer,
  isReal,
  type NumberType,
  type Typed,
} from './types/sql-type.ts';
import { castTo, decimalOf, writeArithmetic, writeNegation } from './arithmetic.ts';

export interface Operand {
  /** Joins it to what is on its left; of the first one `+` or `*`, without a meaning. */
  readonly operator: '+' | '-' | '*';
  readonly node: Expression;
}

/** The operands of a long chain of sums, or of products, in their order; null for any other expression. */
export function chainOf(root: Expression): readonly Operand[] | null {
  if (root.kind !== 'Arithmetic' || !['+', '-', '*'].includes(root.operator)) return null;
  const product = root.operator === '*';
  const operands: Operand[] = [];
  let left: Expression = root;
  while (left.kind === 'Arithmetic') {
    const { operator } = left;
    if (product ? operator !== '*' : operator !== '+' && operator !== '-') break;
    operands.push({ operator: operator as Operand['operator'], node: left.right });
    left = left.left;
  }
  operands.push({ operator: product ? '*' : '+', node: left });
  return operands.length > LONG_CHAIN ? operands.reverse() : null;
}

/** An operand as it is written, with its sign. */
interface WrittenOperand {
  readonly operator: Operand['operator'];
  readonly value: Typed;
}

function fold(operator: '+' | '*', values: readonly Typed[], type: NumberType): Typed {
  const items = values.map((value) => castTo(toNumber(value), type));
  return { sql: `list_reduce([${items.join(', ')}], lambda a, b: a ${operator} b)`, type };
}

/** The exact type that a sum of such operands fits into; null where there is none. */
function typeOfSum(values: readonly Typed[]): NumberType | null {
  const digits = values.map((value) => digitsOf(toNumber(value).type));
  if (!digits.every((one) => one !== null)) return null;
  const carried = String(values.length).length;
  const integerDigits = Math.max(...digits.map((one) => one.integerDigits)) + carried;
  const scale = Math.max(...digits.map((one) => one.scale));
  if (scale === 0) return integer(Math.min(integerDigits, EXACT_DIGITS_MAX));
  return exactNumber(integerDigits, scale).kind === 'decimal' ? decimalOf({ integerDigits, scale }) : null;
}

/** As many of the first operands as are exact are summed exactly, as they are without a list. */
function sum(operands: readonly WrittenOperand[]): Typed {
  const values = operands.map(({ operator, value }) => (operator === '-' ? writeNegation(value) : value));
  const inexact = values.findIndex((value) => toNumber(value).type.kind === 'double');
  const exact = inexact < 0 ? values : values.slice(0, inexact);
  const type = typeOfSum(exact);
  if (inexact < 0 && type !== null) return fold('+', exact, type);
  if (exact.length < 2 || type === null) return fold('+', values, DOUBLE);
  return fold('+', [fold('+', exact, type), ...values.slice(inexact)], DOUBLE);
}

function product(values: readonly Typed[]): Typed {
  if (values.every((value) => toNumber(value).type.kind === 'integer'))
    return fold('*', values, integer(EXACT_DIGITS_MAX));
  // Each factor adds a digit: after 38 of them at most it goes on as DOUBLE.
  let [made] = values as [Typed, ...Typed[]];
  for (let at = 1; at < values.length; at++) {
    if (made.type.kind === 'double') return fold('*', [made, ...values.slice(at)], DOUBLE);
    made = writeArithmetic('*', made, values[at] as Typed);
  }
  return made;
}

/** Rounded at each step, as it is without a list. */
function ofReals(operator: '+' | '*', operands: readonly WrittenOperand[]): Typed {
  const items = operands.map(
    ({ operator: sign, value }) => `CAST(${sign === '-' ? '-' : ''}${value.sql} AS FLOAT)`,
  );
  const list = `list_reduce([${items.join(', ')}], lambda a, b: a ${operator} b)`;
  return { sql: `CAST(${list} AS DOUBLE)`, type: REAL };
}

/** Throws TYPE_ERROR where an operand is no number. */
export function writeChain(operands: readonly WrittenOperand[]): Typed {
  const values = operands.map(({ value }) => value);
  // Dates and intervals have types of their own after each step.
  const [first, ...others] = operands as readonly [WrittenOperand, ...WrittenOperand[]];
  if (values.some(({ type }) => type.kind === 'temporal'))
    return others.reduce((left, { operator, value }) => writeArithmetic(operator, left, value), first.value);
  if (values.every(({ type }) => isReal(type))) return ofReals(first.operator === '*' ? '*' : '+', operands);
  return first.operator === '*' ? product(values) : sum(operands);
}
