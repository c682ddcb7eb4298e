import type { AstFromItem, AstQuery } from '../ast.ts';
import type { Edit } from './duckdb-text.ts';

/**
 * Edits that write `(a JOIN b USING (k)) AS j` as the subquery that it is: where a join has USING or is NATURAL, or has two
 * pairs of parentheses, DuckDB's parser drops the name.
 */
export function spellOutNamedJoins(query: AstQuery): readonly Edit[] {
  const edits: Edit[] = [];
  const open: unknown[] = [query];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    open.push(...(Object.values(node) as unknown[]));
    if (!('kind' in node && node.kind === 'DerivedTable')) continue;
    const { query: inner, pos } = node as Extract<AstFromItem, { kind: 'DerivedTable' }>;
    // A query that is written starts behind the bracket.
    if (inner.pos.offset !== pos.offset) continue;
    const at = pos.offset + 1;
    edits.push({ from: at, to: at, text: 'SELECT * FROM ' });
  }
  return edits;
}
