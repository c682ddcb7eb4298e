import type { Token } from '../lexer/token.ts';
import type { Edit } from './duckdb-text.ts';

/** The schema of PostgreSQL's types, `x::pg_catalog.text`, is left out: DuckDB reads no type behind a dot. */
export function typeSchemas(tokens: readonly Token[]): readonly Edit[] {
  return tokens.flatMap(({ upper, position }, index) => {
    const [before, dot, after] = [tokens[index - 1], tokens[index + 1], tokens[index + 2]];
    const isOfType = before?.text === '::' || before?.upper === 'AS';
    if (upper !== 'PG_CATALOG' || !isOfType || dot?.text !== '.' || after === undefined) return [];
    return [{ from: position.offset, to: after.position.offset, text: '' }];
  });
}
