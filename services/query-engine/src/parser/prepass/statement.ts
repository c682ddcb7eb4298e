import type { Position } from '../ast.ts';
import { alternatives, syntaxError, type SqlSyntaxError } from '../errors.ts';
import { nearestKeyword } from '../keywords.ts';
import type { Token } from '../lexer/token.ts';
import { adviceOn } from './advice.ts';

/** The statement being parsed: its text, its tokens, and which bracket (or CASE) closes where. */
export interface Statement {
  readonly sql: string;
  readonly tokens: readonly Token[];
  /** For the index of an opening bracket or CASE, the index of what closes it; -1 elsewhere. */
  readonly closing: readonly number[];
  /** The indexes of the parameters, in the order of the text: it numbers those written `?`. */
  readonly parameters: readonly number[];
  /** Index after the last token that belongs to the query (a trailing `;` does not). */
  readonly end: number;
}

const END: Token = {
  ...{ type: 'end', text: '', value: '', upper: '', end: 0, spaceBefore: true },
  position: { offset: 0, line: 1, column: 1 },
};

/** The token at an index; a token of type `end` outside of the statement. */
export const tokenAt = (statement: Pick<Statement, 'tokens'>, index: number): Token =>
  statement.tokens[index] ?? statement.tokens.at(-1) ?? END;

/** The word in upper case, or the operator, at an index. */
export const upperAt = (statement: Pick<Statement, 'tokens'>, index: number): string =>
  statement.tokens[index]?.upper ?? '';

/**
 * The error for a token that cannot stand where it does. A slip of the finger just before it (`id FORM orders`, where FORM
 * passes for an alias) or in it is named instead.
 */
export function unexpected(
  statement: Pick<Statement, 'sql' | 'tokens'>,
  index: number,
  expected: readonly string[] = [],
  advice?: string,
): SqlSyntaxError {
  for (const at of [index - 1, index]) {
    const token = statement.tokens[at];
    const keyword = token?.type === 'word' ? nearestKeyword(token.upper) : undefined;
    if (token !== undefined && keyword !== undefined) {
      const what = `unexpected '${token.text}'`;
      return syntaxError('parse', statement.sql, token.position, what, `did you mean ${keyword}?`);
    }
  }
  const token = tokenAt(statement, index);
  const what = token.type === 'end' ? 'unexpected end of the query' : `unexpected '${shorten(token.text)}'`;
  const expectation = expected.length > 0 ? `expected ${alternatives(expected)}` : undefined;
  return syntaxError(
    'parse',
    statement.sql,
    token.position,
    what,
    advice ?? adviceOn(statement, index, expected) ?? expectation,
  );
}

/** The error for SQL that is understood but not supported; `position` is the token's unless given. */
export function unsupported(
  statement: Pick<Statement, 'sql' | 'tokens'>,
  at: number | Position,
  what: string,
  advice?: string,
): SqlSyntaxError {
  const position = typeof at === 'number' ? tokenAt(statement, at).position : at;
  return syntaxError('unsupported', statement.sql, position, what, advice);
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 40 ? `${line.slice(0, 40)}…` : line;
}
