/** Read limits of a schema: what they must be, and what they are for one table. */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { READ_LIMIT_TABLES_MAX, UNITS_PER_QUERY_MAX, UNITS_PER_SECOND_MAX } from '../limits.ts';
import type { ReadLimits, SchemaFields } from './schema-record.ts';
import { allowsTable } from './table-allowlist.ts';

/** The least that DynamoDB charges. */
const UNITS_MIN = 0.5;
/** DynamoDB Developer Guide, "Naming rules". */
const TABLE_NAME = /^[a-zA-Z0-9_.-]{3,255}$/;

/** What holds for one table. */
export interface TableReadLimits {
  readonly unitsPerSecond?: number;
  readonly unitsPerQuery?: number;
}

/** Null where nothing is set for the table. */
export function limitsOfTable(limits: ReadLimits | null, tableName: string): TableReadLimits | null {
  if (limits === null) return null;
  const { unitsPerQuery, tableUnitsPerSecond = {} } = limits;
  const unitsPerSecond = Object.hasOwn(tableUnitsPerSecond, tableName)
    ? tableUnitsPerSecond[tableName]
    : limits.unitsPerSecond;
  if (unitsPerSecond === undefined && unitsPerQuery === undefined) return null;
  return {
    ...(unitsPerSecond === undefined ? {} : { unitsPerSecond }),
    ...(unitsPerQuery === undefined ? {} : { unitsPerQuery }),
  };
}

/**
 * Checks what can be told from the record alone.
 * @throws PenstockError VALIDATION_ERROR naming the field
 */
export function checkReadLimits({
  readLimits,
  tableAllowlist,
}: Pick<SchemaFields, 'readLimits' | 'tableAllowlist'>): void {
  if (readLimits === null) return;
  const { unitsPerSecond, unitsPerQuery, tableUnitsPerSecond = {} } = readLimits;
  if (unitsPerSecond !== undefined)
    checkUnits('readLimits.unitsPerSecond', unitsPerSecond, UNITS_PER_SECOND_MAX);
  if (unitsPerQuery !== undefined) checkUnits('readLimits.unitsPerQuery', unitsPerQuery, UNITS_PER_QUERY_MAX);
  const tables = Object.entries(tableUnitsPerSecond);
  if (tables.length > READ_LIMIT_TABLES_MAX)
    throw invalid(`readLimits.tableUnitsPerSecond must have at most ${READ_LIMIT_TABLES_MAX} tables`);
  for (const [tableName, units] of tables) {
    const field = `readLimits.tableUnitsPerSecond.${tableName}`;
    if (!TABLE_NAME.test(tableName))
      throw invalid(`${field} must be named for a table (3 to 255 letters, digits, _ . -)`);
    if (!allowsTable(tableAllowlist, tableName))
      throw invalid(`${field} must be a limit of a table that tableAllowlist names`);
    checkUnits(field, units, UNITS_PER_SECOND_MAX);
  }
}

function checkUnits(field: string, units: number, max: number): void {
  if (units >= UNITS_MIN && units <= max) return;
  throw invalid(`${field} must be from ${UNITS_MIN} to ${max} read units`);
}

function invalid(message: string): PenstockError {
  return new PenstockError('VALIDATION_ERROR', message);
}
