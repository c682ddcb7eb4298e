/** JSON that stands in a statement as a constant, as data: its numbers as they are written. */
import { parseWithSource } from '@penstock/common/json/exact-json.ts';
import { parseForeignJson } from '@penstock/common/json/foreign-json.ts';

export type JsonConstant =
  | { readonly kind: 'text' | 'number'; readonly text: string }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'null' }
  | { readonly kind: 'array'; readonly elements: readonly JsonConstant[] }
  | { readonly kind: 'object'; readonly fields: ReadonlyMap<string, JsonConstant> };

/** The value of a JSON text. Throws ForeignJsonError where it is none, or too deep. */
export function jsonConstant(text: string): JsonConstant {
  parseForeignJson(text);
  return parseWithSource(text, (_, value, { source }): JsonConstant => {
    if (value === null) return { kind: 'null' };
    if (typeof value === 'string') return { kind: 'text', text: value };
    if (typeof value === 'boolean') return { kind: 'boolean', value };
    if (typeof value === 'number') return { kind: 'number', text: source ?? String(value) };
    if (Array.isArray(value)) return { kind: 'array', elements: value as readonly JsonConstant[] };
    return { kind: 'object', fields: new Map(Object.entries(value as Record<string, JsonConstant>)) };
  }) as JsonConstant;
}
