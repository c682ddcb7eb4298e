/** Markup whose every inserted value was escaped. */
export interface Html {
  readonly kind: 'html';
  readonly text: string;
}

/** What can stand in markup: text is escaped; null stands for nothing. */
type Content = Html | string | number | null | readonly Content[];

const ENTITIES: Readonly<Record<string, string>> = Object.freeze({
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
});

const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);

function textOf(content: Content): string {
  if (content === null) return '';
  if (typeof content === 'string') return escape(content);
  if (typeof content === 'number') return String(content);
  if ('kind' in content) return content.text;
  return content.map(textOf).join('');
}

/** Markup of our own, for what a library drew. */
export const trusted = (text: string): Html => Object.freeze({ kind: 'html', text });

/** A template whose values are escaped for elements and quoted attributes. They are safe nowhere else. */
export function html(parts: TemplateStringsArray, ...values: readonly Content[]): Html {
  return trusted(parts.map((part, i) => part + textOf(values[i] ?? null)).join(''));
}
