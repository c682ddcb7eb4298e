/**
 * Folds a condition as far as the answer is certain and exact. Only truth counts here: of a conjunct, NULL is as good as
 * FALSE. Values that are shown are left alone, since folding could change their type.
 */
import { FALSE_LITERAL, NULL_LITERAL, TRUE_LITERAL, and, literal, not } from '../logical/build-expression.ts';
import { holdsOf } from '../logical/comparison-operators.ts';
import { constantValue, isApproximate } from '../logical/constant-value.ts';
import type { Expression, LiteralValue } from '../logical/expression.ts';
import { mapList, withFields } from '../logical/visit.ts';
import type { Position } from '../parser/ast.ts';
import { compareLiterals } from './compare-literals.ts';
import { plainCondition } from './plain-condition.ts';

/** The literal that a condition amounts to. */
type Truth = boolean | null;

function truthOf(node: Expression): Truth | undefined {
  const value = constantValue(node);
  if (value?.type === 'null') return null;
  return value?.type === 'boolean' ? value.value : undefined;
}

function literalOf(truth: Truth): Expression {
  return truth === null ? NULL_LITERAL : truth ? TRUE_LITERAL : FALSE_LITERAL;
}

/** A conjunct that is true for exactly the rows that the given one is true for. */
export function simplifyCondition(condition: Expression): Expression {
  let [before, simple] = [condition, plainCondition(simplify(condition))];
  // What is said plainly may be simplified further, and the other way around.
  while (simple !== before) [before, simple] = [simple, plainCondition(simplify(simple))];
  return truthOf(simple) === null ? FALSE_LITERAL : simple;
}

function simplify(node: Expression): Expression {
  const value = constantValue(node);
  if (value !== null) return simplifyConstant(node, value);
  switch (node.kind) {
    case 'And':
    case 'Or':
      return simplifyOperands(node);
    case 'Not':
      return simplifyNot(node);
    case 'Comparison':
      return simplifyComparison(node);
    case 'IsNull': {
      const { operand, negated } = node;
      const constant = constantValue(operand);
      return constant === null ? node : literalOf((constant.type === 'null') !== negated);
    }
    default:
      return node;
  }
}

function simplifyOperands(node: Extract<Expression, { kind: 'And' | 'Or' }>): Expression {
  const { kind } = node;
  const operands = mapList(node.operands, simplify);
  const decides = kind === 'Or';
  if (operands.some((operand) => truthOf(operand) === decides)) return literalOf(decides);
  const left = operands.filter((operand) => truthOf(operand) !== !decides);
  if (left.length === 0) return literalOf(!decides);
  if (left.every((operand) => truthOf(operand) === null)) return NULL_LITERAL;
  if (left.length === 1) return left[0] as Expression;
  return left.length === operands.length
    ? withFields(node, { operands })
    : withFields(node, { operands: left });
}

/**
 * NOT moves inwards over AND and OR, so that their operands become conjuncts of their own; on the way down, so that each
 * operand is simplified once however many NOTs it is in.
 */
function simplifyNot(node: Extract<Expression, { kind: 'Negate' | 'BitwiseNot' | 'Not' }>): Expression {
  const { operand } = node;
  if (operand.kind === 'Not') return simplify(operand.operand);
  if (operand.kind === 'And' || operand.kind === 'Or') {
    const operands = operand.operands.map((one) => not(one));
    const moved: Expression = operand.kind === 'Or' ? and(operands, node.pos) : or(operands, node.pos);
    return simplify(moved);
  }
  const simple = simplify(operand);
  const truth = truthOf(simple);
  if (truth !== undefined) return literalOf(truth === null ? null : !truth);
  return withFields(node, { operand: simple });
}

const or = (operands: readonly Expression[], pos: Position | undefined): Expression =>
  Object.freeze({ kind: 'Or', operands: Object.freeze([...operands]), pos });

function simplifyComparison(node: Extract<Expression, { kind: 'Comparison' }>): Expression {
  const { operator, left, right } = node;
  if (operator === 'IS DISTINCT FROM' || operator === 'IS NOT DISTINCT FROM') return node;
  // Compared with NULL, whatever it is, the answer is NULL.
  if (truthOf(left) === null || truthOf(right) === null) return NULL_LITERAL;
  const values = [constantValue(left), constantValue(right)] as const;
  if (values[0] === null || values[1] === null || values.some(isApproximate)) return node;
  const order = compareLiterals(...(values as readonly [LiteralValue, LiteralValue]));
  if (order === null) return node;
  return literal({ type: 'boolean', value: holdsOf(operator, order) });
}

function simplifyConstant(node: Expression, value: LiteralValue): Expression {
  switch (value.type) {
    case 'null':
    case 'boolean':
      return node.kind === 'Literal' ? node : literalOf(value.type === 'null' ? null : value.value);
    case 'number': {
      const order = isApproximate(value) ? null : compareLiterals(value, { type: 'number', text: '0' });
      return order === null ? node : literalOf(order !== 0);
    }
    default:
      return node;
  }
}
