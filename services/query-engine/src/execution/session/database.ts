/**
 * The process's one DuckDB instance, shut off from network, extensions, and all files but those that results are copied
 * to. Nothing else opens DuckDB.
 *
 * Memory and temporary files are set after the instance is made, then the configuration is locked (setting them at
 * creation together with `enable_external_access` fails).
 */
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { RETRY_AFTER_S } from '../../limits.ts';
import { MACROS } from '../../duckdb-sql/macros.ts';
import { createFairQueue } from '../../scheduling/fair-queue.ts';
import { createCopyFolder, type CopyFolder } from './copy-folder.ts';
import { isOutOfMemory } from './duckdb-errors.ts';

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
  /**
   * DuckDB's parse tree of a statement, as JSON. One at a time; tenants take turns, and who gave up leaves the queue.
   * Throws the signal's reason, and UNAVAILABLE where other queries have all memory.
   */
  serialize(sql: string, asker?: SerializeAsker): Promise<string>;
  /** Where results are copied to as files. */
  readonly copies: CopyFolder;
  /** What the instance holds now, bytes. */
  memory(): Promise<{ readonly memoryBytes: number; readonly spilledBytes: number }>;
  /** Makes a new instance for the queries to come, after one that answers nothing any more. */
  replace(): void;
  close(): Promise<void>;
}

/** For whom a statement is read. */
export interface SerializeAsker {
  readonly tenantId: string;
  readonly signal: AbortSignal;
}

/** The process itself. */
const OURSELVES: SerializeAsker = Object.freeze({ tenantId: '', signal: new AbortController().signal });

const MIB = 1024 * 1024;

/** Within what is removed when the process is gone. */
const copyFolderOf = ({ tempDirectory }: DatabaseOptions): string => join(tempDirectory, 'copies');

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

async function createInstance(options: DatabaseOptions): Promise<DuckDBInstance> {
  // DuckDB makes the directory itself when it first spills, but not what leads there.
  await mkdir(dirname(options.tempDirectory), { recursive: true });
  const instance = await DuckDBInstance.create(':memory:', { threads: String(options.threads) });
  const connection = await instance.connect();
  for (const statement of [
    `SET memory_limit = '${options.memoryMb}MiB'`,
    `SET temp_directory = ${quoted(options.tempDirectory)}`,
    `SET max_temp_directory_size = '${options.tempMb}MiB'`,
    // Memory that a query has given back goes back to the system too.
    'SET allocator_background_threads = true',
    // Results that are copied to files: nothing else may be written, and no statement of ours reads one.
    `SET allowed_directories = [${quoted(`${copyFolderOf(options)}/`)}]`,
    'SET autoinstall_known_extensions = false',
    'SET autoload_known_extensions = false',
    'SET allow_community_extensions = false',
    'SET enable_external_access = false',
    'SET preserve_insertion_order = true',
    // Filters of joins go below LIMIT and take other rows than the first (duckdb/duckdb#22924, not yet in 1.5.6).
    "SET disabled_optimizers = 'join_filter_pushdown'",
    ...MACROS,
    'SET lock_configuration = true',
  ]) {
    await connection.run(statement);
  }
  connection.closeSync();
  return instance;
}

const NO_MEMORY_TREE = /^\{"error":true,"error_type":"out[ _]of[ _]memory"/i;

/** To whoever asked how a statement is read, while other queries have all of DuckDB's memory. */
const noMemory = (cause: unknown): PenstockError =>
  new PenstockError('UNAVAILABLE', 'Other queries use all the memory that there is; try again', {
    detail: 'The statement was not run',
    retryAfterS: RETRY_AFTER_S,
    cause,
  });

/**
 * Reads statements' trees on a connection of its own, prepared once: what every new statement waits for. One at a time,
 * since a prepared statement has one set of parameters. Admission bounds who waits.
 */
async function createSerializer(instance: DuckDBInstance): Promise<Database['serialize']> {
  const connection = await instance.connect();
  const statement = await connection.prepare('SELECT json_serialize_sql($1::VARCHAR)');
  const queue = createFairQueue({ places: 1, perTenant: 1, waiting: Infinity, retryAfterS: RETRY_AFTER_S });
  const treeOf = async (sql: string): Promise<string> => {
    statement.bindVarchar(1, sql);
    const chunk = await (await statement.run()).fetchChunk();
    const tree = chunk === null || chunk.rowCount === 0 ? null : chunk.getColumnVector(0).getItem(0);
    return typeof tree === 'string' ? tree : '';
  };
  const serialize = async (sql: string): Promise<string> => {
    let tree: string;
    try {
      tree = await treeOf(sql);
    } catch (error) {
      throw error instanceof Error && isOutOfMemory(error.message) ? noMemory(error) : error;
    }
    // Some of its errors are an answer.
    if (NO_MEMORY_TREE.test(tree)) throw noMemory(null);
    return tree;
  };
  return async (sql, { tenantId, signal } = OURSELVES) => {
    const leave = await queue.enter(tenantId, signal);
    try {
      return await serialize(sql);
    } finally {
      leave();
    }
  };
}

async function memoryOf(instance: DuckDBInstance): ReturnType<Database['memory']> {
  const connection = await instance.connect();
  try {
    const result = await connection.runAndReadAll(
      'SELECT sum(memory_usage_bytes)::DOUBLE, sum(temporary_storage_bytes)::DOUBLE FROM duckdb_memory()',
    );
    const [memoryBytes, spilledBytes] = result.getRows()[0] ?? [];
    return { memoryBytes: Number(memoryBytes ?? 0), spilledBytes: Number(spilledBytes ?? 0) };
  } finally {
    connection.closeSync();
  }
}

/** An instance with what is kept open on it. */
interface Opened {
  readonly instance: DuckDBInstance;
  readonly serialize: Database['serialize'];
}

async function open(options: DatabaseOptions): Promise<Opened> {
  const instance = await createInstance(options);
  return { instance, serialize: await createSerializer(instance) };
}

export function createDatabase(options: DatabaseOptions): Database {
  let opened: Promise<Opened> | null = null;
  const current = (): Promise<Opened> => {
    const made = (opened ??= open(options));
    made.catch(() => {
      if (opened === made) opened = null;
    });
    return made;
  };
  return {
    copies: createCopyFolder(copyFolderOf(options), options.tempMb * MIB),
    connect: async () => (await current()).instance.connect(),
    serialize: async (sql, asker) => (await current()).serialize(sql, asker),
    memory: async () => memoryOf((await current()).instance),
    replace() {
      opened = null;
    },
    async close() {
      const made = opened;
      opened = null;
      if (made !== null) (await made).instance.closeSync();
    },
  };
}
