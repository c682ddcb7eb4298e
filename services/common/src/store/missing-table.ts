import { PenstockError } from '../errors/penstock-error.ts';

/** The table comes back by somebody's hand. */
const RETRY_AFTER_S = 30;

/** What is said wherever a table of the control plane is not there and may not be made. */
export function missingTable(tableName: string, cause?: unknown): PenstockError {
  return new PenstockError(
    'UNAVAILABLE',
    `The table ${tableName}, in which Penstock keeps its own data, is missing: restore or create it, or set ` +
      'PENSTOCK_CREATE_TABLES=true',
    { retryAfterS: RETRY_AFTER_S, cause },
  );
}

/** Where a table is missing, may be made, and could not be: the reason is in the log. */
export function unmakeableTable(tableName: string, cause: unknown): PenstockError {
  return new PenstockError(
    'UNAVAILABLE',
    `The table ${tableName}, in which Penstock keeps its own data, is missing and could not be made again: the log ` +
      'says why',
    { retryAfterS: RETRY_AFTER_S, cause },
  );
}
