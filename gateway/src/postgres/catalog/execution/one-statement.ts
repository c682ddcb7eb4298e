import { StatementType, type DuckDBConnection, type DuckDBResult } from '@duckdb/node-api';

/**
 * Runs a text that is one SELECT. The connection's own `stream` runs all statements of a text: whatever a mistake of the
 * binder let a literal add behind the first would run, too.
 *
 * @throws Error where the text has more statements, or another one
 */
export async function streamOneSelect(connection: DuckDBConnection, sql: string): Promise<DuckDBResult> {
  const statements = await connection.extractStatements(sql);
  if (statements.count !== 1)
    throw new Error(`One statement was written, and ${statements.count} came of it`);
  const statement = await statements.prepare(0);
  try {
    if (statement.statementType !== StatementType.SELECT) throw new Error('What was written is no SELECT');
    return await statement.stream();
  } finally {
    // Left to the collector, statements that were run hold DuckDB's memory until later ones find too little.
    statement.destroySync();
  }
}
