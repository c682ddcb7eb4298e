/** `(a, b) < (c, d)`, field by field, so that each pair meets by its own types. */
import type { ComparisonOperator } from '../logical/expression.ts';
import type { Typed } from './types/sql-type.ts';
import { compare } from './comparison.ts';

export function compareRows(
  operator: ComparisonOperator,
  pairs: readonly (readonly [Typed, Typed])[],
): string {
  const [only, ...others] = pairs;
  if (only !== undefined && others.length === 0) return compare(operator, ...only);
  const every = (op: '=' | 'IS NOT DISTINCT FROM'): string =>
    `(${pairs.map(([a, b]) => compare(op, a, b)).join(' AND ')})`;
  if (operator === '=' || operator === 'IS NOT DISTINCT FROM') return every(operator);
  if (operator === '<>') return `(NOT ${every('=')})`;
  if (operator === 'IS DISTINCT FROM') return `(NOT ${every('IS NOT DISTINCT FROM')})`;
  const strict = operator.startsWith('<') ? '<' : '>';
  const from = (index: number): string => {
    const pair = pairs[index];
    if (pair === undefined) return operator.endsWith('=') ? 'TRUE' : 'FALSE';
    return `(${compare(strict, ...pair)} OR (${compare('=', ...pair)} AND ${from(index + 1)}))`;
  };
  return from(0);
}
