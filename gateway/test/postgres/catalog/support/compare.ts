/** One statement on both sides, as what can be compared. */
import pg from 'pg';
import type { Catalog, CatalogResult } from '../../../../src/postgres/catalog/catalog.ts';
import { PgError } from '../../../../src/postgres/errors/pg-error.ts';
import type { CapturedStatement } from './statements.ts';
import { testSession } from './test-session.ts';

/** A side: runs a statement and tells what numbers its objects have. */
export interface Side {
  readonly run: (
    sql: string,
    parameters: readonly (string | null)[],
    searchPath: readonly string[],
  ) => Promise<CatalogResult>;
}

export interface Outcome {
  /** Name, OID of the type, modifier. */
  readonly columns: readonly string[];
  readonly rows: readonly string[];
  readonly error?: string;
}

export function ourSide(catalog: Catalog): Side {
  return {
    run: (sql, parameters, searchPath) =>
      catalog.run(
        sql,
        parameters,
        parameters.map(() => 0),
        testSession(searchPath.length === 0 ? {} : { searchPath }),
      ),
  };
}

export async function postgresSide(
  port: number,
  user: string,
  database: string,
): Promise<Side & { readonly close: () => Promise<void> }> {
  const client = new pg.Client({ host: '127.0.0.1', port, user, database });
  await client.connect();
  return {
    async run(sql, parameters, searchPath) {
      const path =
        searchPath.length === 0 ? '"$user", public' : searchPath.map((name) => `"${name}"`).join(', ');
      await client.query(`SET search_path = ${path}; SET application_name = 'test'`);
      const asText = { getTypeParser: () => (value: unknown) => value };
      const { fields, rows } = await client.query<(string | null)[]>({
        text: sql,
        values: [...parameters],
        rowMode: 'array',
        types: asText,
      });
      return {
        columns: fields.map(({ name, dataTypeID, dataTypeModifier }) => ({
          name,
          typeOid: dataTypeID,
          typeModifier: dataTypeModifier,
        })),
        rows,
      };
    },
    close: () => client.end(),
  };
}

/** Numbers of objects that the system has not, by what they are called. */
const OBJECTS = `
  SELECT oid::text, 'relation ' || oid::regclass FROM pg_class WHERE oid > 16383 AND relkind <> 't'
  UNION ALL SELECT oid::text, 'type ' || format_type(oid, NULL) FROM pg_type WHERE oid > 16383
  UNION ALL SELECT oid::text, 'schema ' || nspname FROM pg_namespace WHERE oid > 16383
  UNION ALL SELECT oid::text, 'constraint ' || conname FROM pg_constraint WHERE oid > 16383
  UNION ALL SELECT oid::text, 'role ' || rolname FROM pg_roles WHERE oid > 16383
  UNION ALL SELECT oid::text, 'database' FROM pg_database WHERE datname = current_database()`;

export async function objectNames({ run }: Side): Promise<ReadonlyMap<string, string>> {
  const { rows } = await run(OBJECTS, [], []);
  return new Map(rows.map(([oid, name]) => [oid ?? '', name ?? '']));
}

export function createAsk(
  side: Side,
  names: ReadonlyMap<string, string>,
): (statement: CapturedStatement) => Promise<Outcome> {
  const oids = new Map([...names].map(([oid, name]) => [name, oid]));
  const here = (text: string): string =>
    text.replace(/\{oid ([^}]*)\}/g, (_, name: string) => oids.get(`relation ${name}`) ?? '0');
  const cell = (text: string | null): string => {
    if (text === null) return 'NULL';
    const named = names.get(text);
    return named === undefined ? text : `<${named}>`;
  };
  return async ({ sql, parameters = [], searchPath = [] }) => {
    try {
      const { columns, rows } = await side.run(
        here(sql),
        parameters.map((value) => (value === null ? null : here(value))),
        searchPath,
      );
      return {
        columns: columns.map(({ name, typeOid, typeModifier }) => `${name} ${typeOid} ${typeModifier}`),
        rows: rows.map((row) => row.map(cell).join(' | ')).sort(),
      };
    } catch (error) {
      const code = error instanceof PgError ? error.fields.code : (error as { readonly code?: string }).code;
      return { columns: [], rows: [], error: `${code ?? ''} ${error instanceof Error ? error.message : ''}` };
    }
  };
}
