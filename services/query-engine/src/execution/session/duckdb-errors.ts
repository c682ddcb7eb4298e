/**
 * DuckDB's errors as ours: what went wrong in the user's words, with none of the residual query's names or text.
 */
import type { ErrorCode } from '@penstock/common/errors/codes.ts';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { isCountedOut } from '../../duckdb-sql/nodes/recursion.ts';
import { RECURSION_ROWS_MAX } from '../../limits.ts';

const CODES: readonly { readonly prefix: string; readonly code: ErrorCode; readonly title: string }[] = [
  { prefix: 'Binder Error', code: 'TYPE_ERROR', title: 'Type error' },
  { prefix: 'Conversion Error', code: 'EXECUTION_ERROR', title: 'Conversion failed' },
  { prefix: 'Out of Range Error', code: 'EXECUTION_ERROR', title: 'Value out of range' },
  { prefix: 'Invalid Input Error', code: 'EXECUTION_ERROR', title: 'Invalid value' },
  { prefix: 'Invalid type Error', code: 'TYPE_ERROR', title: 'Type error' },
  { prefix: 'Mismatch Type Error', code: 'TYPE_ERROR', title: 'Type error' },
  { prefix: 'Not implemented Error', code: 'TYPE_ERROR', title: 'Type error' },
];

const TYPE_NAMES: Readonly<Record<string, string>> = Object.freeze({
  INT8: 'TINYINT',
  INT16: 'SMALLINT',
  INT32: 'INTEGER',
  INT64: 'BIGINT',
  INT128: 'HUGEINT',
});

/** What DuckDB says of calls and casts, in SQL's own words. */
function plainly(text: string): string {
  const cast = /^Unimplemented type for cast \((.+) -> (.+)\)/.exec(text);
  if (cast !== null) return `${cast[1]} cannot be cast to ${cast[2]}`;
  const unit = /^extract specifier "(.*)" not recognized/.exec(text);
  if (unit !== null) return `'${unit[1]}' is no unit of time`;
  const call =
    /^No function matches the given name and argument types '([^(]+)\((.*)\)'/.exec(text) ??
    /^Could not choose a best candidate function for the function call "([^(]+)\((.*)\)"/.exec(text);
  if (call === null) return text.replace(/ - an explicit cast is required.*$/, '');
  const [, name = '', types = ''] = call;
  return `${/^\w+$/.test(name) ? name.toUpperCase() : `'${name}'`} does not take ${types.replace(/"?NULL"?/g, 'NULL')}`;
}

/** Names by which the residual query knows things, in the user's words. */
function translate(text: string, columnNames: ReadonlyMap<number, string>): string {
  return plainly(text)
    .replace(/\bc(\d+)\b/g, (_, id: string) => columnNames.get(Number(id)) ?? 'an expression')
    .replace(/\b[rtq]\d+(?:\.|s\d+\b)?/g, 'the query')
    .replace(/\bINT(?:8|16|32|64|128)\b/g, (name) => TYPE_NAMES[name] ?? name)
    .replace(/STRUCT\("?k"? UTINYINT[^)]*\)/g, 'MIXED')
    .replace(/\bps_\w+/g, 'the expression');
}

/** An appender tells no kind of error, only what failed. */
const OUT_OF_MEMORY =
  /^(Out of Memory Error|IO Error: .*(max_temp_directory_size|No space left)|Failed to append: .*(failed to (offload|allocate|pin|resize)|could not allocate|out of memory|No space left))/is;

/** True where DuckDB found no memory, or no disk to spill to. */
export function isOutOfMemory(message: string): boolean {
  return OUT_OF_MEMORY.test(message);
}

const NO_MEMORY_MESSAGE = 'The query needs more memory than one query may use';

/** True of what a caller is told where DuckDB found no memory. */
export const isNoMemory = (error: unknown): boolean =>
  error instanceof PenstockError &&
  error.code === 'RESOURCE_EXHAUSTED' &&
  error.message === NO_MEMORY_MESSAGE;

/** True after which the instance answers nothing any more. */
export function isFatal(error: unknown): boolean {
  return error instanceof Error && /^FATAL Error|database has been invalidated/i.test(error.message);
}

export function fromDuckDbError(error: unknown, columnNames: ReadonlyMap<number, string>): PenstockError {
  if (error instanceof PenstockError) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (isOutOfMemory(message)) {
    return new PenstockError('RESOURCE_EXHAUSTED', NO_MEMORY_MESSAGE, {
      detail: 'Read fewer rows or columns, or sort and group less at a time',
    });
  }
  if (isCountedOut(message)) {
    const rows = RECURSION_ROWS_MAX.toLocaleString('en');
    return new PenstockError('EXECUTION_ERROR', `WITH RECURSIVE made more than ${rows} rows`, {
      detail: 'Add a condition that ends it, such as WHERE depth < 100, or write UNION instead of UNION ALL',
    });
  }
  if (message.includes('More than one row returned by a subquery')) {
    return new PenstockError('EXECUTION_ERROR', 'A scalar subquery returned more than one row', {
      detail: 'Add a condition, an aggregate or LIMIT 1 to the subquery',
    });
  }
  if (message === 'Invalid Input Error: division by zero') {
    return new PenstockError('EXECUTION_ERROR', 'division by zero', {
      detail: 'Divide by NULLIF(x, 0) where that is to be NULL',
    });
  }
  if (message.includes('pattern must not end with escape character')) {
    return new PenstockError('EXECUTION_ERROR', 'A pattern of LIKE ends in its escape character', {
      detail: 'Write the character twice where it stands for itself',
    });
  }
  // DuckDB loses the columns around some correlated subqueries inside of a recursion while it plans them.
  if (message.startsWith('INTERNAL Error: Failed to bind column reference')) {
    const what =
      'subqueries inside of WITH RECURSIVE or LATERAL that refer to columns around them in this way';
    return new PenstockError('UNSUPPORTED_SQL', `Unsupported SQL: ${what}`, {
      detail: 'Write the inner subquery as a join, or the recursion outside of LATERAL',
    });
  }
  if (message.includes('Max expression depth limit')) {
    return new PenstockError('INVALID_QUERY', 'The statement is nested too deeply', {
      detail: 'Use fewer subqueries, or changes between UNION, INTERSECT and EXCEPT, inside each other',
    });
  }
  const known = CODES.find(({ prefix }) => message.startsWith(prefix));
  if (known === undefined) return new PenstockError('INTERNAL', 'Internal error', { cause: error });
  const [firstLine = ''] = message.slice(known.prefix.length).replace(/^:\s*/, '').split('\n');
  return new PenstockError(known.code, `${known.title}: ${translate(firstLine.trim(), columnNames)}`);
}
