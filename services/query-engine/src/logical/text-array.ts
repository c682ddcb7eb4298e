/** PostgreSQL's way of writing a list as text: `{a,"b c",NULL}`. */

const ELEMENT = /\s*(?:"((?:[^"\\]|\\[\s\S])*)"|([^{}",\\\s](?:[^{}",\\]*[^{}",\\\s])?))\s*/y;

/** The elements, null for NULL; null where the text is no such list, or has lists in it. */
export function elementsOfTextArray(text: string): readonly (string | null)[] | null {
  const trimmed = text.trim();
  if (!trimmed.startsWith('{') || !trimmed.endsWith('}')) return null;
  const inside = trimmed.slice(1, -1);
  if (inside.trim() === '') return [];
  const elements: (string | null)[] = [];
  for (let at = 0; ; at++) {
    ELEMENT.lastIndex = at;
    const [whole, quoted, bare = ''] = ELEMENT.exec(inside) ?? [];
    if (whole === undefined) return null;
    elements.push(
      quoted !== undefined
        ? quoted.replaceAll(/\\([\s\S])/g, '$1')
        : bare.toUpperCase() === 'NULL'
          ? null
          : bare,
    );
    at += whole.length;
    if (at === inside.length) return elements;
    if (inside.charAt(at) !== ',') return null;
  }
}
