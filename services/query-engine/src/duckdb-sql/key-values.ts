/** The values that a filtered scan is read by, as text that says exactly which they are. */
import type { LogicalPlan } from '../logical/plan.ts';
import { toText } from './types/convert.ts';
import type { SqlType } from './types/sql-type.ts';
import { writeRowByRow } from './plan.ts';
import type { ScanSource } from './sources.ts';
import type { TableScan } from '../logical/plan.ts';
import { columnName } from './scope.ts';

export interface KeyValuesQuery {
  /** Of each column its kind (of `MixedKind`) and its text; rows without duplicates, none with NULL. */
  readonly sql: string;
}

/** Types whose text is the value itself, whatever it is compared with. */
const KIND: Readonly<Partial<Record<SqlType['kind'], string>>> = Object.freeze({
  text: '2',
  integer: '1',
  decimal: '1',
  null: '2',
});

/**
 * Reads at most `rowsMax` rows of values. Null where values of these types cannot be looked up: dates, truth values,
 * documents, binary, inexact numbers.
 */
export function writeKeyValues(
  query: LogicalPlan,
  sourceOf: (scan: TableScan) => ScanSource,
  rowsMax: number,
): KeyValuesQuery | null {
  const { sql, columns } = writeRowByRow(query, sourceOf);
  const fields: string[] = [];
  for (const { id, type } of columns) {
    const name = columnName(id);
    const kind = KIND[type.kind];
    if (type.kind === 'mixed') fields.push(`CAST((${name}).k AS INTEGER)`, `(${name}).t`);
    else if (kind !== undefined) fields.push(kind, toText({ sql: name, type }).sql);
    else return null;
  }
  const notNull = columns.map(({ id }) => `${columnName(id)} IS NOT NULL`).join(' AND ');
  return { sql: `SELECT DISTINCT ${fields.join(', ')} FROM (${sql}) v WHERE ${notNull} LIMIT ${rowsMax}` };
}
