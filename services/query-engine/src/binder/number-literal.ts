/** Number literals: digits as written, perhaps with a sign in front. */

/** The same number with the other sign. */
export function negativeOf(text: string): string {
  return text.startsWith('-') ? text.slice(1) : `-${text}`;
}

const NUMBER_TEXT = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** Whether a text spells a number. */
export function isNumberText(text: string): boolean {
  return NUMBER_TEXT.test(text.trim());
}
