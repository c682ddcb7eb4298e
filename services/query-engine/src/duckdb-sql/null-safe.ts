/**
 * `a = b OR (a IS NULL AND b IS NULL)`. DuckDB makes one comparison of it that is never NULL, though it is NULL where one
 * side is: right as a condition, wrong as a value.
 */
import { expression, not } from '../logical/build-expression.ts';
import type { Expression } from '../logical/expression.ts';

type IsNull = Extract<Expression, { kind: 'IsNull' }>;

const isNullTest = (node: Expression): node is IsNull => node.kind === 'IsNull' && !node.negated;

/** The comparison and the two tests for NULL, in whatever order they are said. */
function partsOf(operands: readonly Expression[]): {
  readonly equality: Extract<Expression, { kind: 'Comparison' }>;
  readonly tests: readonly IsNull[];
} | null {
  const equality = operands.find((node) => node.kind === 'Comparison');
  const both = operands.find((node) => node.kind === 'And');
  if (operands.length !== 2 || equality?.kind !== 'Comparison' || both?.kind !== 'And') return null;
  const tests = both.operands.filter(isNullTest);
  const isPair = tests.length === 2 && both.operands.length === 2;
  return equality.operator === '=' && isPair ? { equality, tests } : null;
}

/** Operands of an OR that say the same, in words that DuckDB leaves as they are. */
export function keptApart(operands: readonly Expression[]): readonly Expression[] {
  const parts = partsOf(operands);
  if (parts === null) return operands;
  const present = parts.tests.map(({ operand }) => expression({ kind: 'IsNull', operand, negated: true }));
  return [parts.equality, not(expression({ kind: 'Or', operands: present }))];
}

/** The two columns that a condition of this kind compares; null for any other. */
export function nullSafeSides(node: Expression): readonly Expression[] | null {
  const parts = node.kind === 'Or' ? partsOf(node.operands) : null;
  if (parts === null) return null;
  const sides = [parts.equality.left, parts.equality.right];
  const idOf = (side: Expression): number | null => (side.kind === 'ColumnReference' ? side.column.id : null);
  const compared = sides.map(idOf);
  const tested = parts.tests.map(({ operand }) => idOf(operand));
  const isSame = compared.every((id) => id !== null && tested.includes(id)) && new Set(tested).size === 2;
  return isSame ? sides : null;
}
