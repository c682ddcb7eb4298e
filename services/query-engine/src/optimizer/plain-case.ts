/** CASE and IF as conditions. */
import { comparison, FALSE_LITERAL, TRUE_LITERAL } from '../logical/build-expression.ts';
import { holdsOf, type ComparedBy } from '../logical/comparison-operators.ts';
import { constantValue, isApproximate } from '../logical/constant-value.ts';
import type { Expression, LiteralValue } from '../logical/expression.ts';
import type { Position } from '../parser/ast.ts';
import { compareLiterals } from './compare-literals.ts';

type Comparison = Extract<Expression, { kind: 'Comparison' }>;

/** CASE or IF: the result of the first branch whose condition is true. */
export interface GivenCase {
  readonly branches: readonly { readonly when: Expression; readonly then: Expression }[];
  /** Null: NULL. */
  readonly otherwise: Expression | null;
}

/** The expression as branches that each have a condition; null where it is none. */
export function asCase(node: Expression): GivenCase | null {
  if (node.kind === 'Case') {
    const { operand, branches, otherwise } = node;
    if (operand === null) return { branches, otherwise };
    const asked = branches.map(({ when, then }) => ({
      when: comparison('=', operand, when, when.pos),
      then,
    }));
    return { branches: asked, otherwise };
  }
  if (node.kind !== 'FunctionCall' || node.name !== 'IF') return null;
  const [when, then, otherwise] = node.arguments;
  if (when === undefined || then === undefined) return null;
  return { branches: [{ when, then }], otherwise: otherwise ?? null };
}

/** A comparison of CASE with a constant: the CASE, and which of its constant results pass; null of one where nobody knows. */
export function caseAgainst(
  node: Comparison,
): { readonly case: GivenCase; readonly holds: (result: Expression) => boolean | null } | null {
  const { operator, left, right } = node;
  if (operator === 'IS DISTINCT FROM' || operator === 'IS NOT DISTINCT FROM') return null;
  const [value, other] = [constantValue(right), constantValue(left)];
  const given = value !== null ? asCase(left) : other !== null ? asCase(right) : null;
  const constant = value ?? other;
  if (given === null || constant === null) return null;
  return {
    case: given,
    holds: (result) => {
      const one = constantValue(result);
      if (one === null) return null;
      return value !== null ? compared(one, operator, constant) : compared(constant, operator, one);
    },
  };
}

/** Whether a comparison of two constants is true; null where that is not certain. */
export function compared(a: LiteralValue, operator: ComparedBy, b: LiteralValue): boolean | null {
  if (a.type === 'null' || b.type === 'null') return false;
  if (isApproximate(a) || isApproximate(b)) return null;
  const order = compareLiterals(a, b);
  return order === null ? null : holdsOf(operator, order);
}

/**
 * The condition that a CASE is, by which of its results pass: the only branch that does where it comes first, or that the only
 * one that does not is not taken. Null: there is more to it.
 */
export function plainCase(
  { branches, otherwise }: GivenCase,
  holds: (result: Expression) => boolean | null,
  pos: Position | undefined,
): Expression | null {
  const truths = [...branches.map(({ then }) => holds(then)), otherwise === null ? false : holds(otherwise)];
  if (truths.some((truth) => truth === null)) return null;
  const [first, ...others] = truths;
  const [branch] = branches;
  if (others.some((truth) => truth !== others[0]) || branch === undefined) return null;
  if (first === others[0]) return first === true ? TRUE_LITERAL : FALSE_LITERAL;
  if (first === true) return branch.when;
  return Object.freeze({ kind: 'IsTruth', operand: branch.when, value: true, negated: true, pos });
}
