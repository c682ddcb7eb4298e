import type { SourceToken } from './source-token.ts';

/** The index of the bracket that closes the one at an index; the end of the statement where none does. */
export function closingOf(tokens: readonly SourceToken[], opening: number): number {
  let depth = 0;
  for (let at = opening; at < tokens.length; at++) {
    const upper = tokens[at]?.upper;
    if (upper === '(' || upper === '[') depth++;
    if ((upper === ')' || upper === ']') && --depth === 0) return at;
  }
  return tokens.length;
}

/** The first index from one on, at the same level of brackets, at which a test holds; `end` of the level where none does. */
export function findInLevel(
  tokens: readonly SourceToken[],
  from: number,
  holds: (token: SourceToken, index: number) => boolean,
): { readonly found: boolean; readonly at: number } {
  for (let at = from; ; at++) {
    const token = tokens[at];
    if (token === undefined || token.upper === ')' || token.upper === ']') return { found: false, at };
    if (holds(token, at)) return { found: true, at };
    if (token.upper === '(' || token.upper === '[') at = closingOf(tokens, at);
  }
}

/** The arguments between an opening bracket and its closing one, cut at the commas of their level. */
export function argumentsIn(
  tokens: readonly SourceToken[],
  opening: number,
): readonly (readonly SourceToken[])[] {
  const closing = closingOf(tokens, opening);
  if (closing === opening + 1) return [];
  const found: (readonly SourceToken[])[] = [];
  let start = opening + 1;
  for (;;) {
    const comma = findInLevel(tokens, start, ({ upper }) => upper === ',');
    found.push(tokens.slice(start, comma.at));
    if (!comma.found) return found;
    start = comma.at + 1;
  }
}
