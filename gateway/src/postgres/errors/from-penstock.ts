/** Errors of services as PostgreSQL's: one SQLSTATE for each code of ours. */
import type { ErrorCode } from '@penstock/common/errors/codes.ts';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { fromConnectError } from '@penstock/common/rpc/error-mapping.ts';
import { PgError } from './pg-error.ts';

const SQLSTATES: Readonly<Record<ErrorCode, string>> = Object.freeze({
  VALIDATION_ERROR: '22023',
  UNAUTHORIZED: '28000',
  INSUFFICIENT_SCOPE: '42501',
  TENANT_ADMIN_REQUIRED: '42501',
  TENANT_MISMATCH: '42501',
  NOT_FOUND: '42704',
  CROSS_SITE: '42501',
  SIGN_IN_AGAIN: '28000',
  CONFLICT: '40001',
  LIMIT_REACHED: '53400',
  NOT_ACCEPTABLE: '0A000',
  PAYLOAD_TOO_LARGE: '54000',
  RATE_LIMITED: '53400',
  SCHEMA_NOT_FOUND: '3F000',
  SCHEMA_ALREADY_EXISTS: '42P06',
  ROLE_NOT_ASSUMABLE: '42501',
  PARSE_ERROR: '42601',
  UNSUPPORTED_SQL: '0A000',
  SCHEMA_DISABLED: '55000',
  SCHEMA_REQUIRED: '42P01',
  TABLE_NOT_FOUND: '42P01',
  COLUMN_NOT_FOUND: '42703',
  AMBIGUOUS_NAME: '42702',
  FUNCTION_NOT_FOUND: '42883',
  INVALID_QUERY: '42601',
  TYPE_ERROR: '42804',
  EXECUTION_ERROR: '22000',
  ACCESS_DENIED: '42501',
  READ_UNIT_LIMIT: '53400',
  BUDGET_EXCEEDED: '53400',
  TIMEOUT: '57014',
  THROTTLED: '53000',
  RESOURCE_EXHAUSTED: '53200',
  CANCELLED: '57014',
  UNAVAILABLE: '57P03',
  INTERNAL: 'XX000',
});

/** Where an error says more than its code: what it says, and the SQLSTATE of that. */
const BY_MESSAGE: readonly (readonly [RegExp, string])[] = Object.freeze([
  [/division by zero/i, '22012'],
  [/WIDTH_BUCKET: /, '2201G'],
  [/out of range|overflow/i, '22003'],
  [/more than one row/i, '21000'],
  [/could not convert|cannot be (read|cast)|invalid input|conversion/i, '22P02'],
  [/parameter/i, '42P02'],
  [/aggregate|group/i, '42803'],
]);

const REFINED: ReadonlySet<ErrorCode> = new Set(['EXECUTION_ERROR', 'INVALID_QUERY']);

/** A type error that is about a value, not about types. */
const NUMBER_RANGE = /^Type error: the number \S+ is out of range$/;

/** `at line 1, column 8: `, what kind of error it is before that. */
const PLACE = /^(?:[A-Z][\w ]{0,40} )?at line (\d+), column (\d+): /;

/** The offset of a line and column, from 1, in UTF-16 units. */
function offsetOf(sql: string, line: number, column: number): number {
  let start = 0;
  let left = line - 1;
  for (const found of sql.matchAll(/\r\n|\n|\r/g)) {
    if (left === 0) break;
    left--;
    start = found.index + found[0].length;
  }
  return start + column - 1;
}

/** Characters before an offset, and one: PostgreSQL's positions. */
export const positionOf = (sql: string, offset: number): number => [...sql.slice(0, offset)].length + 1;

/** `what; advice` and the quoted line, taken apart: clients draw the caret themselves. */
function partsOf(detail: string, sql: string | null) {
  const place = PLACE.exec(detail);
  const [sentence = ''] = (place === null ? detail : detail.slice(place.index + place[0].length)).split('\n');
  const position =
    place === null || sql === null
      ? undefined
      : positionOf(sql, offsetOf(sql, Number(place[1]), Number(place[2])));
  return { sentence, position };
}

/**
 * @param sql the statement that it is about, to find its place in
 * @param before what precedes it in the text that the client sent, for the position
 */
export function fromPenstockError(error: PenstockError, sql: string | null, before = ''): PgError {
  const refined = NUMBER_RANGE.test(error.message)
    ? '22003'
    : REFINED.has(error.code)
      ? BY_MESSAGE.find(([pattern]) => pattern.test(error.message))?.[1]
      : undefined;
  const { sentence, position } = error.detail === undefined ? { sentence: '' } : partsOf(error.detail, sql);
  // What the message says already is no hint.
  const said = [error.message, error.message.replace(/^[A-Z][\w ]*: /, '')];
  const hint = said.reduce(
    (left, one) => (left === one ? '' : left.startsWith(`${one}; `) ? left.slice(one.length + 2) : left),
    sentence,
  );
  const retry = error.retryAfterS === undefined ? '' : `try again in ${Math.ceil(error.retryAfterS)} s`;
  const advice = [hint, retry].filter((part) => part !== '').join('; ');
  return new PgError(
    {
      code: refined ?? SQLSTATES[error.code],
      message: error.message,
      ...(advice === '' ? {} : { hint: advice }),
      ...(position === undefined ? {} : { position: position + [...before].length }),
    },
    { cause: error },
  );
}

/** Any error as one that a client may see: what nobody foresaw says nothing but that. */
export function toPgError(error: unknown, sql: string | null = null, before = ''): PgError {
  if (error instanceof PgError) return error;
  const known = error instanceof PenstockError ? error : fromConnectError(error);
  return fromPenstockError(known, sql, before);
}
