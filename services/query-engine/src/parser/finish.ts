import type { AstQuery, Position } from './ast.ts';
import { syntaxError } from './errors.ts';
import { PARSER_LIMITS } from './limits.ts';

/** A node or list that is yet to be frozen; `pos` is its own place, or that of what holds it. */
interface Open {
  readonly node: object;
  readonly level: number;
  readonly pos: Position;
}

/** Freezes a tree all the way down, and refuses one too deep for the recursion of later stages. Itself not recursive. */
export function finishTree(sql: string, query: AstQuery): AstQuery {
  const open: Open[] = [{ node: query, level: 0, pos: query.pos }];
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    const { node } = entry;
    const pos = 'pos' in node ? (node.pos as Position) : entry.pos;
    const level = entry.level + levelsOf(node);
    if (level > PARSER_LIMITS.treeLevelsMax) {
      const what = `an expression deeper than ${PARSER_LIMITS.treeLevelsMax} levels`;
      throw syntaxError('unsupported', sql, pos, what, 'shorten the query');
    }
    Object.freeze(node);
    for (const key in node) {
      const value: unknown = node[key as keyof typeof node];
      // The lexer has frozen the positions.
      if (typeof value === 'object' && value !== null && key !== 'pos')
        open.push({ node: value, level, pos });
    }
  }
  return query;
}

/** A node is a level, and each step of its path, as in DuckDB's tree. */
function levelsOf(node: object): number {
  if (!('kind' in node)) return 0;
  return 1 + ('path' in node && Array.isArray(node.path) ? node.path.length : 0);
}
