/** Rows into DuckDB's tables: all as text first, which DuckDB makes into each column's type. */
import {
  DuckDBDataChunk,
  LIST,
  listValue,
  VARCHAR,
  type DuckDBConnection,
  type DuckDBValue,
} from '@duckdb/node-api';
import { quoteName } from '../binder/bound.ts';

export type Cell = string | number | boolean | null | readonly (string | number | null)[];

export interface TableColumn {
  readonly name: string;
  /** DuckDB's. */
  readonly type: string;
}

const CHUNK_ROWS = 2048;
const STAGING = 'staging_rows';

function valueOf(cell: Cell | undefined): DuckDBValue {
  if (cell == null) return null;
  if (typeof cell === 'object') return listValue(cell.map((item) => (item === null ? null : String(item))));
  return String(cell);
}

/** Makes a table and puts rows in, one after the other. `table`: as SQL writes it. */
export async function loadTable(
  connection: DuckDBConnection,
  table: string,
  columns: readonly TableColumn[],
  rows: readonly (readonly Cell[])[],
): Promise<void> {
  const definitions = columns.map(({ name, type }) => `${quoteName(name)} ${type}`).join(', ');
  if (rows.length === 0) {
    await connection.run(`CREATE TABLE ${table} (${definitions})`);
    return;
  }
  const isList = columns.map(({ type }) => type.endsWith('[]'));
  const staged = columns.map((_, i) => `s${i} ${isList[i] === true ? 'VARCHAR[]' : 'VARCHAR'}`);
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${STAGING} (${staged.join(', ')})`);
  const appender = await connection.createAppender(STAGING);
  const types = isList.map((list) => (list ? LIST(VARCHAR) : VARCHAR));
  for (let from = 0; from < rows.length; from += CHUNK_ROWS) {
    const part = rows.slice(from, from + CHUNK_ROWS);
    const chunk = DuckDBDataChunk.create(types, part.length);
    for (const i of columns.keys())
      chunk.setColumnValues(
        i,
        part.map((row) => valueOf(row[i])),
      );
    appender.appendDataChunk(chunk);
  }
  appender.closeSync();
  const cells = columns.map(({ name, type }, i) => `CAST(s${i} AS ${type}) AS ${quoteName(name)}`);
  await connection.run(`CREATE TABLE ${table} AS SELECT ${cells.join(', ')} FROM ${STAGING}`);
  await connection.run(`DROP TABLE ${STAGING}`);
}
