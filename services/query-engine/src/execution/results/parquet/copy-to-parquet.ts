/** Lets DuckDB write a query's rows as a Parquet file, each column in the type that was chosen for it. */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { SqlType } from '../../../duckdb-sql/types/sql-type.ts';
import type { RunContext } from '../../run-context.ts';
import type { CopyFile } from '../../session/copy-folder.ts';
import type { Session } from '../../session/session.ts';
import { MISFIT, storedValue, type ParquetType } from './column-type.ts';
import { COMPUTED_GROUP_BYTES, GROUP_ROWS_MAX, GROUP_ROWS_MIN } from './limits.ts';

export interface ParquetColumn {
  /** What the query yields. */
  readonly type: SqlType;
  /** What is written. */
  readonly wanted: ParquetType;
}

export interface ParquetCopy {
  readonly query: string;
  /** The first of the query's columns; it may have others behind these. */
  readonly columns: readonly ParquetColumn[];
  /** Names of all of them, for errors. */
  readonly names: readonly string[];
  readonly groupRows: number;
  readonly rows?: { readonly offset: number; readonly count: number };
}

/** Rows of a group where a row has so many bytes. */
export function groupRowsFor(rowBytes: number): number {
  const rows = Math.floor(COMPUTED_GROUP_BYTES / Math.max(rowBytes, 1) / GROUP_ROWS_MIN) * GROUP_ROWS_MIN;
  return Math.min(Math.max(rows, GROUP_ROWS_MIN), GROUP_ROWS_MAX);
}

const limitText = ({ offset, count }: NonNullable<ParquetCopy['rows']>): string =>
  `${Number.isFinite(count) ? ` LIMIT ${count}` : ''}${offset > 0 ? ` OFFSET ${offset}` : ''}`;

/** Columns of one name in the query are two here. */
function statement({ query, columns, groupRows, rows }: ParquetCopy, path: string): string {
  const names = columns.map((_, i) => `x${i}`);
  const values = columns.map(
    ({ type, wanted }, i) => `${storedValue({ sql: `x${i}`, type }, wanted, i)} AS p${i}`,
  );
  const limit = rows === undefined ? '' : limitText(rows);
  return (
    `COPY (SELECT ${values.join(', ')} FROM (${query}) AS x(${names.join(', ')})${limit}) ` +
    `TO '${path.replaceAll("'", "''")}' (FORMAT parquet, COMPRESSION snappy, ROW_GROUP_SIZE ${groupRows})`
  );
}

const MISFIT_TEXT = new RegExp(`${MISFIT} (\\d+) ([0-9A-F]*)`);
const NUMBER_TEXT = /^-?\d+(?:\.(\d+))?$/;

const identifier = (name: string): string =>
  /^[a-z_]\w*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;

/** A value that its column's type, chosen before, does not hold: named, with a cast that holds it. */
function withNames(error: unknown, { columns, names }: ParquetCopy): unknown {
  const found = error instanceof Error ? MISFIT_TEXT.exec(error.message) : null;
  if (found === null) return error;
  const position = Number(found[1]);
  const value = Buffer.from(found[2] ?? '', 'hex').toString();
  const name = identifier(names[position] ?? '');
  const number = NUMBER_TEXT.exec(value);
  const isNumber = /^(?:DECIMAL|\w*INT)/.test(columns[position]?.wanted ?? '') && number !== null;
  const type = isNumber ? `DECIMAL(38,${number[1]?.length ?? 0})` : 'VARCHAR';
  return new PenstockError(
    'EXECUTION_ERROR',
    `Column ${name} is written as ${columns[position]?.wanted}, by what was read first, and cannot hold ${JSON.stringify(value)}`,
    {
      detail: `Give it a type that holds all its values: CAST(${name} AS ${type}) AS ${name}, for example; as CSV or NDJSON it comes as it is`,
    },
  );
}

/** The caller removes the file. */
export async function copyToParquet(
  session: Session,
  { database }: Pick<RunContext, 'database'>,
  copy: ParquetCopy,
): Promise<CopyFile> {
  const file = await database.copies.open();
  try {
    await session.run(statement(copy, file.path), file.ending);
    file.written();
    return file;
  } catch (error) {
    await file.remove();
    throw withNames(error, copy);
  }
}
