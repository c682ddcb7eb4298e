import type { AstQuery, Identifier } from '../ast.ts';
import { isReserved, isReservedForColumns } from '../keywords.ts';
import type { Edit } from './duckdb-text.ts';

/** Edits that quote the names that DuckDB reserves and standard SQL does not, such as a column `at`. */
export function quoteReservedNames(query: AstQuery): readonly Edit[] {
  return reservedNames(query).map(({ name, pos }) => ({
    from: pos.offset,
    to: pos.offset + name.length,
    text: `"${name}"`,
  }));
}

function reservedNames(query: AstQuery): readonly Identifier[] {
  const names: Identifier[] = [];
  const open: unknown[] = [query];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    open.push(...(Object.values(node) as unknown[]));
    if (!('name' in node && 'quoted' in node && 'pos' in node)) continue;
    const identifier = node as Identifier;
    const { name, quoted } = identifier;
    const upper = name.toUpperCase();
    if (quoted || !isReserved(upper) || isReservedForColumns(upper)) continue;
    names.push(identifier);
  }
  return names;
}
