/** An XML element to be: text, children by name, or a list of `member`s. undefined children are left out. */
export type XmlValue =
  | string
  | number
  | readonly XmlValue[]
  | { readonly [name: string]: XmlValue | undefined };

/** Writes an element, escaping all text. */
export function element(name: string, value: XmlValue): string {
  return `<${name}>${content(value)}</${name}>`;
}

/** Escapes text for element content; characters that XML 1.0 cannot hold become U+FFFD. */
function escapeXml(text: string): string {
  return text
    .replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(/\r/g, '&#13;')
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD');
}

function content(value: XmlValue): string {
  if (typeof value === 'string') return escapeXml(value);
  if (typeof value === 'number') return String(value);
  if (isList(value)) return value.map((item) => element('member', item)).join('');
  return Object.entries(value)
    .map(([name, child]) => (child === undefined ? '' : element(name, child)))
    .join('');
}

function isList(value: XmlValue): value is readonly XmlValue[] {
  return Array.isArray(value);
}
