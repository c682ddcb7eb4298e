import type { Position } from '../ast.ts';
import { alternatives, syntaxError, type SqlSyntaxError } from '../errors.ts';
import { nearestKeyword, startsOtherStatement } from '../keywords.ts';
import { adviceOn } from './advice.ts';
import { nextUpper, tokenAt, type Cursor } from './cursor.ts';
import { endsClause, isCloser } from './lookahead.ts';

type Text = Pick<Cursor, 'sql' | 'tokens'>;

export const AN_EXPRESSION: readonly string[] = ['an expression'];
export const AN_OPERATOR: readonly string[] = ['an operator', 'the end of the expression'];

/**
 * The error for a token that cannot stand where it does. A slip of the finger just before it (`id FORM orders`, where
 * FORM passes for an alias) or in it is named instead.
 */
export function unexpected(
  text: Text,
  index: number,
  expected: readonly string[] = [],
  advice?: string,
): SqlSyntaxError {
  for (const at of [index - 1, index]) {
    const token = text.tokens[at];
    const keyword = token?.type === 'word' ? nearestKeyword(token.upper) : undefined;
    if (token !== undefined && keyword !== undefined) {
      const what = `unexpected '${token.text}'`;
      return syntaxError('parse', text.sql, token.position, what, `did you mean ${keyword}?`);
    }
  }
  const token = tokenAt(text, index);
  const what = token.type === 'end' ? 'unexpected end of the query' : `unexpected '${shorten(token.text)}'`;
  const expectation = expected.length > 0 ? `expected ${alternatives(expected)}` : undefined;
  return syntaxError(
    'parse',
    text.sql,
    token.position,
    what,
    advice ?? adviceOn(text, index, expected) ?? expectation,
  );
}

/** Goes past the word or operator that has to be next. */
export function require(cursor: Cursor, upper: string): void {
  if (nextUpper(cursor) !== upper) {
    const isWord = /^\w/.test(upper);
    throw unexpected(cursor, cursor.at, [isWord ? upper : `'${upper}'`]);
  }
  cursor.at++;
}

/** Goes past the bracket that closes after an expression. */
export function requireCloser(cursor: Cursor): void {
  if (!isCloser(cursor)) throw unexpected(cursor, cursor.at, AN_OPERATOR);
  cursor.at++;
}

/** Refuses what follows a clause that is an expression but can be no part of it. */
export function requireClauseEnd(cursor: Cursor): void {
  if (!endsClause(cursor)) throw unexpected(cursor, cursor.at, AN_OPERATOR);
}

/** The error for SQL that is understood but not supported; `at` is an index or a position. */
export function unsupported(
  text: Text,
  at: number | Position,
  what: string,
  advice?: string,
): SqlSyntaxError {
  const position = typeof at === 'number' ? tokenAt(text, at).position : at;
  return syntaxError('unsupported', text.sql, position, what, advice);
}

/** The error for SQL that reads well word by word but not together. */
export const refuse = (text: Text, position: Position, what: string, advice?: string): SqlSyntaxError =>
  syntaxError('parse', text.sql, position, what, advice);

const METADATA =
  'tables and columns are shown by list_tables and describe_table over MCP, schemas by GET /v1/schemas, and all of them ' +
  'by information_schema over PostgreSQL';
/** What answers statements of other systems that ask for no rows of a table. */
const ANSWERED_ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ...['SHOW', 'DESCRIBE', 'DESC'].map((word): [string, string] => [word, METADATA]),
  ['EXPLAIN', 'send the SELECT alone, with the mode "plan", which shows what it would read'],
]);

/** The error for something that is no query where one has to start. */
export function notAQuery(text: Text, index: number): SqlSyntaxError {
  const { upper, position } = tokenAt(text, index);
  const elsewhere = ANSWERED_ELSEWHERE.get(upper);
  if (startsOtherStatement(upper) || elsewhere !== undefined) {
    const advice = ['only SELECT is supported', ...(elsewhere === undefined ? [] : [elsewhere])].join(': ');
    return syntaxError('unsupported', text.sql, position, upper, advice);
  }
  return unexpected(text, index, ['SELECT', 'WITH']);
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 40 ? `${line.slice(0, 40)}…` : line;
}
