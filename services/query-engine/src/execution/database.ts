/**
 * The process's one DuckDB instance, shut off from files, network and extensions. Nothing else opens DuckDB.
 *
 * Memory and temporary files are set after the instance is made, then the configuration is locked (setting them at
 * creation together with `enable_external_access` fails).
 */
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { MACROS } from '../physical/macros.ts';

export interface DatabaseOptions {
  /** For all queries of the process together; beyond it they spill to `tempDirectory`. */
  readonly memoryMb: number;
  readonly tempDirectory: string;
  readonly tempMb: number;
  readonly threads: number;
}

export interface Database {
  /** A connection of its own for one query: its temporary tables go when it closes. */
  connect(): Promise<DuckDBConnection>;
  /** DuckDB's parse tree of a statement, as JSON. */
  serialize(sql: string): Promise<string>;
  /** Makes a new instance for the queries to come, after one that answers nothing any more. */
  replace(): void;
  close(): Promise<void>;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

async function createInstance(options: DatabaseOptions): Promise<DuckDBInstance> {
  const instance = await DuckDBInstance.create(':memory:', { threads: String(options.threads) });
  const connection = await instance.connect();
  for (const statement of [
    `SET memory_limit = '${options.memoryMb}MiB'`,
    `SET temp_directory = ${quoted(options.tempDirectory)}`,
    `SET max_temp_directory_size = '${options.tempMb}MiB'`,
    'SET autoinstall_known_extensions = false',
    'SET autoload_known_extensions = false',
    'SET allow_community_extensions = false',
    'SET enable_external_access = false',
    'SET preserve_insertion_order = true',
    ...MACROS,
    'SET lock_configuration = true',
  ]) {
    await connection.run(statement);
  }
  connection.closeSync();
  return instance;
}

export function createDatabase(options: DatabaseOptions): Database {
  let instance: Promise<DuckDBInstance> | null = null;
  const current = (): Promise<DuckDBInstance> => {
    const made = (instance ??= createInstance(options));
    made.catch(() => {
      if (instance === made) instance = null;
    });
    return made;
  };
  return {
    connect: async () => (await current()).connect(),
    async serialize(sql) {
      const connection = await (await current()).connect();
      try {
        const reader = await connection.runAndReadAll('SELECT json_serialize_sql($1::VARCHAR)', [sql]);
        const [tree] = reader.getRowsJS()[0] ?? [];
        return typeof tree === 'string' ? tree : '';
      } finally {
        connection.closeSync();
      }
    },
    replace() {
      instance = null;
    },
    async close() {
      const made = instance;
      instance = null;
      if (made !== null) (await made).closeSync();
    },
  };
}
