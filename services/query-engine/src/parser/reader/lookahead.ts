import { isReserved, isReservedForColumns } from '../keywords.ts';
import { next, nextUpper, tokenAt, upperAt, type Cursor } from './cursor.ts';

/** What `closing` has for a token that closes a bracket or CASE itself. */
export const CLOSES = -2;

/** The clauses of a SELECT, in their order. */
export const CLAUSES: readonly string[] = ['FROM', 'WHERE', 'GROUP', 'HAVING', 'WINDOW', 'QUALIFY'];

const AFTER_SELECT = ['ORDER', 'LIMIT', 'OFFSET', 'FETCH', 'UNION', 'INTERSECT', 'EXCEPT', 'INTO', 'FOR'];
const CLAUSE_ENDS: ReadonlySet<string> = new Set([...CLAUSES, ...AFTER_SELECT, 'SELECT']);
const TAIL_ENDS: ReadonlySet<string> = new Set([...AFTER_SELECT, 'USING']);

/** What can follow a query in parentheses inside the query that it is a part of. */
const AFTER_QUERY: ReadonlySet<string> = new Set([
  ...['UNION', 'INTERSECT', 'EXCEPT', 'ORDER', 'LIMIT', 'OFFSET', 'FETCH'],
]);

/** Whether the bracket, CASE or statement that is being read ends here; which of them, is known since brackets match. */
export function isCloser(cursor: Cursor): boolean {
  if (cursor.closing[cursor.at] === CLOSES) return true;
  const { type, upper } = next(cursor);
  return type === 'end' || upper === ';';
}

/** Whether a clause of SELECT ends here. */
export const endsClause = (cursor: Cursor): boolean => CLAUSE_ENDS.has(nextUpper(cursor)) || isCloser(cursor);

/** Whether ORDER BY, LIMIT or OFFSET ends here. */
export const endsTail = (cursor: Cursor): boolean => TAIL_ENDS.has(nextUpper(cursor)) || isCloser(cursor);

/** Whether the token can be a name as it stands. */
export function isName(cursor: Cursor, index: number): boolean {
  const { type, upper } = tokenAt(cursor, index);
  return type === 'name' || (type === 'word' && !isReserved(upper));
}

/** Whether the token can be a column as it stands, where a value or the name of a column is expected. */
export function isColumnName(cursor: Cursor, index: number): boolean {
  const { type, upper } = tokenAt(cursor, index);
  return type === 'name' || (type === 'word' && !isReservedForColumns(upper));
}

/** Whether a query starts here: SELECT, WITH, FROM, TABLE or VALUES, in any number of parentheses. */
export function isQueryStart(cursor: Pick<Cursor, 'tokens'>, index: number): boolean {
  let at = index;
  while (upperAt(cursor, at) === '(') at++;
  return ['SELECT', 'WITH', 'FROM', 'TABLE'].includes(upperAt(cursor, at)) || isValues(cursor, at);
}

/** VALUES is a name too; the list that follows it tells. */
export const isValues = (cursor: Pick<Cursor, 'tokens'>, index: number): boolean =>
  upperAt(cursor, index) === 'VALUES' && upperAt(cursor, index + 1) === '(';

/**
 * Whether the parentheses that open here hold a query: `((SELECT 1) UNION SELECT 2)` does, `((SELECT 1) + 2)` and
 * `((SELECT 1), 2)` only start like one.
 */
export function holdsQuery(cursor: Cursor, opening: number): boolean {
  if (upperAt(cursor, opening) !== '(' || !isQueryStart(cursor, opening + 1)) return false;
  let inner = opening + 1;
  for (let outer = opening; upperAt(cursor, inner) === '('; outer = inner++) {
    const after = closingOf(cursor, inner) + 1;
    if (after !== closingOf(cursor, outer)) return AFTER_QUERY.has(upperAt(cursor, after));
  }
  return true;
}

/** The index of what closes the bracket or CASE that opens here. */
export const closingOf = (cursor: Cursor, opening: number): number => cursor.closing[opening] ?? -1;
