/** Rows of a Parquet file as DuckDB reads them back, beside those that a page has as JSON: value by value, digit by digit. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBBlobValue, DuckDBInstance, type DuckDBValue } from '@duckdb/node-api';

export interface ParquetRows {
  readonly names: readonly string[];
  readonly types: readonly string[];
  readonly rows: readonly (readonly DuckDBValue[])[];
  readonly groups: number;
}

/** By a DuckDB of its own, which may read files. */
export async function readParquet(bytes: Uint8Array): Promise<ParquetRows> {
  const folder = await mkdtemp(join(tmpdir(), 'penstock-parquet-'));
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  try {
    const path = join(folder, 'result.parquet');
    await writeFile(path, bytes);
    const result = await connection.runAndReadAll(`SELECT * FROM read_parquet('${path}')`);
    const groups = await connection.runAndReadAll(
      `SELECT count(DISTINCT row_group_id)::INTEGER FROM parquet_metadata('${path}')`,
    );
    return {
      names: result.columnNames(),
      types: result.columnTypes().map(String),
      rows: result.getRows(),
      groups: Number(groups.getRows()[0]?.[0]),
    };
  } finally {
    connection.closeSync();
    instance.closeSync();
    await rm(folder, { recursive: true });
  }
}

/** A number by its digits. */
class Digits {
  readonly digits: string;
  constructor(digits: string) {
    this.digits = digits;
  }
}

type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;

/** JSON whose numbers keep all digits. */
export const parseExact = (text: string): unknown =>
  JSON.parse(text, ((_, value, { source }) =>
    typeof value === 'number' ? new Digits(source ?? String(value)) : value) as Reviver as never);

const trimmed = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);

/** A cell of a page as text, as it stands in a column of several kinds. */
const asText = (cell: unknown): unknown => {
  if (cell === null || typeof cell === 'string') return cell;
  return cell instanceof Digits ? cell.digits : typeof cell === 'boolean' ? String(cell) : cell;
};

/** A value read back, as a page of JSON has it. `shown`: the type that the result's header gives. */
function cellOf(value: DuckDBValue, stored: string, shown: string): unknown {
  if (value === null) return null;
  if (value instanceof DuckDBBlobValue) return Buffer.from(value.bytes).toString('base64');
  if (typeof value === 'boolean') return value;
  if (stored === 'DOUBLE' || stored === 'FLOAT') return new Digits(JSON.stringify(value));
  if (stored.startsWith('DECIMAL')) return new Digits(trimmed(String(value)));
  if (stored.endsWith('INT') || stored === 'INTEGER') return new Digits(String(value));
  if (stored.startsWith('TIMESTAMP'))
    return String(value)
      .replace(' ', 'T')
      .replace(/\+00(:00)?$/, 'Z');
  return shown === 'JSON' && stored === 'VARCHAR' ? parseExact(String(value)) : String(value);
}

/** The file's rows and the page's, in one form each. */
export function comparable(
  file: ParquetRows,
  page: { readonly json: string; readonly types: readonly string[] },
): { readonly file: unknown; readonly page: unknown } {
  const cells = parseExact(page.json) as readonly (readonly unknown[])[];
  const isText = page.types.map((type, i) => file.types[i] === 'VARCHAR' && type !== 'JSON');
  return {
    file: file.rows.map((row) =>
      row.map((value, i) => cellOf(value, file.types[i] ?? '', page.types[i] ?? '')),
    ),
    page: cells.map((row) => row.map((cell, i) => (isText[i] === true ? asText(cell) : cell))),
  };
}
