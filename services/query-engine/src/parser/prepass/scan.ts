import { isReserved, isReservedForColumns } from '../keywords.ts';
import { tokenAt, upperAt, type Statement } from './statement.ts';

/** What can follow a parenthesised query inside the query that it is a part of. */
const AFTER_QUERY: ReadonlySet<string> = new Set([
  'UNION',
  'INTERSECT',
  'EXCEPT',
  'ORDER',
  'LIMIT',
  'OFFSET',
  'FETCH',
]);

/** A run of tokens, from the first up to but without `to`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The first index in the span, outside of all brackets and CASEs in it, that the test accepts; -1 if there is none. */
export function findAtLevel(statement: Statement, span: Span, accepts: (index: number) => boolean): number {
  for (let index = span.from; index < span.to; index++) {
    if (accepts(index)) return index;
    const closing = statement.closing[index] ?? -1;
    if (closing >= 0) index = closing;
  }
  return -1;
}

/** The first such index at which one of these keywords stands; a name after a dot is no keyword. */
export function findKeyword(statement: Statement, span: Span, ...keywords: readonly string[]): number {
  return findAtLevel(statement, span, (index) => isKeyword(statement, index, ...keywords));
}

/**
 * Whether a keyword, and not a name spelled like it, stands here. The FROM of IS DISTINCT FROM is a part of that
 * operator and no keyword of its own.
 */
export function isKeyword(statement: Statement, index: number, ...keywords: readonly string[]): boolean {
  const upper = upperAt(statement, index);
  if (!keywords.includes(upper) || upperAt(statement, index - 1) === '.') return false;
  const inOperator = upper === 'FROM' && upperAt(statement, index - 1) === 'DISTINCT';
  return !inOperator || !['IS', 'NOT'].includes(upperAt(statement, index - 2));
}

/** The parts between the commas of a span; an empty span is one empty part. */
export function splitAtCommas(statement: Statement, span: Span): readonly Span[] {
  const parts: Span[] = [];
  let from = span.from;
  for (;;) {
    const comma = findAtLevel(statement, { from, to: span.to }, (index) => upperAt(statement, index) === ',');
    if (comma < 0) return [...parts, { from, to: span.to }];
    parts.push({ from, to: comma });
    from = comma + 1;
  }
}

/** Whether the token can be a name as it stands. */
export function isName(statement: Statement, index: number): boolean {
  const token = tokenAt(statement, index);
  return token.type === 'name' || (token.type === 'word' && !isReserved(token.upper));
}

/** Whether the token can be a column as it stands, where a value or the name of a column is expected. */
export function isColumnName(statement: Statement, index: number): boolean {
  const token = tokenAt(statement, index);
  return token.type === 'name' || (token.type === 'word' && !isReservedForColumns(token.upper));
}

/** Whether a query starts here: SELECT, WITH, FROM or VALUES, in any number of parentheses. */
export function isQueryStart(statement: Statement, index: number): boolean {
  let at = index;
  while (upperAt(statement, at) === '(') at++;
  return ['SELECT', 'WITH', 'FROM'].includes(upperAt(statement, at)) || isValues(statement, at);
}

/**
 * Whether the parentheses that open here hold a query: `((SELECT 1) UNION SELECT 2)` does, `((SELECT 1) + 2)` and
 * `((SELECT 1), 2)` only start like one.
 */
export function holdsQuery(statement: Statement, opening: number): boolean {
  const { from, to } = inside(statement, opening);
  if (upperAt(statement, opening) !== '(' || !isQueryStart(statement, from)) return false;
  if (upperAt(statement, from) !== '(') return true;
  const after = (statement.closing[from] ?? to) + 1;
  return after === to ? holdsQuery(statement, from) : AFTER_QUERY.has(upperAt(statement, after));
}

/** VALUES is a name too; the list that follows it tells. */
export function isValues(statement: Statement, index: number): boolean {
  return upperAt(statement, index) === 'VALUES' && upperAt(statement, index + 1) === '(';
}

/** The inside of the bracket that opens here. */
export function inside(statement: Statement, opening: number): Span {
  return { from: opening + 1, to: statement.closing[opening] ?? opening + 1 };
}
