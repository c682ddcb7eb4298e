/** `x op ANY | ALL (list)` as what it stands for. */
import { comparison, expression, functionCall, literal, not } from '../logical/build-expression.ts';
import type { Expression } from '../logical/expression.ts';
import type { AstExpression, Position } from '../parser/ast.ts';

type Quantified = Extract<AstExpression, { readonly kind: 'QuantifiedList' }>;

/** The parameter that a list is: `= ANY ($1)`, or as drivers write it, `= ANY ($1::text[])`. */
export function listParameter(list: AstExpression): Extract<AstExpression, { kind: 'Parameter' }> | null {
  const inner = list.kind === 'Cast' && list.type.endsWith('[]') ? list.operand : list;
  return inner.kind === 'Parameter' ? inner : null;
}

/** Of a list that is written out: IN where it is just that, so that keys are looked up by it; else each compared. */
export function amongValues(
  operator: Quantified['operator'],
  quantifier: Quantified['quantifier'],
  operand: Expression,
  values: readonly Expression[],
  pos: Position,
): Expression {
  const any = quantifier === 'ANY';
  const [first, ...others] = values;
  if (first === undefined) return literal({ type: 'boolean', value: !any }, pos);
  if (operator === (any ? '=' : '<>')) {
    return expression({ kind: 'InList', operand, values, negated: !any, pos });
  }
  const compared = values.map((value) => comparison(operator, operand, value, pos));
  const [only] = compared;
  return only !== undefined && others.length === 0
    ? only
    : expression({ kind: any ? 'Or' : 'And', operands: compared, pos });
}

/**
 * Of a list that is a value: whether it has such an element. Null for what that cannot say, and for a constant, which is
 * no list.
 */
export function amongElements(
  operator: Quantified['operator'],
  quantifier: Quantified['quantifier'],
  operand: Expression,
  list: Expression,
  pos: Position,
): Expression | null {
  const any = quantifier === 'ANY';
  if (operator !== (any ? '=' : '<>') || operand.kind === 'Row' || list.kind === 'Literal') return null;
  const contains = functionCall('ARRAY_CONTAINS', [list, operand], pos);
  return any ? contains : not(contains, pos);
}
