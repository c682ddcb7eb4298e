import { classifyDynamoError, toPenstockError } from '@penstock/common/dynamodb/errors.ts';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { CatalogTable } from '../../catalog/table.ts';
import { TypeCode, typeBit, type ColumnBatch } from '../column-batch.ts';
import { MalformedBodyError } from '../decode/malformed-body.ts';
import type { TableRead } from '../table-read.ts';
import { throttledRetryAfterS } from './limits.ts';

/** DynamoDB refused what was planned by a table's metadata: the table may have other keys and indexes by now, or be gone. */
export class OutdatedTableError extends PenstockError {
  readonly version: string;

  constructor({ code, message, detail }: PenstockError, version: string, cause: unknown) {
    super(code, message, { ...(detail === undefined ? {} : { detail }), cause });
    this.version = version;
  }
}

/** DynamoDB denies the role the index that is read, not its table: another plan may do without it. */
export class DeniedIndexError extends PenstockError {
  readonly table: CatalogTable;
  readonly index: string;

  constructor({ code, message, detail }: PenstockError, table: CatalogTable, index: string, cause: unknown) {
    super(code, message, { ...(detail === undefined ? {} : { detail }), cause });
    this.table = table;
    this.index = index;
  }
}

/** An error where an item lacks the table's keys, or has them of other types: the table was made anew since it was described. */
export function unlikeKeys(
  { table, columns }: TableRead,
  batch: ColumnBatch,
  schemaName: string,
): OutdatedTableError | null {
  const { partitionKey, sortKey } = table.key;
  for (const [i, { path }] of columns.entries()) {
    if (path.length !== 1) continue;
    const key = [partitionKey, sortKey].find((one) => one?.name === path[0]);
    const seen = batch.columns[i]?.typesSeen;
    if (key == null || seen === undefined || seen === typeBit(TypeCode[key.type])) continue;
    const error = new PenstockError(
      'EXECUTION_ERROR',
      `The table ${schemaName}.${table.tableName} has other keys than when it was described`,
      { detail: "Refresh the schema's metadata, then try again." },
    );
    return new OutdatedTableError(error, table.version, null);
  }
  return null;
}

/** The error to show for a read that failed. Names only the caller's own schema, table and index. */
export function readError(error: unknown, read: TableRead, schemaName: string): PenstockError {
  if (error instanceof PenstockError) return error;
  const shown = shownError(error, read, schemaName);
  const { kind } = classifyDynamoError(error);
  const index = 'index' in read.path ? read.path.index : null;
  // Of an index lookup, the items may be what is denied. Without an index that was named there is no other plan.
  const isSpare = index !== null && index !== read.table.entriesOf;
  if (kind === 'access-denied' && isSpare && error instanceof Error && /\/index\//.test(error.message))
    return new DeniedIndexError(shown, read.table, index, error);
  return kind === 'validation' || kind === 'table-not-found'
    ? new OutdatedTableError(shown, read.table.version, error)
    : shown;
}

function shownError(error: unknown, read: TableRead, schemaName: string): PenstockError {
  const { tableName } = read.table;
  const place = `${schemaName}.${tableName}`;
  if (error instanceof MalformedBodyError)
    return new PenstockError('UNAVAILABLE', `DynamoDB's answer for ${place} could not be read; try again`, {
      cause: error,
    });
  const index = 'index' in read.path ? read.path.index : null;
  if (
    index !== null &&
    classifyDynamoError(error).kind === 'validation' &&
    error instanceof Error &&
    /specified index/.test(error.message)
  )
    return new PenstockError('EXECUTION_ERROR', `Index ${index} of ${place} does not exist any more`, {
      detail: "Refresh the schema's metadata, then try again.",
      cause: error,
    });
  const { entriesOf } = read.table;
  return toPenstockError(error, {
    schemaName,
    tableName: entriesOf === undefined ? tableName : `${tableName}.${entriesOf}`,
  });
}

/** Why an aborted read ended: throttling when that is what it was waiting out, else what the signal says. */
export function abortError(
  signal: AbortSignal,
  throttled: boolean,
  read: TableRead,
  schemaName: string,
): PenstockError {
  const reason: unknown = signal.reason;
  const told = reason instanceof PenstockError ? reason : null;
  if (throttled && told?.code !== 'CANCELLED')
    return new PenstockError(
      'THROTTLED',
      `DynamoDB throttles reads of ${schemaName}.${read.table.tableName}; the query could not finish in time`,
      { retryAfterS: throttledRetryAfterS, cause: reason },
    );
  return told ?? new PenstockError('CANCELLED', 'The query was cancelled', { cause: reason });
}

/** Why a read that waited for its limits ended: that it waited, or what the signal says. */
export function limitedError(
  signal: AbortSignal,
  limit: string,
  { table }: TableRead,
  schemaName: string,
): PenstockError {
  const reason: unknown = signal.reason;
  const told = reason instanceof PenstockError ? reason : null;
  if (told?.code === 'TIMEOUT')
    return new PenstockError(
      'THROTTLED',
      `Reads of ${schemaName}.${table.tableName} wait for their limit, ${limit}; the query could not finish in time`,
      {
        detail:
          'All queries together have it: narrow this one by key, give it more time (timeoutMs), or raise the limit',
        retryAfterS: throttledRetryAfterS,
        cause: reason,
      },
    );
  return told ?? new PenstockError('CANCELLED', 'The query was cancelled', { cause: reason });
}
