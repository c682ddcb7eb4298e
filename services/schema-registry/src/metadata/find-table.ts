import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { didYouMean } from '../schemas/did-you-mean.ts';
import type { SchemaRecord } from '../schemas/schema-record.ts';
import { allowsTable } from '../schemas/table-allowlist.ts';
import { isTableName } from '../schemas/validate-fields.ts';

/** A table as a statement names it; the schema is as written, or as stored where the statement has none. */
export interface AskedTable {
  readonly schema: string;
  readonly table: string;
}

/**
 * The one visible name that differs from the asked one in case only.
 * @param visible the allowlist where it restricts, else the names of which metadata is known
 * @throws PenstockError AMBIGUOUS_NAME where several fit, TABLE_NOT_FOUND where none does
 */
export function twinInCase(asked: AskedTable, visible: readonly string[]): string {
  const folded = asked.table.toLowerCase();
  const [twin, ...more] = visible.filter((name) => name !== asked.table && name.toLowerCase() === folded);
  if (twin === undefined) throw tableNotFound(asked, visible);
  if (more.length > 0) throw ambiguous(asked, [twin, ...more]);
  return twin;
}

/** True where the table may be looked for under the very name. */
export function mayExist(record: SchemaRecord, tableName: string): boolean {
  return isTableName(tableName) && allowsTable(record.tableAllowlist, tableName);
}

/** TABLE_NOT_FOUND. A table outside the allowlist is answered as one that does not exist. */
export function tableNotFound(asked: AskedTable, visible: readonly string[]): PenstockError {
  const others = visible.filter((name) => name !== asked.table);
  return new PenstockError('TABLE_NOT_FOUND', `Table not found: ${asked.schema}.${asked.table}`, {
    detail: didYouMean(asked.table, others),
  });
}

function ambiguous(asked: AskedTable, twins: readonly string[]): PenstockError {
  return new PenstockError('AMBIGUOUS_NAME', `Table name is ambiguous: ${asked.schema}.${asked.table}`, {
    detail: `Write one of these exactly, in double quotes: ${twins.join(', ')}.`,
  });
}
