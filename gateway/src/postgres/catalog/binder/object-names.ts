/** Names as regclass and its siblings read them: what they say about quotes and dots. */
import { bindError } from './errors.ts';

/** The parts of a dotted name: unquoted ones in small letters. */
export function splitName(text: string, at: number): readonly string[] {
  const parts: string[] = [];
  const part = /\s*(?:"((?:[^"]|"")*)"|([^\s".]+))\s*/y;
  for (;;) {
    const found = part.exec(text);
    if (found === null) throw bindError('42602', 'invalid name syntax', at);
    parts.push(found[1]?.replaceAll('""', '"') ?? (found[2] ?? '').toLowerCase());
    if (part.lastIndex >= text.length) return parts;
    if (text[part.lastIndex] !== '.') throw bindError('42602', 'invalid name syntax', at);
    part.lastIndex++;
  }
}

/** Schema and name. */
export function schemaAndName(text: string, at: number): readonly [string | null, string] {
  const parts = splitName(text, at);
  return [parts.at(-2) ?? null, parts.at(-1) ?? ''];
}
