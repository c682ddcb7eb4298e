import type { Position } from '../ast.ts';
import type { AstQuery } from '../ast.ts';
import { PARSER_LIMITS } from '../limits.ts';
import { unsupported, type Statement } from '../prepass/statement.ts';

/** Freezes a tree all the way down, and refuses one too deep for the recursion of later stages. Itself not recursive. */
export function finishTree(statement: Statement, query: AstQuery): AstQuery {
  const open: { readonly node: object; readonly level: number; readonly pos: Position }[] = [
    { node: query, level: 0, pos: query.pos },
  ];
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    const { node, level } = entry;
    const pos = 'pos' in node ? (node.pos as Position) : entry.pos;
    // Each step of a path is a level of DuckDB's tree.
    const steps = 'path' in node && Array.isArray(node.path) ? node.path.length : 0;
    const below = 'kind' in node ? level + 1 + steps : level;
    if (below > PARSER_LIMITS.treeLevelsMax) {
      throw unsupported(
        statement,
        pos,
        `an expression deeper than ${PARSER_LIMITS.treeLevelsMax} levels`,
        'shorten the query',
      );
    }
    Object.freeze(node);
    for (const value of Object.values(node) as unknown[]) {
      if (typeof value === 'object' && value !== null) open.push({ node: value, level: below, pos });
    }
  }
  return query;
}
