import type { AstQuery, Identifier } from '../ast.ts';
import { tokenize } from '../lexer/lexer.ts';
import type { Edit } from './duckdb-text.ts';

/**
 * Edits that put AS before the aliases that have none. DuckDB wants it before every alias that is one of its hundreds
 * of unreserved keywords (`total value`), standard SQL does not.
 */
export function spellOutAliases(sql: string, query: AstQuery): readonly Edit[] {
  const tokens = tokenize(sql);
  const indexes = new Map(tokens.map(({ position }, index) => [position.offset, index]));
  return aliasesOf(query).flatMap(({ pos }) => {
    const index = indexes.get(pos.offset);
    const isBare = index !== undefined && tokens[index - 1]?.upper !== 'AS';
    return isBare ? [{ from: pos.offset, to: pos.offset, text: 'AS ' }] : [];
  });
}

/** The aliases of SELECT lists, in the whole tree. */
function aliasesOf(query: AstQuery): readonly Identifier[] {
  const aliases: Identifier[] = [];
  const open: unknown[] = [query];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    open.push(...(Object.values(node) as unknown[]));
    if ('alias' in node && 'text' in node && 'pos' in node && node.alias !== null)
      aliases.push(node.alias as Identifier);
  }
  return aliases;
}
