import type { AstExpression, AstSortKey, PathStep } from '../ast.ts';
import { ParserInternalError } from '../errors.ts';
import { BINDING, infixBinding, isLeftAssociative } from '../precedence.ts';
import { printFunctionCall } from './function-call.ts';
import { printName, printSteps, printString } from './names.ts';
import { printQuery } from './query.ts';

type Kind = AstExpression['kind'];
type Node<K extends Kind> = Extract<AstExpression, { kind: K }>;

/** An expression as text, and how tightly its outermost operator binds. */
interface Printed {
  readonly text: string;
  readonly binding: number;
}

const printers: { readonly [K in Kind]: (node: Node<K>) => Printed } = {
  Name: ({ path }) => closed(printPath(path)),
  Access: ({ operand, path }) => closed(`(${printExpression(operand)})${printSteps(path)}`),
  Subscript: ({ operand, index }) => closed(`(${printExpression(operand)})[${printExpression(index)}]`),
  StringLiteral: ({ value }) => closed(printString(value)),
  NumberLiteral: ({ text }) => closed(text),
  BinaryLiteral: ({ hex }) => closed(`X'${hex}'`),
  BooleanLiteral: ({ value }) => closed(value ? 'TRUE' : 'FALSE'),
  NullLiteral: () => closed('NULL'),
  TypedLiteral: ({ type, value }) => closed(`${type} ${printString(value)}`),
  IntervalLiteral: ({ value, unit }) =>
    closed(`INTERVAL ${printString(value)}${unit === null ? '' : ` ${unit}`}`),
  Parameter: ({ name, index }) => closed(`$${name ?? (index ?? 0) + 1}`),
  Unary: ({ operator, operand }) => ({
    text: `${operator}${within(operand, BINDING.SUFFIX)}`,
    binding: operator === '~' ? BINDING.OTHER : BINDING.SIGN,
  }),
  Binary: ({ operator, left, right }) => {
    const binding = infixBinding(operator);
    const leftBinding = isLeftAssociative(operator) ? binding : binding + 1;
    return { text: `${within(left, leftBinding)} ${operator} ${within(right, binding + 1)}`, binding };
  },
  Not: ({ operand }) => ({ text: `NOT ${within(operand, BINDING.NOT)}`, binding: BINDING.NOT }),
  And: ({ operands }) => conjuncts(operands, 'AND', BINDING.AND),
  Or: ({ operands }) => conjuncts(operands, 'OR', BINDING.OR),
  Is: ({ operand, test, negated }) => ({
    text: `${within(operand, BINDING.IS + 1)} IS ${not(negated)}${test}`,
    binding: BINDING.IS,
  }),
  Between: ({ operand, low, high, negated }) =>
    range(`${inRange(operand)} ${not(negated)}BETWEEN ${inRange(low)} AND ${inRange(high)}`),
  InList: ({ operand, values, negated }) =>
    range(`${inRange(operand)} ${not(negated)}IN (${printList(values)})`),
  InSubquery: ({ operand, query, negated }) =>
    range(`${inRange(operand)} ${not(negated)}IN (${printQuery(query)})`),
  Like: ({ operand, pattern, escape, caseInsensitive, negated }) => {
    const operator = `${not(negated)}${caseInsensitive ? 'ILIKE' : 'LIKE'}`;
    const suffix = escape === null ? '' : ` ESCAPE ${inRange(escape)}`;
    return range(`${inRange(operand)} ${operator} ${inRange(pattern)}${suffix}`);
  },
  SimilarTo: ({ operand, pattern, negated }) =>
    range(`${inRange(operand)} ${not(negated)}SIMILAR TO ${inRange(pattern)}`),
  Exists: ({ query }) => closed(`EXISTS (${printQuery(query)})`),
  ScalarSubquery: ({ query }) => closed(`(${printQuery(query)})`),
  ArraySubquery: ({ query }) => closed(`ARRAY (${printQuery(query)})`),
  QuantifiedComparison: ({ operator, quantifier, operand, query }) => ({
    text: `${within(operand, BINDING.COMPARISON + 1)} ${operator} ${quantifier} (${printQuery(query)})`,
    binding: BINDING.COMPARISON,
  }),
  QuantifiedList: ({ operator, quantifier, operand, list }) => ({
    text: `${within(operand, BINDING.COMPARISON + 1)} ${operator} ${quantifier} (${printExpression(list)})`,
    binding: BINDING.COMPARISON,
  }),
  Case: ({ operand, branches, otherwise }) => {
    const subject = operand === null ? '' : ` ${printExpression(operand)}`;
    const whens = branches.map(
      ({ when, then }) => ` WHEN ${printExpression(when)} THEN ${printExpression(then)}`,
    );
    const last = otherwise === null ? '' : ` ELSE ${printExpression(otherwise)}`;
    return closed(`CASE${subject}${whens.join('')}${last} END`);
  },
  Cast: ({ operand, type, tryCast }) =>
    closed(`${tryCast ? 'TRY_CAST' : 'CAST'}(${printExpression(operand)} AS ${type})`),
  Extract: ({ field, operand }) => closed(`EXTRACT(${field} FROM ${printExpression(operand)})`),
  FunctionCall: (node) => closed(printFunctionCall(node)),
  Row: ({ values }) => closed(`${values.length < 2 ? 'ROW' : ''}(${printList(values)})`),
};

/** An expression as SQL, with parentheses only where the table of precedence needs them. */
export const printExpression = (expression: AstExpression): string => printBound(expression).text;

/** Expressions between commas. */
export const printList = (expressions: readonly AstExpression[]): string =>
  expressions.map(printExpression).join(', ');

/** An expression that stands where only what binds tighter than BETWEEN, IN and LIKE may. */
export const inRange = (expression: AstExpression): string => within(expression, BINDING.RANGE + 1);

/** The keys of an ORDER BY. */
export function printSortKeys(keys: readonly AstSortKey[]): string {
  return keys
    .map(({ expression, descending, nulls }) => {
      const order = `${descending ? ' DESC' : ''}${nulls === null ? '' : ` NULLS ${nulls}`}`;
      return `${printExpression(expression)}${order}`;
    })
    .join(', ');
}

function printBound(expression: AstExpression): Printed {
  const print = printers[expression.kind] as (node: AstExpression) => Printed;
  return print(expression);
}

function within(expression: AstExpression, binding: number): string {
  const printed = printBound(expression);
  return printed.binding < binding ? `(${printed.text})` : printed.text;
}

function conjuncts(operands: readonly AstExpression[], operator: string, binding: number): Printed {
  return { text: operands.map((operand) => within(operand, binding + 1)).join(` ${operator} `), binding };
}

function printPath([first, ...rest]: readonly PathStep[]): string {
  if (first?.kind !== 'Name') throw new ParserInternalError('a path starts with a subscript');
  return printName(first.identifier) + printSteps(rest);
}

const closed = (text: string): Printed => ({ text, binding: BINDING.SUFFIX });
const range = (text: string): Printed => ({ text, binding: BINDING.RANGE });
const not = (negated: boolean): string => (negated ? 'NOT ' : '');
