import { tokenize } from '../lexer/lexer.ts';
import type { Token } from '../lexer/token.ts';
import type { Edit } from './duckdb-text.ts';

/** DuckDB knows `t.*` but not `s.t.*`: there, the star is spelled as a column of that name, which it reads in one way. */
export function qualifiedStars(tokens: readonly Token[]): readonly Edit[] {
  return tokens.flatMap(({ text, position, end }, index) => {
    const isStar = text === '*' && tokens[index - 1]?.text === '.' && tokens[index - 3]?.text === '.';
    return isStar ? [{ from: position.offset, to: end, text: '"*"' }] : [];
  });
}

/** The same for a text of our own. */
export function spellQualifiedStars(sql: string): string {
  const edits = sql.includes('.*') ? qualifiedStars(tokenize(sql)) : [];
  return edits.reduceRight((text, { from, to, text: by }) => text.slice(0, from) + by + text.slice(to), sql);
}
