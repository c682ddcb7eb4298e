import type { AstExpression, PathStep } from '../ast.ts';
import { ParserInternalError } from '../errors.ts';
import { BINDING, infixBinding, isLeftAssociative } from '../precedence.ts';
import { printFunctionCall } from './function-call.ts';
import { printList } from './lists.ts';
import { printName, printSteps, printString } from './names.ts';
import type { Printer } from './printer.ts';

type Kind = AstExpression['kind'];
type Node<K extends Kind> = Extract<AstExpression, { kind: K }>;

/** An expression as text, and how tightly its outermost operator binds. */
interface Printed {
  readonly text: string;
  readonly binding: number;
}

const printers: { readonly [K in Kind]: (node: Node<K>, printer: Printer) => Printed } = {
  Name: ({ path }) => closed(printPath(path)),
  Access: ({ operand, path }, printer) => closed(`(${printer.expression(operand)})${printSteps(path)}`),
  Subscript: ({ operand, index }, printer) =>
    closed(`(${printer.expression(operand)})[${printer.expression(index)}]`),
  Slice: ({ operand, from, to }, printer) => {
    const bounds = [from, to].map((bound) => (bound === null ? '' : printer.expression(bound)));
    return closed(`(${printer.expression(operand)})[${bounds.join(' : ')}]`);
  },
  StringLiteral: ({ value }) => closed(printString(value)),
  NumberLiteral: ({ text }) => closed(text),
  BinaryLiteral: ({ hex }) => closed(`X'${hex}'`),
  BooleanLiteral: ({ value }) => closed(value ? 'TRUE' : 'FALSE'),
  NullLiteral: () => closed('NULL'),
  TypedLiteral: ({ type, value }) => closed(`${type} ${printString(value)}`),
  IntervalLiteral: ({ value, unit }) =>
    closed(`INTERVAL ${printString(value)}${unit === null ? '' : ` ${unit}`}`),
  Parameter: ({ name, index }) => closed(`$${name ?? (index ?? 0) + 1}`),
  Unary: ({ operator, operand }, printer) => ({
    text: `${operator}${within(operand, BINDING.SUFFIX, printer)}`,
    binding: operator === '~' ? BINDING.OTHER : BINDING.SIGN,
  }),
  Binary: ({ operator, left, right }, printer) => {
    const binding = infixBinding(operator);
    const leftBinding = isLeftAssociative(operator) ? binding : binding + 1;
    return {
      text: `${within(left, leftBinding, printer)} ${operator} ${within(right, binding + 1, printer)}`,
      binding,
    };
  },
  Not: ({ operand }, printer) => ({
    text: `NOT ${within(operand, BINDING.NOT, printer)}`,
    binding: BINDING.NOT,
  }),
  And: ({ operands }, printer) => conjuncts(operands, 'AND', BINDING.AND, printer),
  Or: ({ operands }, printer) => conjuncts(operands, 'OR', BINDING.OR, printer),
  Is: ({ operand, test, negated }, printer) => ({
    text: `${within(operand, BINDING.IS + 1, printer)} IS ${not(negated)}${test}`,
    binding: BINDING.IS,
  }),
  Between: ({ operand, low, high, negated }, printer) =>
    range(
      `${printer.inRange(operand)} ${not(negated)}BETWEEN ${printer.inRange(low)} AND ${printer.inRange(high)}`,
    ),
  InList: ({ operand, values, negated }, printer) =>
    range(`${printer.inRange(operand)} ${not(negated)}IN (${printList(values, printer)})`),
  InSubquery: ({ operand, query, negated }, printer) =>
    range(`${printer.inRange(operand)} ${not(negated)}IN (${printer.query(query)})`),
  Like: ({ operand, pattern, escape, caseInsensitive, negated }, printer) => {
    const operator = `${not(negated)}${caseInsensitive ? 'ILIKE' : 'LIKE'}`;
    const suffix = escape === null ? '' : ` ESCAPE ${printer.inRange(escape)}`;
    return range(`${printer.inRange(operand)} ${operator} ${printer.inRange(pattern)}${suffix}`);
  },
  SimilarTo: ({ operand, pattern, negated }, printer) =>
    range(`${printer.inRange(operand)} ${not(negated)}SIMILAR TO ${printer.inRange(pattern)}`),
  Exists: ({ query }, printer) => closed(`EXISTS (${printer.query(query)})`),
  ScalarSubquery: ({ query }, printer) => closed(`(${printer.query(query)})`),
  ArraySubquery: ({ query }, printer) => closed(`ARRAY (${printer.query(query)})`),
  QuantifiedComparison: ({ operator, quantifier, operand, query }, printer) => ({
    text: `${within(operand, BINDING.COMPARISON + 1, printer)} ${operator} ${quantifier} (${printer.query(query)})`,
    binding: BINDING.COMPARISON,
  }),
  QuantifiedList: ({ operator, quantifier, operand, list }, printer) => ({
    text: `${within(operand, BINDING.COMPARISON + 1, printer)} ${operator} ${quantifier} (${printer.expression(list)})`,
    binding: BINDING.COMPARISON,
  }),
  Case: ({ operand, branches, otherwise }, printer) => {
    const subject = operand === null ? '' : ` ${printer.expression(operand)}`;
    const whens = branches.map(
      ({ when, then }) => ` WHEN ${printer.expression(when)} THEN ${printer.expression(then)}`,
    );
    const last = otherwise === null ? '' : ` ELSE ${printer.expression(otherwise)}`;
    return closed(`CASE${subject}${whens.join('')}${last} END`);
  },
  Cast: ({ operand, type, tryCast }, printer) =>
    closed(`${tryCast ? 'TRY_CAST' : 'CAST'}(${printer.expression(operand)} AS ${type})`),
  Extract: ({ field, operand }, printer) => closed(`EXTRACT(${field} FROM ${printer.expression(operand)})`),
  FunctionCall: (node, printer) => closed(printFunctionCall(node, printer)),
  Row: ({ values }, printer) => closed(`${values.length < 2 ? 'ROW' : ''}(${printList(values, printer)})`),
};

/** An expression as SQL, with parentheses only where the table of precedence needs them. */
export const printExpression = (expression: AstExpression, printer: Printer): string =>
  printBound(expression, printer).text;

/** The same where only what binds tighter than BETWEEN, IN and LIKE may stand without parentheses. */
export const printInRange = (expression: AstExpression, printer: Printer): string =>
  within(expression, BINDING.RANGE + 1, printer);

function printBound(expression: AstExpression, printer: Printer): Printed {
  const print = printers[expression.kind] as (node: AstExpression, printer: Printer) => Printed;
  return print(expression, printer);
}

function within(expression: AstExpression, binding: number, printer: Printer): string {
  const printed = printBound(expression, printer);
  return printed.binding < binding ? `(${printed.text})` : printed.text;
}

function conjuncts(
  operands: readonly AstExpression[],
  operator: string,
  binding: number,
  printer: Printer,
): Printed {
  const texts = operands.map((operand) => within(operand, binding + 1, printer));
  return { text: texts.join(` ${operator} `), binding };
}

function printPath([first, ...rest]: readonly PathStep[]): string {
  if (first?.kind !== 'Name') throw new ParserInternalError('a path starts with a subscript');
  return printName(first.identifier) + printSteps(rest);
}

const closed = (text: string): Printed => ({ text, binding: BINDING.SUFFIX });
const range = (text: string): Printed => ({ text, binding: BINDING.RANGE });
const not = (negated: boolean): string => (negated ? 'NOT ' : '');
