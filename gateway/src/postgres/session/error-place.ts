/** Where in a statement an error is, seen from the text that the client sent. */
import { ServerError } from '../backend/frames.ts';
import { toPgError } from '../errors/from-penstock.ts';
import { PgError } from '../errors/pg-error.ts';
import { ConnectionGoneError } from './output.ts';

/** An error of a SELECT, placed in the whole statement, of which the SELECT is a part. */
export function within(error: unknown, sql: string, whole: string): PgError {
  const before = whole.slice(0, Math.max(0, whole.lastIndexOf(sql)));
  if (!(error instanceof PgError)) return toPgError(error, sql, before);
  const { position } = error.fields;
  if (position === undefined || before === '') return error;
  if (error instanceof ServerError) return error.with({ position: position + [...before].length });
  return new PgError({ ...error.fields, position: position + [...before].length }, { cause: error });
}

/** What needs no place any more, or has it. */
export const isPlaced = (error: unknown): boolean =>
  error instanceof ConnectionGoneError || error instanceof PgError;
