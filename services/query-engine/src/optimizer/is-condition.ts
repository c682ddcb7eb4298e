import type { Expression } from '../logical/expression.ts';
import { scalarNamed } from '../logical/functions/list.ts';

const KINDS: ReadonlySet<Expression['kind']> = new Set<Expression['kind']>([
  'Comparison',
  'Not',
  'And',
  'Or',
  'IsNull',
  'IsTruth',
  'Between',
  'InList',
  'Like',
  'Exists',
  'InSubquery',
  'QuantifiedComparison',
]);

/** Whether an expression is true, false or NULL whatever the rows hold. An attribute may hold something else. */
export function isCondition(node: Expression): boolean {
  if (KINDS.has(node.kind)) return true;
  if (node.kind === 'Literal') return node.value.type === 'boolean' || node.value.type === 'null';
  if (node.kind === 'Case') {
    const results = [...node.branches.map(({ then }) => then), node.otherwise];
    return results.every((result) => result === null || isCondition(result));
  }
  if (node.kind !== 'FunctionCall') return false;
  if (node.name === 'COALESCE') return node.arguments.every(isCondition);
  if (node.name === 'IF') return node.arguments.slice(1).every(isCondition);
  return scalarNamed(node.name).result === 'boolean';
}
