/** What a statement is to the endpoint: rows to be found, or something for the session's server. */
import type { PgError } from '../errors/pg-error.ts';

export interface CopyFormat {
  /** PostgreSQL's binary format; nothing else counts then. */
  readonly binary: boolean;
  readonly csv: boolean;
  readonly header: boolean;
  readonly delimiter: string;
  /** What NULL is written as. */
  readonly nullText: string;
  readonly quote: string;
}

/**
 * Each kind with `sql` holds a SELECT, and is the engine's where that reads tables of the tenant, else the server's. What
 * cannot be had of it over tables is `refusal`.
 */
export type Statement =
  /** Whatever has no rows of a tenant's tables: of the session, or what only PostgreSQL knows. */
  | { readonly kind: 'other' }
  | { readonly kind: 'select'; readonly sql: string }
  | {
      readonly kind: 'declare';
      readonly cursor: string;
      readonly sql: string;
      readonly holds: boolean;
      readonly refusal: PgError | null;
    }
  | {
      readonly kind: 'fetch';
      readonly cursor: string;
      /** Null: all that are left. */
      readonly count: number | null;
      /** MOVE: rows are passed over. */
      readonly moves: boolean;
      readonly refusal: PgError | null;
    }
  /** Null: all. */
  | { readonly kind: 'closeCursor' | 'deallocate'; readonly name: string | null }
  | { readonly kind: 'discardAll' }
  | {
      readonly kind: 'explain';
      readonly sql: string;
      readonly format: 'text' | 'json';
      readonly refusal: PgError | null;
    }
  | { readonly kind: 'prepare'; readonly sql: string; readonly refusal: PgError }
  | {
      readonly kind: 'copyOut';
      readonly sql: string;
      readonly format: CopyFormat;
      readonly refusal: PgError | null;
    };

/** Kinds with a SELECT. */
export type WithSelect = Extract<Statement, { readonly sql: string }>;

export const hasSelect = (statement: Statement): statement is WithSelect => 'sql' in statement;

export const OTHER: Statement = Object.freeze({ kind: 'other' });
