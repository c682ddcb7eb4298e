import type { KnownTable } from '../../clients/catalog-tables.ts';

/** A column of a result, as RowDescription has it. */
export interface CatalogColumn {
  readonly name: string;
  readonly typeOid: number;
  /** -1: none. */
  readonly typeModifier: number;
}

/** Rows in text format. */
export interface CatalogResult {
  readonly columns: readonly CatalogColumn[];
  readonly rows: readonly (readonly (string | null)[])[];
}

/** What a tenant has, all of one moment. */
export interface CatalogTables {
  /** Another one after each change. */
  readonly version: string;
  /** All names of active schemas, those without tables too, as stored. */
  readonly schemas: readonly string[];
  readonly tables: readonly KnownTable[];
}

/** Who asks. */
export interface CatalogSession {
  /** The client's ID. */
  readonly user: string;
  /** The name that the client gave at the start. */
  readonly database: string;
  readonly tenantId: string;
  readonly backendPid: number;
  /** A session parameter by its name in small letters; undefined where there is none. */
  readonly setting: (name: string) => string | undefined;
  /**
   * As `SET` does (`set_config` does it too).
   *
   * @throws PgError where the parameter has no such value
   */
  readonly set: (name: string, value: string) => void;
  /** Schemas by which unqualified tables resolve, as written in the setting; `"$user"` and `pg_catalog` left out. */
  readonly searchPath: () => readonly string[];
  /** Of the session's tenant; asked only where a statement needs them. Nothing where the client may not read schemas. */
  readonly tables: () => Promise<CatalogTables>;
  /** Ends with the statement: cancelled, timed out, or its client gone. */
  readonly signal: AbortSignal;
}

/**
 * What a statement reads: `catalog` relations of pg_catalog or information_schema, `user` tables of the tenant (also
 * where it cannot be parsed: the engine says what is wrong), both (`mixed`), or none (`constant`: `SELECT 1`,
 * `version()`, `set_config(…)`).
 */
export type Classified = 'catalog' | 'user' | 'mixed' | 'constant';

/** Answers for statements over the system catalogs. All of it throws PgError with what a client may be told. */
export interface Catalog {
  /**
   * In the turn of the session's tenant. What is no SQL of PostgreSQL's is `user`; what is too deep for its parser throws
   * 54001. `pace` is awaited before a statement is parsed, which most are not.
   */
  classify(
    sql: string,
    session: Pick<CatalogSession, 'tenantId' | 'signal'>,
    pace?: () => Promise<void>,
  ): Promise<Classified>;
  /** Names types without running; parameters of which the client names no type (0) get one. */
  describe(
    sql: string,
    parameterOids: readonly number[],
    session: CatalogSession,
  ): Promise<{ readonly parameterOids: readonly number[]; readonly columns: readonly CatalogColumn[] }>;
  /** Parameters in text format. */
  run(
    sql: string,
    parameters: readonly (string | null)[],
    parameterOids: readonly number[],
    session: CatalogSession,
  ): Promise<CatalogResult>;
  close(): Promise<void>;
}
