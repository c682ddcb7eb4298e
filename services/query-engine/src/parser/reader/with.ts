import type { AstCte } from '../ast.ts';
import { nextUpper, take, type Cursor } from './cursor.ts';
import { readQueryInParentheses } from './lists.ts';
import { holdsQuery } from './lookahead.ts';
import { readNameList, requireName } from './names.ts';
import { notAQuery, require, unexpected, unsupported } from './refusals.ts';

/** Reads WITH and the queries that it names. */
export function readWith(cursor: Cursor): readonly AstCte[] {
  cursor.at++;
  if (nextUpper(cursor) === 'RECURSIVE') {
    const advice = 'a query cannot call itself: write each step out, or ask step by step';
    throw unsupported(cursor, cursor.at, 'WITH RECURSIVE', advice);
  }
  const ctes: AstCte[] = [];
  const named = new Set<string>();
  do {
    const start = cursor.at;
    const cte = readCte(cursor, (name) => {
      if (named.has(name)) throw unexpected(cursor, start, [], 'WITH has another query of this name');
      named.add(name);
    });
    ctes.push(cte);
  } while (take(cursor, ','));
  return ctes;
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
