/**
 * A tenant's tables in the worker's DuckDB: PostgreSQL's relations with the tenant's rows beside the system's. One file,
 * since whatever is made of a version of the tables is dropped with it, here.
 */
import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteName, quoteText } from '../binder/bound.ts';
import type { CatalogNames, CatalogRelation, LookupTable, SessionFacts } from '../binder/context.ts';
import { duckdbType, typeLabel } from '../binder/type-facts.ts';
import type { CatalogTables } from '../catalog.ts';
import { SEARCH_PATHS_KEPT_MAX } from '../limits.ts';
import type { SystemObjects } from '../system/objects.ts';
import { rowsOf, type SystemSchema } from '../system/read-system.ts';
import { createObjectIds } from '../tables/object-ids.ts';
import { quoteIdent } from '../tables/quote-ident.ts';
import { DATABASE_OID, OWNER_OID } from '../tables/roles.ts';
import {
  EVERYBODY,
  TENANT_RELATIONS,
  tenantDefinitions,
  tenantRows,
  type PhysicalFacts,
} from '../tables/tenant-rows.ts';
import { tenantObjects } from '../tables/tenant-tables.ts';
import {
  ACL_COLUMNS,
  CONSTRAINT_COLUMNS,
  INDEX_COLUMNS,
  NAME_COLUMNS,
  SIZE_COLUMNS,
  TYPE_NAME_COLUMNS,
} from './lookups.ts';
import { loadTable, type Cell, type TableColumn } from './load-rows.ts';
import { SYSTEM } from './load-system.ts';

export interface TenantCatalog {
  readonly version: string;
  /** Names as the session sees them; DuckDB gets what the search path makes of them. */
  readonly namesFor: (session: SessionFacts) => Promise<CatalogNames>;
  readonly drop: () => Promise<void>;
}

interface NamedObject {
  readonly oid: number;
  readonly name: string;
  readonly schema: string;
}

/** Lookups that have rows of the tenant's too. */
const OWN_LOOKUPS = [
  'index_definitions',
  'constraint_definitions',
  'relation_sizes',
  'relation_acls',
] as const;
const OF_PATH: ReadonlySet<LookupTable> = new Set(['relation_names', 'type_names']);

/** Schemas in the order in which unqualified names are looked for. */
function effectivePath({ searchPath }: SessionFacts): readonly string[] {
  return searchPath.includes('pg_catalog') ? searchPath : ['pg_catalog', ...searchPath];
}

/** OIDs that are found by their name alone. */
function visibleOids(objects: readonly NamedObject[], path: readonly string[]): ReadonlySet<number> {
  const first = new Map<string, { readonly place: number; readonly oid: number }>();
  for (const { oid, name, schema } of objects) {
    const place = path.indexOf(schema);
    const found = first.get(name);
    if (place >= 0 && (found === undefined || place < found.place)) first.set(name, { place, oid });
  }
  return new Set([...first.values()].map(({ oid }) => oid));
}

