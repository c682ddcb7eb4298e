/** Number literals: digits as written, perhaps with a sign in front. */

/** The same number with the other sign. */
export function negativeOf(text: string): string {
  return text.startsWith('-') ? text.slice(1) : `-${text}`;
}
