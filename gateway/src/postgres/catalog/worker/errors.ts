/** DuckDB's errors as PostgreSQL's: what went wrong, with nothing of the statement that DuckDB was given. */
import { PgError } from '../../errors/pg-error.ts';

const TOO_LARGE = new PgError({
  code: '53200',
  message: 'The statement needs more memory than a statement over system catalogs may use',
  hint: 'Ask for less at a time: fewer joins, or a condition on schema and table.',
});

export const memoryExceeded = (): PgError => TOO_LARGE;

export const timeExceeded = (seconds: number): PgError =>
  new PgError({
    code: '57014',
    message: `A statement over system catalogs may take ${seconds} seconds, and this one took longer`,
    hint: 'Ask for less at a time: fewer joins, or a condition on schema and table.',
  });

/** Errors that `error()` of a statement raised carry our code. */
const RAISED = /PG ([0-9A-Z]{5}) ([^\n]*)/;

const KNOWN: readonly (readonly [RegExp, string, string])[] = [
  [
    /More than one row returned by a subquery/,
    '21000',
    'more than one row returned by a subquery used as an expression',
  ],
  [/^(?:Conversion|Invalid Input) Error/, '22P02', 'invalid input syntax for the type of an expression'],
  [/^Out of Range Error/, '22003', 'value out of range'],
  [
    /must appear in the GROUP BY clause/,
    '42803',
    'a column must appear in the GROUP BY clause or be used in an aggregate function',
  ],
  [
    /aggregate function calls cannot be nested|cannot contain aggregates|WHERE clause cannot contain/i,
    '42803',
    'an aggregate function is not allowed there',
  ],
  [/Max expression depth/, '54001', 'the statement is nested too deeply'],
  [
    /^(?:Binder|Not implemented|Parser|Catalog) Error/,
    '0A000',
    'this statement over system catalogs is not supported',
  ],
];

export function fromDuckDbError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof PgError) return error;
  const raised = RAISED.exec(error.message);
  if (raised !== null) return new PgError({ code: raised[1] ?? 'XX000', message: raised[2] ?? '' });
  if (/^Out of Memory Error|failed to allocate|could not allocate/i.test(error.message))
    return memoryExceeded();
  const known = KNOWN.find(([pattern]) => pattern.test(error.message));
  if (known === undefined) return error;
  return new PgError({ code: known[1], message: known[2] }, { cause: error });
}