export async function loadTenant(
  connection: DuckDBConnection,
  system: SystemObjects,
  facts: PhysicalFacts,
  schema: string,
  tables: CatalogTables,
): Promise<TenantCatalog> {
  const objects = tenantObjects(tables);
  const rows = tenantRows(facts, objects);
  await connection.run(`CREATE SCHEMA ${schema}`);

  const union = async (
    name: string,
    columns: readonly TableColumn[],
    own: readonly (readonly Cell[])[],
  ): Promise<void> => {
    await loadTable(connection, `${schema}.own_${name}`, columns, own);
    await connection.run(
      `CREATE VIEW ${schema}.${name} AS SELECT * FROM ${SYSTEM}.${quoteName(name)} UNION ALL SELECT * FROM ${schema}.own_${name}`,
    );
  };
  for (const name of TENANT_RELATIONS) {
    const relation = system.relations.get(`pg_catalog.${name}`);
    const columns = (relation?.columns ?? []).map((column): TableColumn => ({
      name: column.name,
      type: duckdbType(system.types, column.type),
    }));
    await union(
      name,
      columns,
      rows[name].map((row) => columns.map((column) => row[column.name] ?? null)),
    );
  }
  const definitions = tenantDefinitions(objects);
  await union('index_definitions', INDEX_COLUMNS, definitions.indexes);
  await union('constraint_definitions', CONSTRAINT_COLUMNS, definitions.constraints);
  await union(
    'relation_sizes',
    SIZE_COLUMNS,
    objects.tables.flatMap((table): (readonly Cell[])[] => [
      [table.oid, table.sizeBytes, true],
      ...table.indexes.map(({ oid, sizeBytes }): readonly Cell[] => [oid, sizeBytes, false]),
    ]),
  );
  await union(
    'relation_acls',
    ACL_COLUMNS,
    objects.tables.map(({ oid }) => [oid, EVERYBODY]),
  );
  const schemas = new Map([
    ...system.schemas,
    ...objects.schemas.map(({ name, oid }) => [name, oid] as const),
  ]);
  await loadTable(
    connection,
    `${schema}.schema_names`,
    NAME_COLUMNS,
    [...schemas].map(([name, oid]) => [oid, quoteIdent(name), true, [name]]),
  );

  const relations: readonly NamedObject[] = [
    ...system.classes,
    ...objects.tables.flatMap(({ oid, name, schema: of, indexes }) => [
      { oid, name, schema: of },
      ...indexes.map((index) => ({ oid: index.oid, name: index.name, schema: of })),
    ]),
  ];
  const types: readonly NamedObject[] = [
    ...system.types.types.values(),
    ...objects.tables.flatMap(({ name, schema: of, rowTypeOid, arrayTypeOid }) => [
      { oid: rowTypeOid, name, schema: of },
      { oid: arrayTypeOid, name: `_${name}`, schema: of },
    ]),
  ];
  const rowTypes = new Map(objects.tables.map(({ rowTypeOid, arrayTypeOid }) => [arrayTypeOid, rowTypeOid]));
  const relationsByName = Map.groupBy(relations, ({ name }) => name);
  const typesByName = Map.groupBy(types, ({ name }) => name);
  const typesByOid = new Map(types.map((type) => [type.oid, type]));

  const find = (
    named: ReadonlyMap<string, readonly NamedObject[]>,
    path: readonly string[],
    of: string | null,
    name: string,
  ): number | null => {
    const found = named.get(name) ?? [];
    if (of !== null) return found.find((one) => one.schema === of)?.oid ?? null;
    const places = found
      .filter((one) => path.includes(one.schema))
      .toSorted((a, b) => path.indexOf(a.schema) - path.indexOf(b.schema));
    return places[0]?.oid ?? null;
  };

  /** The type's name as `format_type` gives it. */
  const formatted = (oid: number, visible: ReadonlySet<number>): string => {
    const type = typesByOid.get(oid);
    const element = rowTypes.get(oid);
    if (element !== undefined) return `${formatted(element, visible)}[]`;
    if (type === undefined) return '???';
    const known = system.types.types.get(oid);
    if (
      known !== undefined &&
      known.element !== 0 &&
      known.category === 'A' &&
      known.array === 0 &&
      known.oid !== 22 &&
      known.oid !== 30
    )
      return `${formatted(known.element, visible)}[]`;
    if (known?.schema === 'pg_catalog') return typeLabel(system.types, oid);
    const name = quoteIdent(type.name);
    return visible.has(oid) ? name : `${quoteIdent(type.schema)}.${name}`;
  };

  const paths = new Map<string, { readonly suffix: number }>();
  let suffixes = 0;
  const spellings = ({ name, schema: of }: NamedObject, isVisible: boolean): readonly string[] => {
    const qualified = [
      `${of}.${name}`,
      `${quoteIdent(of)}.${quoteIdent(name)}`,
      `${quoteName(of)}.${quoteName(name)}`,
    ];
    return [...new Set(isVisible ? [name, quoteIdent(name), quoteName(name), ...qualified] : qualified)];
  };

  /** Tables of names for a search path; the longest unused path gives way. */
  const namesOfPath = async (path: readonly string[]): Promise<number> => {
    const key = JSON.stringify(path);
    const known = paths.get(key);
    if (known !== undefined) {
      paths.delete(key);
      paths.set(key, known);
      return known.suffix;
    }
    const [oldest] = paths;
    if (oldest !== undefined && paths.size >= SEARCH_PATHS_KEPT_MAX) {
      paths.delete(oldest[0]);
      await connection.run(`DROP TABLE ${schema}.relation_names_${oldest[1].suffix}`);
      await connection.run(`DROP TABLE ${schema}.type_names_${oldest[1].suffix}`);
    }
    const suffix = ++suffixes;
    const visible = { relations: visibleOids(relations, path), types: visibleOids(types, path) };
    await loadTable(
      connection,
      `${schema}.relation_names_${suffix}`,
      NAME_COLUMNS,
      relations.map((one): readonly Cell[] => {
        const isVisible = visible.relations.has(one.oid);
        const bare = quoteIdent(one.name);
        return [
          one.oid,
          isVisible ? bare : `${quoteIdent(one.schema)}.${bare}`,
          isVisible,
          spellings(one, isVisible),
        ];
      }),
    );
    await loadTable(
      connection,
      `${schema}.type_names_${suffix}`,
      TYPE_NAME_COLUMNS,
      types.map((one): readonly Cell[] => {
        const isVisible = visible.types.has(one.oid);
        const name = formatted(one.oid, visible.types);
        return [one.oid, name, isVisible, [...new Set([...spellings(one, isVisible), name])], name];
      }),
    );
    paths.set(key, { suffix });
    return suffix;
  };

  return {
    version: tables.version,
    async namesFor(session) {
      const path = effectivePath(session);
      const suffix = await namesOfPath(path);
      const roles = rolesOf(system, session);
      const relation = (of: string | null, name: string): CatalogRelation | null => {
        const schemasToTry = of === null ? path : [of];
        for (const one of schemasToTry) {
          const found = system.relations.get(`${one}.${name}`);
          if (found !== undefined)
            return {
              ...found,
              schema: one as SystemSchema,
              ...(found.definition === undefined
                ? { table: tableSql(system, schema, session, roles, name) }
                : {}),
            };
        }
        return null;
      };
      const lookup = (name: LookupTable): string => {
        if (name.endsWith('_spellings')) {
          const names = lookup(name.replace('_spellings', '_names') as LookupTable);
          return `(SELECT s.oid, unnest(s.spellings) AS spelling FROM ${names} s)`;
        }
        if (OF_PATH.has(name)) return `${schema}.${name}_${suffix}`;
        if (name === 'role_names') return roleNames(roles);
        return name === 'schema_names' || OWN_LOOKUPS.some((own) => own === name)
          ? `${schema}.${name}`
          : `${SYSTEM}.${name}`;
      };
      return {
        relation,
        relationOid: (of, name) => find(relationsByName, path, of, name),
        schemaOid: (name) => schemas.get(name) ?? null,
        typeOid: (of, name) => find(typesByName, path, of, name),
        roles,
        functionOids: (of, name) =>
          (system.types.functions.get(name) ?? [])
            .filter((one) => (of === null ? path.includes(one.schema) : one.schema === of))
            .map(({ oid }) => oid),
        lookup: new Proxy({} as Record<LookupTable, string>, {
          get: (_, name) => lookup(name as LookupTable),
        }),
      };
    },
    drop: async () => {
      await connection.run(`DROP SCHEMA ${schema} CASCADE`);
    },
  };
}

