/** Statements that clients and tools send to look around. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface CapturedStatement {
  /** With `{oid schema.name}` for numbers of a tenant's tables. */
  readonly sql: string;
  readonly parameters?: readonly (string | null)[];
  readonly searchPath?: readonly string[];
}

export interface StatementFile {
  /** Of the client. */
  readonly name: string;
  readonly statements: readonly CapturedStatement[];
}

const FOLDER = import.meta.dirname;

export function statementFiles(): readonly StatementFile[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => ({
      name: file.replace('.json', ''),
      statements: JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as CapturedStatement[],
    }));
}
