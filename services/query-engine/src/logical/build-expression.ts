/** Makes frozen expressions. Each factory is named after its `kind`; `pos` is where the statement said it. */
import type { Position } from '../parser/ast.ts';
import type { Column, Expression, LiteralValue } from './expression.ts';

type Of<K extends Expression['kind']> = Extract<Expression, { readonly kind: K }>;

/** Freezes a node as it is given. */
export function expression(node: Expression): Expression {
  return Object.freeze(node);
}

export function columnReference(column: Column, pos?: Position): Of<'ColumnReference'> {
  return Object.freeze({ kind: 'ColumnReference', column, pos });
}

export function literal(value: LiteralValue, pos?: Position): Of<'Literal'> {
  return Object.freeze({ kind: 'Literal', value: Object.freeze(value), pos });
}

export const NULL_LITERAL: Expression = literal({ type: 'null' });
export const TRUE_LITERAL: Expression = literal({ type: 'boolean', value: true });
export const FALSE_LITERAL: Expression = literal({ type: 'boolean', value: false });

/** A comparison of two values. */
export function comparison(
  operator: Of<'Comparison'>['operator'],
  left: Expression,
  right: Expression,
  pos?: Position,
): Of<'Comparison'> {
  return Object.freeze({ kind: 'Comparison', operator, left, right, pos });
}

/** A call of a scalar function of the list, by its canonical name. */
export function functionCall(name: string, args: readonly Expression[], pos?: Position): Of<'FunctionCall'> {
  return Object.freeze({ kind: 'FunctionCall', name, arguments: Object.freeze([...args]), pos });
}

/** CAST to a type of `binder/types.ts`, by its canonical name; it fails where the value cannot be read as one. */
export function castTo(operand: Expression, sqlType: string, pos?: Position): Of<'Cast'> {
  return Object.freeze({ kind: 'Cast', operand, sqlType, tryCast: false, pos });
}

/** The elements of a list that is written in the statement, `ARRAY[a, b]`; null for any other expression. */
export function elementsOf(node: Expression): readonly Expression[] | null {
  return node.kind === 'FunctionCall' && node.name === 'JSON_ARRAY' ? node.arguments : null;
}

export function not(operand: Expression, pos?: Position): Expression {
  return Object.freeze({ kind: 'Not', operand, pos });
}

/** AND of any number of operands: TRUE of none, the operand itself of one. */
export function and(operands: readonly Expression[], pos?: Position): Expression {
  if (operands.length === 1) return operands[0] as Expression;
  if (operands.length === 0) return TRUE_LITERAL;
  return Object.freeze({ kind: 'And', operands: Object.freeze([...operands]), pos });
}

/** OR of one operand at least: of one, the operand itself. */
export function or(operands: readonly Expression[], pos?: Position): Expression {
  if (operands.length === 1) return operands[0] as Expression;
  return Object.freeze({ kind: 'Or', operands: Object.freeze([...operands]), pos });
}

/** The conjuncts of a condition, nested ANDs flattened. A condition that is TRUE has none. */
export function conjunctsOf(condition: Expression): readonly Expression[] {
  if (condition.kind === 'And') return condition.operands.flatMap(conjunctsOf);
  return isTrue(condition) ? [] : [condition];
}

export function isTrue(node: Expression): boolean {
  return node.kind === 'Literal' && node.value.type === 'boolean' && node.value.value;
}

/** FALSE or NULL: as a condition, nothing passes. */
export function isNeverTrue(node: Expression): boolean {
  if (node.kind !== 'Literal') return false;
  return node.value.type === 'null' || (node.value.type === 'boolean' && !node.value.value);
}
