/** Describes and runs statements of one tenant over the catalogs, one after the other, in a database of its own. */
import { bindStatement, type BoundStatement } from '../binder/bind-statement.ts';
import { classify, mixedError } from '../classify/classify.ts';
import { createBudget, type SessionFacts } from '../binder/context.ts';
import type { CatalogColumn, CatalogResult, CatalogTables } from '../catalog.ts';
import { PgError } from '../../errors/pg-error.ts';
import { CATALOG_ANSWER_BYTES_MAX, CATALOG_ROWS_MAX } from '../limits.ts';
import type { SystemObjects } from '../system/objects.ts';
import type { PhysicalFacts } from '../tables/tenant-rows.ts';
import { openDatabase } from './database.ts';
import { fromDuckDbError } from '../worker/errors.ts';
import { loadSystem } from './load-system.ts';
import { streamOneSelect } from './one-statement.ts';
import { loadTenant, type TenantCatalog } from './tenant-catalog.ts';

export interface CatalogStatement {
  readonly sql: string;
  /** Null where it is only described. */
  readonly parameters: readonly (string | null)[] | null;
  readonly parameterOids: readonly number[];
  readonly session: SessionFacts;
  readonly tenantId: string;
}

export interface Described {
  readonly parameterOids: readonly number[];
  readonly columns: readonly CatalogColumn[];
}

/** What the session takes over because of the statement. */
export interface NewSetting {
  readonly name: string;
  readonly value: string;
}

export interface CatalogEngine {
  /** The version of the tenant's tables that is held; null: none. */
  readonly held: () => string | null;
  /** Takes the tables that statements are to see from now on. */
  readonly load: (tables: CatalogTables) => Promise<void>;
  readonly describe: (statement: CatalogStatement) => Promise<Described>;
  readonly run: (
    statement: CatalogStatement,
  ) => Promise<{ readonly result: CatalogResult; readonly settings: readonly NewSetting[] }>;
  /** Ends what is running, as soon as DuckDB looks. */
  readonly interrupt: () => void;
  readonly close: () => void;
}

const tooLarge = (): PgError =>
  new PgError({
    code: '54000',
    message: `An answer of the system catalogs has at most ${CATALOG_ROWS_MAX} rows and ${CATALOG_ANSWER_BYTES_MAX / 1024 / 1024} MiB`,
    hint: 'Add a condition or LIMIT.',
  });

/** What all tenants' databases begin with. */
export interface SystemParts {
  readonly system: SystemObjects;
  readonly facts: PhysicalFacts;
  /** Of pg_catalog's relations. */
  readonly systemNames: ReadonlySet<string>;
}

export async function createCatalogEngine({
  system,
  facts,
  systemNames,
}: SystemParts): Promise<CatalogEngine> {
  const database = await openDatabase((connection) => loadSystem(connection, system));
  const { connection } = database;
  let tenant: TenantCatalog | null = null;
  let schemas = 0;

  const bind = async ({
    sql,
    parameters,
    parameterOids,
    session,
  }: CatalogStatement): Promise<BoundStatement> => {
    if (tenant === null) throw new Error('the tenant has not been loaded');
    if (classify(systemNames, sql) === 'mixed') throw mixedError(systemNames, sql);
    return bindStatement(
      {
        system: system.types,
        version: system.catalog.version,
        session,
        names: await tenant.namesFor(session),
        parameters: { types: [...parameterOids], values: parameters },
        budget: createBudget(),
        now: new Date().toISOString(),
        commonTables: new Map(),
        isView: false,
      },
      sql,
    );
  };

  const rowsOf = async (sql: string, width: number): Promise<(string | null)[][]> => {
    const rows: (string | null)[][] = [];
    let bytes = 0;
    const result = await streamOneSelect(connection, `SELECT * FROM (${sql}) LIMIT ${CATALOG_ROWS_MAX + 1}`);
    for (;;) {
      const chunk = await result.fetchChunk();
      if (chunk === null || chunk.rowCount === 0) return rows;
      const vectors = Array.from({ length: width }, (_, i) => chunk.getColumnVector(i));
      for (let row = 0; row < chunk.rowCount; row++) {
        const cells = vectors.map((vector) => vector.getItem(row) as string | null);
        for (const cell of cells) bytes += cell?.length ?? 0;
        rows.push(cells);
      }
      if (rows.length > CATALOG_ROWS_MAX || bytes > CATALOG_ANSWER_BYTES_MAX) throw tooLarge();
    }
  };

  return {
    held: () => tenant?.version ?? null,
    async load(tables) {
      const before = tenant;
      tenant = null;
      await before?.drop();
      tenant = await loadTenant(connection, system, facts, `t${++schemas}`, tables);
    },
    async describe(statement) {
      const { columns, parameterOids } = await bind({ ...statement, parameters: null });
      return { columns, parameterOids };
    },
    async run(statement) {
      try {
        const { sql, columns, assignments } = await bind(statement);
        const rows = await rowsOf(sql, columns.length);
        const settings = assignments.flatMap(({ column, name }) =>
          rows.slice(-1).flatMap((row) => (row[column] == null ? [] : [{ name, value: row[column] }])),
        );
        return { result: { columns, rows }, settings };
      } catch (error) {
        throw fromDuckDbError(error);
      }
    },
    interrupt: () => connection.interrupt(),
    close: () => database.close(),
  };
}
