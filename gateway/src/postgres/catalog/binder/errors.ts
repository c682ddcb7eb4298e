/** Errors of statements over system catalogs, in PostgreSQL's words. */
import { PgError, type PgErrorFields } from '../../errors/pg-error.ts';

/** Thrown while a statement is bound: `at` is a byte of it. */
export class BindError extends Error {
  readonly fields: PgErrorFields;
  readonly at: number;

  constructor(fields: PgErrorFields, at: number) {
    super(fields.message);
    this.name = 'BindError';
    this.fields = fields;
    this.at = at;
  }
}

export const bindError = (code: string, message: string, at = -1, hint?: string): BindError =>
  new BindError({ code, message, ...(hint === undefined ? {} : { hint }) }, at);

/** What PostgreSQL can and this catalog cannot. */
export const unsupported = (what: string, at = -1): BindError =>
  bindError('0A000', `${what} is not supported in statements over system catalogs`, at);

/** A byte of the statement as a position in characters, from 1. */
function positionOf(sql: string, at: number): number {
  return [...Buffer.from(sql).subarray(0, at).toString()].length + 1;
}

/** With the place as clients want it. */
export function withPosition(error: unknown, sql: string): unknown {
  if (!(error instanceof BindError)) return error;
  const place = error.at < 0 ? {} : { position: positionOf(sql, error.at) };
  return new PgError({ ...error.fields, ...place });
}
