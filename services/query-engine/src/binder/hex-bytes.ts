/** Bytes as clients of PostgreSQL write them: `'\x1f00'::bytea`. */
import type { Expression } from '../logical/expression.ts';

const HEX = /^\\x((?:[0-9a-f]{2})*)$/i;

/**
 * The base64 of a text that is cast to a type of this name, null where it is no such text. Only BYTEA, PostgreSQL's own name,
 * reads hexadecimal digits: BLOB and the others take a text's own bytes.
 */
export function hexBytes(typeName: string, operand: Expression): string | null {
  if (typeName.toUpperCase() !== 'BYTEA') return null;
  if (operand.kind !== 'Literal' || operand.value.type !== 'text') return null;
  const digits = HEX.exec(operand.value.value)?.[1];
  return digits === undefined ? null : Buffer.from(digits, 'hex').toString('base64');
}
