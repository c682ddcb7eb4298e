/** The worker's DuckDB: shut off from files, network, extensions and settings. Nothing else of the gateway opens DuckDB. */
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { CATALOG_MEMORY_MB } from '../limits.ts';

export interface CatalogDatabase {
  readonly connection: DuckDBConnection;
  readonly close: () => void;
}

/** `load` runs before the configuration is locked, and may do what statements may not. */
export async function openDatabase(
  load: (connection: DuckDBConnection) => Promise<void>,
): Promise<CatalogDatabase> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  for (const statement of [
    'SET autoinstall_known_extensions = false',
    'SET autoload_known_extensions = false',
    'SET allow_community_extensions = false',
    // Nothing is spilled to disk; this comes before access to files ends.
    "SET temp_directory = ''",
    'SET enable_external_access = false',
    'SET preserve_insertion_order = true',
    `SET memory_limit = '${CATALOG_MEMORY_MB}MiB'`,
    // Memory that a statement has given back goes back to the system too.
    'SET allocator_background_threads = true',
    // As the engine has it: filters of joins go below LIMIT in this version.
    "SET disabled_optimizers = 'join_filter_pushdown'",
  ]) {
    await connection.run(statement);
  }
  await load(connection);
  await connection.run('SET lock_configuration = true');
  return {
    connection,
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
