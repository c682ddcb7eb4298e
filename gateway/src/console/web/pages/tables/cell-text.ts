/** A value of a result as text, with every digit that it has. */
import { isLosslessNumber, stringify } from 'lossless-json';

/** A longer document or text is cut here; the Query page shows all of it. */
const CHARS_MAX = 200;

export interface CellText {
  readonly kind: 'null' | 'empty' | 'number' | 'text';
  readonly text: string;
}

const cut = (text: string): string => (text.length > CHARS_MAX ? `${text.slice(0, CHARS_MAX)}…` : text);

/** @param value as lossless-json reads it: numbers are not JavaScript's */
export function cellText(value: unknown): CellText {
  if (value === null || value === undefined) return { kind: 'null', text: 'NULL' };
  if (isLosslessNumber(value)) return { kind: 'number', text: value.toString() };
  if (value === '') return { kind: 'empty', text: 'empty text' };
  if (typeof value === 'string') return { kind: 'text', text: cut(value) };
  return { kind: 'text', text: cut(stringify(value) ?? '') };
}
