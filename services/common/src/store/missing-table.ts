import { PenstockError } from '../errors/penstock-error.ts';

/** The table comes back by somebody's hand. */
const RETRY_AFTER_S = 30;

/** The error wherever a table of the control plane is missing and may not be made. */
export function missingTable(tableName: string, cause?: unknown): PenstockError {
  return new PenstockError(
    'UNAVAILABLE',
    `The table ${tableName}, in which Penstock keeps its own data, is missing: restore or create it, or set ` +
      'PENSTOCK_CREATE_TABLES=true',
    { retryAfterS: RETRY_AFTER_S, cause },
  );
}

/** The error where a table is missing and could not be made. The reason is in the log. */
export function unmakeableTable(tableName: string, cause: unknown): PenstockError {
  return new PenstockError(
    'UNAVAILABLE',
    `The table ${tableName}, in which Penstock keeps its own data, is missing and could not be made again: the log ` +
      'says why',
    { retryAfterS: RETRY_AFTER_S, cause },
  );
}
