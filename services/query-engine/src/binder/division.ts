/** Divisions by zero, which PostgreSQL refuses and which are NULL to us. */
import { expression } from '../logical/build-expression.ts';
import type { Expression } from '../logical/expression.ts';
import { childrenOf } from '../logical/visit.ts';
import type { StatementContext } from './context.ts';

type Kind = 'Arithmetic' | 'FunctionCall';
type Computed = Extract<Expression, { readonly kind: Kind }>;

const OPERATORS: ReadonlySet<string> = new Set(['/', '%']);
const FUNCTIONS: ReadonlySet<string> = new Set(['MOD', 'DIV']);

const divides = (node: Computed): boolean =>
  node.kind === 'Arithmetic' ? OPERATORS.has(node.operator) : FUNCTIONS.has(node.name);

/** The expression, by the rules of the statement where it divides. */
export const dividing = (node: Computed, { isPostgresql }: StatementContext): Expression =>
  expression(isPostgresql && divides(node) ? { ...node, refusesZero: true } : node);

const refuses = (node: Expression): boolean =>
  ('refusesZero' in node && node.refusesZero === true) || childrenOf(node).some(refuses);

/** The value that an aggregate is given: it is computed of rows that the FILTER lets through alone, where it may fail of others. */
export function whereComputed(value: Expression, filter: Expression | null): Expression {
  if (filter === null || !refuses(value)) return value;
  const branches = [{ when: filter, then: value }];
  return expression({ kind: 'Case', operand: null, branches, otherwise: null, pos: value.pos });
}
