/** Errors of statements that can be read but not run, with the place in the text that is to blame. */
import type { ErrorCode } from '@penstock/common/errors/codes.ts';
import { MESSAGE_BYTES_MAX, shortened } from '@penstock/common/errors/shortened.ts';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { Position } from '../parser/ast.ts';
import { excerpt } from '../parser/source-text.ts';
import type { ExpressionContext } from './context.ts';

/** Of the detail, the rest being the place and the line. */
const MAX_SENTENCE_BYTES = 3_072;

/** Makes the error: `message` is short, the detail adds the place, what may help, and the line with a caret. */
export function statementError(
  code: ErrorCode,
  message: string,
  place: { readonly sql: string; readonly pos: Position | undefined },
  advice?: string,
): PenstockError {
  const { sql, pos } = place;
  // Cut before the place and the line follow, which would else be what is cut.
  const short = shortened(message, MESSAGE_BYTES_MAX);
  const sentence = shortened(advice === undefined ? short : `${short}; ${advice}`, MAX_SENTENCE_BYTES);
  if (pos === undefined) return new PenstockError(code, short, { detail: sentence });
  const detail = `at line ${pos.line}, column ${pos.column}: ${sentence}\n${excerpt(sql, pos)}`;
  return new PenstockError(code, short, { detail });
}

/** `did you mean a, b?`, or nothing to say. */
export function didYouMean(names: readonly string[]): string | undefined {
  return names.length === 0 ? undefined : `did you mean ${names.join(', ')}?`;
}

/** Several pieces of advice as one, those that are missing left out. */
export function advice(...parts: readonly (string | undefined)[]): string | undefined {
  const given = parts.filter((part) => part !== undefined);
  return given.length === 0 ? undefined : given.join('; ');
}

/** The error that something is wrong at a node. */
export function invalid(
  context: ExpressionContext,
  node: { readonly pos: Position },
  message: string,
  hint?: string,
): Error {
  return statementError('INVALID_QUERY', message, { sql: context.statement.sql, pos: node.pos }, hint);
}
