import { constantValue, isApproximate } from '../../logical/constant-value.ts';
import type { Expression } from '../../logical/expression.ts';
import { parseDecimal } from '../decimal.ts';

/** A constant that reads can be planned with. */
export type Literal =
  | { readonly type: 'number'; readonly text: string }
  | { readonly type: 'text'; readonly value: string }
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'binary'; readonly base64: string };

/**
 * The constant that an expression is; 'null' for SQL NULL; null where it is none, or of a type that no attribute has, or
 * a number that stands for all that are near it.
 */
export function literalOf(expression: Expression): Literal | 'null' | null {
  const value = constantValue(expression);
  switch (value?.type) {
    case 'null':
      return 'null';
    case 'number':
      return isApproximate(value) ? null : value;
    case 'text':
    case 'boolean':
    case 'binary':
      return value;
    default:
      return null;
  }
}

/**
 * Whether a text can be taken for a number when it is compared with one. 'maybe' is what other readers of numbers than
 * ours might accept: spaces around, `1_000`, `inf`.
 */
export function numericText(text: string): 'yes' | 'no' | 'maybe' {
  if (parseDecimal(text) !== null) return 'yes';
  return /^\s*(?:[+-]\s*)?[.\d]/.test(text) || /^\s*[+-]?(inf|nan)/i.test(text) ? 'maybe' : 'no';
}

/** Whether a text can be taken for a truth value when it is compared with one. */
export function spellsTruth(text: string): boolean {
  return /^\s*(t|true|y|yes|on|1|f|false|n|no|off|0)\s*$/i.test(text);
}

const SHOWN_LENGTH_MAX = 40;

/** As SQL writes it, for EXPLAIN; long texts are cut. */
export function showLiteral(literal: Literal): string {
  if (literal.type === 'number') return literal.text;
  if (literal.type === 'boolean') return literal.value ? 'TRUE' : 'FALSE';
  const cut = (text: string): string =>
    text.length > SHOWN_LENGTH_MAX ? `${text.slice(0, SHOWN_LENGTH_MAX)}…` : text;
  if (literal.type === 'binary')
    return `X'${cut(Buffer.from(literal.base64, 'base64').toString('hex').toUpperCase())}'`;
  return `'${cut(literal.value).replaceAll("'", "''")}'`;
}
