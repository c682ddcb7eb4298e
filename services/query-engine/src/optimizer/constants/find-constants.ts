/** The expressions of a statement that depend on no row, for whose values reads can be planned. */
import { elementsOf } from '../../logical/build-expression.ts';
import { constantValue } from '../../logical/constant-value.ts';
import type { Expression, LiteralValue } from '../../logical/expression.ts';
import type { LogicalPlan } from '../../logical/plan.ts';
import { childrenOf, expressionsOf, subqueryOf, walkDeep } from '../../logical/visit.ts';
import { compareLiterals } from '../compare-literals.ts';
import { FOLDED_CONSTANTS_MAX } from '../limits.ts';
import { soleExpression } from './sole-expression.ts';
import { valueByForm } from './value-by-form.ts';

/** What the conditions of a statement hold. No expression is within another. */
export interface FoundConstants {
  /** Those whose values are seen at a glance. */
  readonly known: ReadonlyMap<Expression, LiteralValue>;
  /** Those that the engine has to evaluate. */
  readonly unknown: readonly Expression[];
}

/** The largest expressions without a column in all conditions of a statement, in subqueries and CTEs too. */
export function findConstants(root: LogicalPlan): FoundConstants {
  const known = new Map<Expression, LiteralValue>();
  const unknown = new Set<Expression>();

  const add = (node: Expression): void => {
    if (isPlain(node)) return;
    const parts = partsToFold(node);
    if (parts !== null) {
      parts.forEach(add);
      return;
    }
    const value = valueByForm(node);
    if (value !== null) known.set(node, value);
    else if (unknown.size < FOLDED_CONSTANTS_MAX) unknown.add(node);
  };

  /** Whether the node is a constant; if it is none, those right below it are added. */
  const visit = (node: Expression): boolean => {
    if (node.kind === 'Literal') return true;
    if (node.kind === 'ColumnReference') return false;
    const subquery = subqueryOf(node);
    const sole = subquery !== null && node.kind === 'ScalarSubquery' ? soleExpression(subquery) : null;
    if (sole !== null) return visit(sole);
    const children = childrenOf(node);
    const constants = children.filter(visit);
    if (subquery === null && node.kind !== 'Row' && constants.length === children.length) return true;
    constants.forEach(add);
    return false;
  };

  walkDeep(root, {
    plan: (node) => {
      for (const condition of conditionsOf(node)) if (visit(condition)) add(condition);
    },
  });
  return { known, unknown: [...unknown] };
}

function conditionsOf(node: LogicalPlan): readonly Expression[] {
  switch (node.kind) {
    case 'Filter':
    case 'Join':
      return expressionsOf(node);
    case 'Aggregate':
      return node.aggregates.flatMap(({ call: { filter } }) => (filter === null ? [] : [filter]));
    default:
      return [];
  }
}

/** A literal, or a number with a minus: their values need no folding. */
function isPlain(node: Expression): boolean {
  if (node.kind === 'Literal') return node.value.type !== 'temporal' || isCanonical(node.value.value);
  return constantValue(node) !== null;
}

/** As values are written that the engine gives. */
const isCanonical = (text: string): boolean =>
  /^(?:\d{4}-\d\d-\d\d(?: \d\d:\d\d:\d\d(?:\.\d{1,6})?(?:\+00)?)?|\d\d:\d\d:\d\d(?:\.\d{1,6})?)$/.test(text);

/**
 * The parts by which the optimizer, or a rule that turns conditions around, understands a constant without its value; null
 * where it does not.
 */
function partsToFold(node: Expression): readonly Expression[] | null {
  if (node.kind === 'And' || node.kind === 'Or' || node.kind === 'Not') return childrenOf(node);
  if (node.kind === 'IsNull' && node.operand.kind === 'Literal') return [];
  if (node.kind === 'Comparison' && node.left.kind === 'Literal' && node.right.kind === 'Literal') {
    const isDecided =
      !node.operator.startsWith('IS') && compareLiterals(node.left.value, node.right.value) !== null;
    return isDecided ? [] : null;
  }
  return elementsOf(node);
}
