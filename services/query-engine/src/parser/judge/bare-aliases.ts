import type { AstQuery, Identifier } from '../ast.ts';
import type { Edit } from './duckdb-text.ts';

/**
 * Edits that put AS before the aliases that have none. DuckDB wants it before every alias that is one of its hundreds
 * of unreserved keywords (`total value`), standard SQL does not.
 */
export function spellOutAliases(sql: string, query: AstQuery): readonly Edit[] {
  return bareAliases(sql, query).map(({ pos }) => ({ from: pos.offset, to: pos.offset, text: 'AS ' }));
}

function bareAliases(sql: string, query: AstQuery): readonly Identifier[] {
  const aliases: Identifier[] = [];
  const open: unknown[] = [query];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    open.push(...(Object.values(node) as unknown[]));
    if (!('alias' in node && 'text' in node && 'pos' in node) || node.alias === null) continue;
    const alias = node.alias as Identifier;
    const textEnd = (node.pos as Identifier['pos']).offset + String(node.text).length;
    // Between an expression and its alias stand only AS, white space and comments.
    if (!/^(?:\s|--.*|\/\*[^]*?\*\/)*AS\b/i.test(sql.slice(textEnd, alias.pos.offset))) aliases.push(alias);
  }
  return aliases;
}
