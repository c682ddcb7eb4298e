import { readNameList, requireName } from './names.ts';
import { notAQuery, writeQueryArgument } from './queries.ts';
import { holdsQuery, isKeyword, type Span } from './scan.ts';
import type { Scope } from './scope.ts';
import { unexpected, unsupported, upperAt } from './statement.ts';

/** Writes the WITH list that starts a span; returns the index after it. */
export function writeWith(scope: Scope, span: Span): number {
  const { statement, draft } = scope;
  let at = span.from + 1;
  if (isKeyword(statement, at, 'RECURSIVE')) {
    throw unsupported(
      statement,
      at,
      'WITH RECURSIVE',
      'a query cannot call itself: write each step out, or ask step by step',
    );
  }
  draft.raw('WITH', span.from);
  const named = new Set<string>();
  for (;;) {
    const start = at;
    const name = requireName(statement, at, 'a name');
    if (named.has(name.name.toLowerCase()))
      throw unexpected(statement, at, [], 'WITH has another query of this name');
    named.add(name.name.toLowerCase());
    at++;
    const columns = upperAt(statement, at) === '(' ? readNameList(statement, at) : [];
    if (columns.length > 0) at = (statement.closing[at] ?? at) + 1;
    if (!isKeyword(statement, at, 'AS')) throw unexpected(statement, at, ['AS']);
    at++;
    if (isKeyword(statement, at, 'MATERIALIZED', 'NOT'))
      throw unsupported(statement, at, 'MATERIALIZED', 'leave it out: what is used twice is computed once');
    if (upperAt(statement, at) !== '(') throw unexpected(statement, at, ["'('"]);
    if (!holdsQuery(statement, at)) throw notAQuery(statement, at + 1);
    draft.name({ kind: 'Cte', name, columns }, start);
    draft.raw('AS', at);
    writeQueryArgument(scope, at);
    at = (statement.closing[at] ?? at) + 1;
    if (upperAt(statement, at) !== ',' || at >= span.to) return at;
    draft.raw(',', at);
    at++;
  }
}
