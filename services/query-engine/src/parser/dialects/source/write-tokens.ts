import { printString } from '../../print/names.ts';
import type { SourceToken } from './source-token.ts';

/** Tokens as text of our dialect: names in double quotes, texts in single ones, spaces where there were some. */
export const writeTokens = (tokens: readonly SourceToken[]): string =>
  tokens.map((token, i) => (i > 0 && isApart(tokens[i - 1], token) ? ' ' : '') + written(token)).join('');

/** Words and the like that were put beside each other would run together. */
const isApart = (before: SourceToken | undefined, token: SourceToken): boolean =>
  token.spaceBefore || (before?.kind !== 'operator' && token.kind !== 'operator');

function written({ kind, value }: SourceToken): string {
  if (kind === 'name') return `"${value.replaceAll('"', '""')}"`;
  return kind === 'text' ? printString(value) : value;
}
