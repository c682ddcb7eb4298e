/**
 * Conditions about conditions, said plainly: `(a = 1) IS TRUE`, `CASE WHEN a = 1 THEN 1 ELSE 0 END = 1`. What tools write so
 * is `a = 1`, by which keys are found and tables are joined. As in a conjunct, NULL is as good as FALSE.
 */
import { and, comparison, not } from '../logical/build-expression.ts';
import { constantValue } from '../logical/constant-value.ts';
import type { ComparisonOperator, Expression } from '../logical/expression.ts';
import { mapList, withFields } from '../logical/visit.ts';
import { asCase, caseAgainst, plainCase } from './plain-case.ts';
import { isCondition } from './is-condition.ts';

type Comparison = Extract<Expression, { kind: 'Comparison' }>;

/** The condition as one that is true for just the same rows; the node itself where nothing can be said more plainly. */
export function plainCondition(node: Expression): Expression {
  switch (node.kind) {
    case 'And':
    case 'Or':
      return withFields(node, { operands: mapList(node.operands, plainCondition) });
    case 'IsTruth':
      if (node.negated) return node;
      return plainCondition(node.value ? node.operand : not(node.operand, node.pos));
    case 'Comparison':
      return again(node, nullSafe(node) ?? ofCase(node) ?? plainValue(node));
    case 'FunctionCall':
    case 'Case':
      return again(node, withDefault(node) ?? truthOfCase(node) ?? node);
    default:
      return again(node, plainValue(node));
  }
}

function again(before: Expression, now: Expression): Expression {
  return now === before ? before : plainCondition(now);
}

/** The same where the value counts, so that it is NULL for the same rows, too. */
function plainValue(node: Expression): Expression {
  if (node.kind === 'Comparison') return withTruth(node) ?? byField(node) ?? node;
  if (node.kind !== 'Not') return node;
  const operand = plainValue(node.operand);
  switch (operand.kind) {
    case 'Not':
      return plainValue(operand.operand);
    case 'Comparison': {
      const opposite = OPPOSITE[operand.operator];
      return opposite === undefined
        ? withFields(node, { operand })
        : comparison(opposite, operand.left, operand.right, node.pos);
    }
    case 'Between':
    case 'InList':
    case 'Like':
    case 'IsNull':
      return operand.negated ? withFields(operand, { negated: false }) : withFields(node, { operand });
    case 'IsTruth':
      return withFields(operand, { negated: !operand.negated });
    default:
      return withFields(node, { operand });
  }
}

/** Those that say more when they are not negated. */
const OPPOSITE: Readonly<Partial<Record<ComparisonOperator, ComparisonOperator>>> = Object.freeze({
  '<>': '=',
  'IS DISTINCT FROM': 'IS NOT DISTINCT FROM',
});

interface TruthAndCondition {
  readonly truth: boolean;
  readonly condition: Expression;
}

/** A side that is a truth value, and the other, which is a condition. */
function beside(one: Expression, condition: Expression): TruthAndCondition | null {
  const value = constantValue(one);
  return value?.type === 'boolean' && isCondition(condition) ? { truth: value.value, condition } : null;
}

/** `(a = b) = TRUE`. */
function withTruth(node: Comparison): Expression | null {
  if (node.operator !== '=' && node.operator !== '<>') return null;
  const sides = beside(node.left, node.right) ?? beside(node.right, node.left);
  if (sides === null) return null;
  const { truth, condition } = sides;
  return plainValue((node.operator === '=') === truth ? condition : not(condition, node.pos));
}

/** `a IS NOT DISTINCT FROM 1`: of NULL, as good as `a = 1`. */
function nullSafe(node: Comparison): Expression | null {
  if (node.operator !== 'IS NOT DISTINCT FROM') return null;
  const isGiven = [node.left, node.right].some((side) => {
    const value = constantValue(side);
    return value !== null && value.type !== 'null';
  });
  return isGiven ? comparison('=', node.left, node.right, node.pos) : null;
}

/** `(a, b) = (1, 2)` and `(a, b) > (1, 2)`, as rows are compared: field by field, the first that differ decide. */
function byField({ operator, left, right, pos }: Comparison): Expression | null {
  if (left.kind !== 'Row' || right.kind !== 'Row' || left.values.length !== right.values.length) return null;
  const pairs = left.values.map((value, i) => [value, right.values[i] ?? value] as const);
  if (operator === '=')
    return and(
      pairs.map(([a, b]) => comparison('=', a, b, pos)),
      pos,
    );
  if (!['<', '<=', '>', '>='].includes(operator)) return null;
  const strict = operator.startsWith('<') ? '<' : '>';
  return pairs.reduceRight<Expression | null>((rest, [a, b]) => {
    if (rest === null) return comparison(operator, a, b, pos);
    const operands = [comparison(strict, a, b, pos), and([comparison('=', a, b, pos), rest], pos)];
    return Object.freeze({ kind: 'Or', operands: Object.freeze(operands), pos });
  }, null);
}

/** `COALESCE(a = 1, FALSE)`. */
function withDefault(node: Expression): Expression | null {
  if (node.kind !== 'FunctionCall' || node.name !== 'COALESCE') return null;
  const [first, ...others] = node.arguments;
  const isNo = (one: Expression): boolean => {
    const value = constantValue(one);
    return value?.type === 'null' || (value?.type === 'boolean' && !value.value);
  };
  return first !== undefined && isCondition(first) && others.every(isNo) ? first : null;
}

/** `CASE WHEN a = 1 THEN TRUE ELSE FALSE END`. */
function truthOfCase(node: Expression): Expression | null {
  const given = asCase(node);
  return given === null ? null : plainCase(given, (result) => isTruth(result), node.pos);
}

function isTruth(result: Expression): boolean | null {
  const value = constantValue(result);
  if (value?.type === 'null') return false;
  return value?.type === 'boolean' ? value.value : null;
}

/** `CASE WHEN a = 1 THEN 'yes' ELSE 'no' END = 'yes'`. */
function ofCase(node: Comparison): Expression | null {
  const given = caseAgainst(node);
  return given === null ? null : plainCase(given.case, given.holds, node.pos);
}
