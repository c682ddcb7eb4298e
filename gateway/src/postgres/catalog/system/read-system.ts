/** What every PostgreSQL 15 has: see test/postgres/catalog/reference/write-system-catalog.ts, which writes the file. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';

export interface SystemColumn {
  readonly name: string;
  /** OID. */
  readonly type: number;
  readonly modifier: number;
  readonly notNull: boolean;
}

export type SystemSchema = 'pg_catalog' | 'information_schema';

export interface SystemRelation {
  readonly schema: SystemSchema;
  readonly name: string;
  readonly columns: readonly SystemColumn[];
  /** By column, as PostgreSQL prints them; absent for views. */
  readonly values?: readonly (readonly (string | null)[])[];
  /** A view's. */
  readonly definition?: string;
}

export interface SystemCatalog {
  /** Such as 15.18. */
  readonly version: string;
  readonly relations: readonly SystemRelation[];
  /** What PostgreSQL makes of its own trees, by OID. */
  readonly texts: {
    /** OID, arguments, arguments that identify it, result. */
    readonly functions: readonly (readonly [number, string, string, string | null])[];
    readonly indexes: readonly (readonly [number, string])[];
    readonly constraints: readonly (readonly [number, string])[];
    readonly views: readonly (readonly [number, string])[];
  };
  /** Rows that functions give. */
  readonly sets: Readonly<Record<string, readonly (readonly (string | null)[])[]>>;
}

const FILE = join(import.meta.dirname, 'postgres-15.json.br');

export function readSystemCatalog(): SystemCatalog {
  return JSON.parse(brotliDecompressSync(readFileSync(FILE)).toString()) as SystemCatalog;
}

/** Rows of a table, by the named columns. */
export function rowsOf(
  system: SystemCatalog,
  relation: string,
  columns: readonly string[],
): readonly (readonly (string | null)[])[] {
  const found = system.relations.find(({ name }) => name === relation);
  const values = found?.values ?? [];
  const picked = columns.map(
    (column) => values[found?.columns.findIndex(({ name }) => name === column) ?? -1] ?? [],
  );
  return (picked[0] ?? []).map((_, row) => picked.map((cells) => cells[row] ?? null));
}
