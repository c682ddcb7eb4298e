/**
 * What constants make unreachable is left out, as DuckDB and SQLite do: it need not be grouped by, nor read. Grouped
 * queries rely on it.
 */
import type { Expression } from '../logical/expression.ts';

/** COALESCE never gets beyond a constant. */
export function reachableValues(values: readonly Expression[]): readonly Expression[] {
  const constant = values.findIndex((value) => value.kind === 'Literal' && value.value.type !== 'null');
  return constant < 0 ? values : values.slice(0, constant + 1);
}

/** A branch of CASE, each part bound. */
interface Branch {
  readonly when: Expression;
  readonly then: Expression;
}

/** `CASE 8 WHEN 76 …` never gets into the branch; constants of other kinds than whole numbers are left to DuckDB. */
export function reachableBranches(
  operand: Expression | null,
  branches: readonly Branch[],
): readonly Branch[] {
  const value = operand === null ? null : wholeNumber(operand);
  if (value === null) return branches;
  return branches.filter(({ when }) => {
    const compared = wholeNumber(when);
    return compared === null || compared === value;
  });
}

function wholeNumber(node: Expression): bigint | null {
  if (node.kind !== 'Literal' || node.value.type !== 'number') return null;
  return /^-?\d{1,18}$/.test(node.value.text) ? BigInt(node.value.text) : null;
}
