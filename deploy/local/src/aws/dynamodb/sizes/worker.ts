import { parentPort } from 'node:worker_threads';
import { DatabaseSync } from 'node:sqlite';
import { measureTable } from './measure-table.ts';
import type { SizesOfTable } from './table-sizes.ts';

/** What the thread is asked, and what it answers under the same ID. */
export interface SizeQuestion {
  readonly id: number;
  readonly file: string;
  readonly tableName: string;
}

export interface SizeReply {
  readonly id: number;
  readonly sizes: SizesOfTable | undefined;
}

interface OpenFile {
  readonly database: DatabaseSync;
  /** SQLite's own count of changes by others; sizes are measured again when it changes. */
  version: unknown;
  readonly measured: Map<string, SizesOfTable>;
}

const files = new Map<string, OpenFile>();

parentPort?.on('message', ({ id, file, tableName }: SizeQuestion) => {
  parentPort?.postMessage({ id, sizes: sizesOf(file, tableName) } satisfies SizeReply);
});

function sizesOf(file: string, tableName: string): SizesOfTable | undefined {
  try {
    const open = files.get(file) ?? openFile(file);
    files.set(file, open);
    const version = open.database.prepare('PRAGMA data_version').get()?.['data_version'];
    if (version !== open.version) open.measured.clear();
    open.version = version;
    const sizes = open.measured.get(tableName) ?? measureTable(open.database, tableName);
    open.measured.set(tableName, sizes);
    return sizes;
  } catch {
    // No such file or table, or another store's format: the store's own figures stand.
    files.get(file)?.database.close();
    files.delete(file);
    return undefined;
  }
}

function openFile(file: string): OpenFile {
  return { database: new DatabaseSync(file, { readOnly: true }), version: undefined, measured: new Map() };
}
