/** Parts of times that have a fraction in PostgreSQL, seconds above all: over REST it is cut off. */
import { expression } from '../logical/build-expression.ts';
import type { Expression } from '../logical/expression.ts';
import type { Position } from '../parser/ast.ts';
import type { StatementContext } from './context.ts';

const FRACTIONAL: ReadonlySet<string> = new Set(['SECOND', 'MILLISECOND', 'EPOCH', 'JULIAN']);

const isFractional = (field: string): boolean => FRACTIONAL.has(field.replace(/S$/, ''));

/** `EXTRACT(field FROM operand)`, by the rules of the statement. */
export function partOf(
  field: string,
  operand: Expression,
  pos: Position | undefined,
  { isPostgresql }: StatementContext,
): Expression {
  const part = { kind: 'Extract', field, operand, pos } as const;
  return expression(isPostgresql && isFractional(field) ? { ...part, withFraction: true } : part);
}

/** `date_part('second', x)`, the same number as of EXTRACT; null for calls that give whole numbers, and for any other. */
export function fractionalCall(
  name: string,
  [part, operand]: readonly Expression[],
  pos: Position | undefined,
  statement: StatementContext,
): Expression | null {
  if (!statement.isPostgresql || name !== 'DATE_PART' || operand === undefined) return null;
  if (part?.kind !== 'Literal' || part.value.type !== 'text') return null;
  const field = part.value.value.toUpperCase();
  return isFractional(field) ? partOf(field, operand, pos, statement) : null;
}
