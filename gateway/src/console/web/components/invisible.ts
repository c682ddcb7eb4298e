/**
 * Controls, zero-width spaces, marks that reorder text, and line separators. Not the joiners between letters (U+200C and
 * U+200D), which Persian and emoji need, nor tabs and line feeds.
 */

const INVISIBLE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

export interface TextPart {
  readonly text: string;
  /** Of an invisible character: `U+200B`. */
  readonly code?: string;
}

const ANY_INVISIBLE = new RegExp(INVISIBLE.source);

/** A text as parts, each invisible character one of its own; null where it has none. */
export function invisible(text: string): readonly TextPart[] | null {
  if (!ANY_INVISIBLE.test(text)) return null;
  const parts: TextPart[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(INVISIBLE)) {
    if (index > end) parts.push({ text: text.slice(end, index) });
    const code = `U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
    parts.push({ text: found, code });
    end = index + found.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end) });
  return parts;
}