/** PostgreSQL's own roles, and the session's user. */
function rolesOf({ catalog }: SystemObjects, { user }: SessionFacts): ReadonlyMap<string, number> {
  const own = rowsOf(catalog, 'pg_authid', ['rolname', 'oid']).map(
    ([name, oid]) => [name ?? '', Number(oid)] as const,
  );
  return new Map([[user, createObjectIds().of('role', user)] as const, ...own]);
}

const roleNames = (roles: ReadonlyMap<string, number>): string =>
  `(SELECT * FROM (VALUES ${[...roles].map(([name, oid]) => `(CAST(${oid} AS BIGINT), ${quoteText(quoteIdent(name))}, [${quoteText(name)}])`).join(', ')}) r(oid, name, spellings))`;

/** Where a relation's rows are; of database and roles some are the session's own. */
function tableSql(
  system: SystemObjects,
  schema: string,
  session: SessionFacts,
  roles: ReadonlyMap<string, number>,
  name: string,
): string {
  if (TENANT_RELATIONS.some((one) => one === name)) return `${schema}.${name}`;
  const row = OWN_ROWS[name]?.(session, roles);
  if (row === undefined) return `${SYSTEM}.${quoteName(name)}`;
  const columns = system.relations.get(`pg_catalog.${name}`)?.columns ?? [];
  const cells = columns.map(
    (column) =>
      `CAST(${row[column.name] ?? 'NULL'} AS ${duckdbType(system.types, column.type)}) AS ${quoteName(column.name)}`,
  );
  return `(SELECT * FROM ${SYSTEM}.${quoteName(name)} UNION ALL SELECT ${cells.join(', ')})`;
}

const OWN_ROWS: Readonly<Record<string, (session: SessionFacts, roles: ReadonlyMap<string, number>) => Readonly<Record<string, string>>>> = {
  pg_database: ({ database }) => ({
    oid: String(DATABASE_OID), datname: quoteText(database), datdba: String(OWNER_OID), encoding: '6', datlocprovider: "'c'", datistemplate: 'false', datallowconn: 'true', datconnlimit: '-1', datfrozenxid: '0', datminmxid: '0', dattablespace: '1663', datcollate: "'C.UTF-8'", datctype: "'C.UTF-8'",
  }),
  pg_authid: ({ user }, roles) => ({
    oid: String(roles.get(user) ?? 0), rolname: quoteText(user), rolsuper: 'false', rolinherit: 'true', rolcreaterole: 'false', rolcreatedb: 'false', rolcanlogin: 'true', rolreplication: 'false', rolbypassrls: 'false', rolconnlimit: '-1',
  }),
}; // prettier-ignore
