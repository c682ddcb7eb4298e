/** Bytes as clients of PostgreSQL write them: `'\x1f00'::bytea`, and `$1::bytea` with a parameter of bytes. */
import type { Expression } from '../logical/expression.ts';
import type { AstExpression } from '../parser/ast.ts';

const HEX = /^\\x((?:[0-9a-f]{2})*)$/i;
const BASE64 = /^(?:[a-z0-9+/]{4})*(?:[a-z0-9+/]{2}==|[a-z0-9+/]{3}=)?$/i;

/**
 * The base64 of a text that is cast to BYTEA, null where it is no such text: hexadecimal digits, or a parameter, whose bytes come
 * in base64. Only PostgreSQL's own name reads texts so: BLOB and the others take a text's own bytes.
 */
export function bytesOf(
  { type, operand: written }: Extract<AstExpression, { kind: 'Cast' }>,
  operand: Expression,
): string | null {
  if (type.toUpperCase() !== 'BYTEA') return null;
  if (operand.kind !== 'Literal' || operand.value.type !== 'text') return null;
  const { value } = operand.value;
  const digits = HEX.exec(value)?.[1];
  if (digits !== undefined) return Buffer.from(digits, 'hex').toString('base64');
  return written.kind === 'Parameter' && BASE64.test(value) ? value : null;
}
