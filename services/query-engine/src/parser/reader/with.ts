import type { AstCte, AstQuery } from '../ast.ts';
import { nextUpper, take, type Cursor } from './cursor.ts';
import { readQueryInParentheses } from './lists.ts';
import { holdsQuery } from './lookahead.ts';
import { readNameList, requireName } from './names.ts';
import { notAQuery, require, unexpected, unsupported } from './refusals.ts';

/** Reads WITH and the queries that it names, if they are next. */
export function readWith(cursor: Cursor): Pick<AstQuery, 'with' | 'recursive'> {
  if (!take(cursor, 'WITH')) return { with: [], recursive: false };
  const recursive = take(cursor, 'RECURSIVE');
  const ctes: AstCte[] = [];
  const named = new Set<string>();
  do {
    const start = cursor.at;
    const cte = readCte(cursor, (name) => {
      if (named.has(name)) throw unexpected(cursor, start, [], 'WITH has another query of this name');
      named.add(name);
    });
    if (recursive) checkRecursive(cursor, cte);
    ctes.push(cte);
  } while (take(cursor, ','));
  return { with: ctes, recursive };
}

/** As in PostgreSQL and DuckDB, whether the query names itself or not: it might be taken for a bound of each step. */
function checkRecursive(cursor: Cursor, { name, query, pos }: AstCte): void {
  const { body, orderBy, limit, offset } = query;
  if (body.kind !== 'SetOperation' || body.operator !== 'UNION') return;
  if (orderBy.length === 0 && limit === null && offset === null) return;
  const advice = `write them where ${name.name} is used`;
  throw unsupported(cursor, pos, 'ORDER BY or LIMIT around a UNION of WITH RECURSIVE', advice);
}

function readCte(cursor: Cursor, onName: (folded: string) => void): AstCte {
  const name = requireName(cursor, 'a name');
  onName(name.name.toLowerCase());
  const columns = nextUpper(cursor) === '(' ? readNameList(cursor) : [];
  require(cursor, 'AS');
  // A hint that changes no row: what is used twice is computed once here.
  if (take(cursor, 'NOT')) require(cursor, 'MATERIALIZED');
  else take(cursor, 'MATERIALIZED');
  const opening = cursor.at;
  if (nextUpper(cursor) === '(' && !holdsQuery(cursor, opening)) throw notAQuery(cursor, opening + 1);
  return { name, columns, query: readQueryInParentheses(cursor), pos: name.pos };
}
