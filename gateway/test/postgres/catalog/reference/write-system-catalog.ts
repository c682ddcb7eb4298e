/**
 * Writes gateway/src/postgres/catalog/system/postgres-15.json.br from a fresh PostgreSQL 15:
 *
 *     node gateway/test/postgres/catalog/reference/write-system-catalog.ts
 *
 * It holds what is the same in every database: rows of the system's relations, definitions of its views, and texts that
 * PostgreSQL makes from its own trees (pg_get_indexdef and the like), so that nothing of these needs to be computed.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { startReferenceServer, type ReferenceServer } from './server.ts';

const TARGET = join(import.meta.dirname, '../../../../src/postgres/catalog/system/postgres-15.json.br');

/** What differs from server to server, or is of use to the server alone. */
const WITHOUT_ROWS = new Set([
  'pg_statistic',
  'pg_rewrite',
  'pg_largeobject',
  'pg_database',
  'pg_shdepend',
  'pg_depend',
  'pg_init_privs',
  'pg_statistic_ext_data',
  'pg_parameter_acl',
]);

/** Roles see this much of the settings without being superusers. */
const READER = 'reader';

interface ColumnDump {
  readonly name: string;
  readonly type: number;
  readonly modifier: number;
  readonly notNull: boolean;
}

interface RelationDump {
  readonly schema: string;
  readonly name: string;
  readonly columns: readonly ColumnDump[];
  /** By column. Arrays and others as PostgreSQL prints them. */
  readonly values?: readonly (readonly (string | null)[])[];
  /** Of a view. */
  readonly definition?: string;
}

const REG_TYPES = new Set(['regproc', 'regprocedure', 'regoper', 'regoperator', 'regclass', 'regtype', 'regrole', 'regnamespace', 'regconfig', 'regdictionary', 'regcollation']); // prettier-ignore

const EXPRESSION_OWNERS: Readonly<Record<string, string>> = {
  pg_attrdef: 'adrelid',
  pg_constraint: 'conrelid',
  pg_index: 'indrelid',
  pg_policy: 'polrelid',
};

async function json<T>({ query }: ReferenceServer, sql: string, role?: string): Promise<T> {
  return JSON.parse(await query(sql, role)) as T;
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** OIDs as numbers, trees as the expressions that they stand for. */
function valueSql(
  relation: string,
  { name, typeName }: { readonly name: string; readonly typeName: string },
): string {
  const column = quoted(name);
  if (REG_TYPES.has(typeName)) return `${column}::oid::text`;
  if (typeName !== 'pg_node_tree') return `${column}::text`;
  // A statement, not an expression.
  if (name === 'prosqlbody') return 'NULL::text';
  const owner = EXPRESSION_OWNERS[relation];
  return `pg_get_expr(${column}, ${owner ?? '0'})`;
}

interface RelationRow {
  readonly schema: string;
  readonly name: string;
  readonly kind: string;
  readonly definition: string | null;
  readonly columns: readonly (ColumnDump & { readonly typeName: string })[];
}

async function dumpRelation(server: ReferenceServer, row: RelationRow): Promise<RelationDump> {
  const { schema, name, definition } = row;
  const columns = row.columns.map(({ typeName: _, ...column }) => column);
  if (definition !== null) return { schema, name, columns, definition };
  if (WITHOUT_ROWS.has(name)) return { schema, name, columns, values: columns.map(() => []) };
  const values = await json<(string | null)[][]>(
    server,
    `SELECT json_build_array(${row.columns
      .map((column) => `coalesce(json_agg(${valueSql(name, column)} ORDER BY t.ctid), '[]')`)
      .join(', ')}) FROM ${quoted(schema)}.${quoted(name)} t`,
  );
  return { schema, name, columns, values };
}

const RELATIONS = `
  SELECT json_agg(json_build_object('schema', n.nspname, 'name', c.relname, 'kind', c.relkind,
    'definition', CASE c.relkind WHEN 'v' THEN pg_get_viewdef(c.oid, true) END,
    'columns', (SELECT json_agg(json_build_object('name', a.attname, 'type', a.atttypid::int8, 'modifier', a.atttypmod,
        'notNull', a.attnotnull, 'typeName', t.typname) ORDER BY a.attnum)
      FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped)) ORDER BY n.nspname DESC, c.relname)
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname IN ('pg_catalog', 'information_schema') AND c.relkind IN ('r', 'v')`;

/** Texts by OID. */
const TEXTS: Readonly<Record<string, string>> = {
  functions: `SELECT json_agg(json_build_array(oid::int8, pg_get_function_arguments(oid),
    pg_get_function_identity_arguments(oid), pg_get_function_result(oid)) ORDER BY oid) FROM pg_proc`,
  indexes: `SELECT json_agg(json_build_array(indexrelid::int8, pg_get_indexdef(indexrelid)) ORDER BY indexrelid) FROM pg_index`,
  constraints: `SELECT json_agg(json_build_array(oid::int8, pg_get_constraintdef(oid, true)) ORDER BY oid) FROM pg_constraint`,
  views: `SELECT json_agg(json_build_array(oid::int8, pg_get_viewdef(oid)) ORDER BY oid) FROM pg_class WHERE relkind = 'v'`,
};

/** Sets that functions give, which views read: rows of arrays of texts. */
const SETS: Readonly<Record<string, string>> = {
  // What this server was told at its start is none of any other's.
  pg_show_all_settings: `SELECT (s).* FROM (SELECT jsonb_populate_record(a, CASE WHEN a.source IN ('command line', 'configuration file')
    THEN jsonb_build_object('setting', a.boot_val, 'reset_val', a.boot_val, 'source', 'default') ELSE '{}' END) s
    FROM pg_settings a) t`,
  pg_timezone_abbrevs: 'SELECT * FROM pg_timezone_abbrevs()',
  pg_get_keywords: 'SELECT * FROM pg_get_keywords()',
};

async function main(): Promise<void> {
  const server = await startReferenceServer();
  try {
    await server.query(`CREATE ROLE ${READER} LOGIN`);
    const sets: Record<string, unknown> = {};
    for (const [name, sql] of Object.entries(SETS)) {
      const columns = await json<string[]>(
        server,
        `SELECT to_json(proargnames) FROM pg_proc WHERE proname = '${name}'`,
      );
      const cells = columns.map((column) => `${quoted(column)}::text`).join(', ');
      sets[name] = await json(server, `SELECT json_agg(json_build_array(${cells})) FROM (${sql}) t`, READER);
    }
    await server.query(`DROP ROLE ${READER}`);
    const relations: RelationDump[] = [];
    for (const row of await json<RelationRow[]>(server, RELATIONS))
      relations.push(await dumpRelation(server, row));
    const texts: Record<string, unknown> = {};
    for (const [name, sql] of Object.entries(TEXTS)) texts[name] = await json(server, sql);
    const version = (await server.query('SHOW server_version')).trim().split(' ')[0];
    const text = JSON.stringify({ version, relations, texts, sets });
    const compressed = brotliCompressSync(text, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 11,
        [constants.BROTLI_PARAM_LGWIN]: 24,
        [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
      },
    });
    await writeFile(TARGET, compressed);
    process.stdout.write(
      `${relations.length} relations, ${text.length} bytes, compressed ${compressed.length}\n`,
    );
  } finally {
    await server.stop();
  }
}

await main();
