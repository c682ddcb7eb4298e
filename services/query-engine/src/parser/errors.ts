import { MESSAGE_BYTES_MAX, shortened } from '@penstock/common/errors/shortened.ts';
import type { Position } from './ast.ts';
import { excerpt } from './source-text.ts';

/** `parse`: not SQL. `unsupported`: SQL that Penstock does not run, or that is beyond a limit. */
export type SqlSyntaxErrorKind = 'parse' | 'unsupported';

/**
 * The caller's SQL cannot be used. `message` is the short form of the contract (`Parse error: unexpected 'FORM'`,
 * `Unsupported SQL: INSERT`); `detail` adds line and column, what to do, the source line and a caret below it.
 */
export class SqlSyntaxError extends Error {
  override readonly name = 'SqlSyntaxError';
  readonly kind: SqlSyntaxErrorKind;
  readonly detail: string;
  readonly position: Position;

  constructor(kind: SqlSyntaxErrorKind, message: string, detail: string, position: Position) {
    super(message);
    this.kind = kind;
    this.detail = detail;
    this.position = position;
  }
}

/** The parser contradicts itself: a bug of ours, never the caller's. The cause stays private. */
export class ParserInternalError extends Error {
  override readonly name = 'ParserInternalError';
}

const TITLES: Readonly<Record<SqlSyntaxErrorKind, string>> = {
  parse: 'Parse error',
  unsupported: 'Unsupported SQL',
};

/** A title stands before it, and both are within MAX_MESSAGE_BYTES. */
const MAX_WHAT_BYTES = MESSAGE_BYTES_MAX - 32;

/** Makes the error for `what` at a position; `advice` (optional) says what was expected or what to write instead. */
export function syntaxError(
  kind: SqlSyntaxErrorKind,
  sql: string,
  position: Position,
  what: string,
  advice?: string,
): SqlSyntaxError {
  const place = `line ${position.line}, column ${position.column}`;
  const short = shortened(what, MAX_WHAT_BYTES);
  const sentence = advice === undefined ? short : `${short}; ${shortened(advice, MESSAGE_BYTES_MAX)}`;
  const detail = `${TITLES[kind]} at ${place}: ${sentence}\n${excerpt(sql, position)}`;
  return new SqlSyntaxError(kind, `${TITLES[kind]}: ${short}`, detail, position);
}

/** "a", "a or b", "a, b or c". */
export function alternatives(items: readonly string[]): string {
  if (items.length < 2) return items.join('');
  return `${items.slice(0, -1).join(', ')} or ${items.at(-1)}`;
}
