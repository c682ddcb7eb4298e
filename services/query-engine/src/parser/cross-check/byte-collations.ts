import { BYTE_COLLATIONS } from '../collations.ts';
import type { Token } from '../lexer/token.ts';
import type { Edit } from './duckdb-text.ts';

/** `COLLATE "C"` is left out: it is the order that texts have, and DuckDB's tree would say it. */
export function byteCollations(tokens: readonly Token[]): readonly Edit[] {
  return tokens.flatMap(({ upper, position }, index) => {
    const before = tokens[index - 1];
    // After a dot and AS it is a name.
    if (upper !== 'COLLATE' || before?.text === '.' || before?.upper === 'AS') return [];
    const isQualified = tokens[index + 1]?.upper === 'PG_CATALOG' && tokens[index + 2]?.text === '.';
    const name = tokens[index + (isQualified ? 3 : 1)];
    if (name === undefined || !BYTE_COLLATIONS.has(name.value.toUpperCase())) return [];
    return [{ from: position.offset, to: name.end, text: ' ' }];
  });
}
