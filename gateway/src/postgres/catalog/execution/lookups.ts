/** Tables that functions look things up in by OID: names, definitions, sizes. */
import { rowsOf } from '../system/read-system.ts';
import type { SystemObjects } from '../system/objects.ts';
import { TYPE, type PgFunction } from '../system/types.ts';
import { typeLabel } from '../binder/type-facts.ts';
import type { LookupTable } from '../binder/context.ts';
import { quoteIdent } from '../tables/quote-ident.ts';
import type { Cell, TableColumn } from './load-rows.ts';

export interface Lookup {
  readonly name: LookupTable;
  readonly columns: readonly TableColumn[];
  readonly rows: readonly (readonly Cell[])[];
}

const oid: TableColumn = { name: 'oid', type: 'BIGINT' };
const text = (name: string): TableColumn => ({ name, type: 'VARCHAR' });
const truth = (name: string): TableColumn => ({ name, type: 'BOOLEAN' });
const texts = (name: string): TableColumn => ({ name, type: 'VARCHAR[]' });

/** Of relations and types, for one search path. */
export const NAME_COLUMNS: readonly TableColumn[] = [oid, text('name'), truth('visible'), texts('spellings')];
export const TYPE_NAME_COLUMNS: readonly TableColumn[] = [...NAME_COLUMNS, text('formatted')];
export const INDEX_COLUMNS: readonly TableColumn[] = [
  oid,
  text('definition'),
  // What stands before the table's name, whose table that is, and what stands after it.
  text('head'),
  { name: 'table_oid', type: 'BIGINT' },
  text('tail'),
  texts('columns'),
];
export const CONSTRAINT_COLUMNS: readonly TableColumn[] = [oid, text('definition')];
export const SIZE_COLUMNS: readonly TableColumn[] = [
  oid,
  { name: 'bytes', type: 'BIGINT' },
  truth('is_table'),
];
export const ACL_COLUMNS: readonly TableColumn[] = [oid, text('everybody')];

/** A name, with its schema where it is not found without. */
const shown = (schema: string, name: string): string =>
  schema === 'pg_catalog' ? quoteIdent(name) : `${quoteIdent(schema)}.${quoteIdent(name)}`;

/** Functions by themselves where no other has the name. */
function functionNames({ types }: SystemObjects): Lookup {
  const label = (type: number): string => typeLabel(types, type);
  const rows = [...types.functions.values()].flatMap((named: readonly PgFunction[]) =>
    named.map(({ oid: id, name, schema, arguments: args }): readonly Cell[] => {
      const isVisible = schema === 'pg_catalog';
      const unique = named.length === 1 && isVisible;
      const bare = unique ? quoteIdent(name) : `${quoteIdent(schema)}.${quoteIdent(name)}`;
      return [
        id,
        bare,
        isVisible,
        [name, `${schema}.${name}`],
        `${shown(schema, name)}(${args.map(label).join(',')})`,
      ];
    }),
  );
  return { name: 'function_names', columns: [...NAME_COLUMNS, text('signature')], rows };
}

function operatorNames({ catalog, types }: SystemObjects): Lookup {
  const label = (type: string | null | undefined): string =>
    Number(type) === 0 ? 'NONE' : typeLabel(types, Number(type));
  const all = rowsOf(catalog, 'pg_operator', ['oid', 'oprname', 'oprleft', 'oprright']);
  const counts = Map.groupBy(all, ([, name]) => name);
  const rows = all.map(([id, name, left, right]): readonly Cell[] => {
    const bare = (counts.get(name ?? null)?.length ?? 0) > 1 ? `pg_catalog.${name}` : (name ?? '');
    return [
      id ?? null,
      bare,
      true,
      [name ?? '', `pg_catalog.${name}`],
      `${name}(${label(left)},${label(right)})`,
    ];
  });
  return { name: 'operator_names', columns: [...NAME_COLUMNS, text('signature')], rows };
}

function named({ catalog }: SystemObjects, lookup: LookupTable, table: string, column: string): Lookup {
  const rows = rowsOf(catalog, table, ['oid', column]).map(([id, name]): readonly Cell[] => [
    id ?? null,
    quoteIdent(name ?? ''),
    true,
    [name ?? '', `pg_catalog.${name}`],
  ]);
  return { name: lookup, columns: NAME_COLUMNS, rows };
}

/** Columns of a system's index by its definition: they are plain names. */
const columnsOf = (definition: string): readonly string[] =>
  (/\(([^()]*)\)/.exec(definition)?.[1] ?? '').split(', ');

function sets({ catalog, types }: SystemObjects): readonly Lookup[] {
  const of = (name: LookupTable, functionName: string): Lookup => {
    const outputs = types.functions.get(functionName)?.[0]?.outputs ?? [];
    const typed = (type: number): string =>
      type === TYPE.bool
        ? 'BOOLEAN'
        : type === TYPE.int4
          ? 'INTEGER'
          : type === 1009
            ? 'VARCHAR[]'
            : 'VARCHAR';
    const columns = outputs.map((output) => ({ name: output.name, type: typed(output.type) }));
    const rows = (catalog.sets[functionName] ?? []).map((row) =>
      row.map((cell, i): Cell =>
        columns[i]?.type === 'VARCHAR[]' && cell !== null ? cell.slice(1, -1).split(',') : cell,
      ),
    );
    return { name, columns, rows };
  };
  return [of('settings', 'pg_show_all_settings'), of('time_zone_abbreviations', 'pg_timezone_abbrevs')];
}

function keywords({ catalog }: SystemObjects): Lookup {
  const columns = [
    text('word'),
    { name: 'catcode', type: 'VARCHAR' },
    truth('barelabel'),
    text('catdesc'),
    text('baredesc'),
  ];
  return { name: 'keywords', columns, rows: catalog.sets['pg_get_keywords'] ?? [] };
}

/** Definitions are `CREATE INDEX name ON schema.table USING method (columns)`. */
function indexRows({ catalog }: SystemObjects): readonly (readonly Cell[])[] {
  const tables = new Map(
    rowsOf(catalog, 'pg_index', ['indexrelid', 'indrelid']).map(([id, table]) => [Number(id), Number(table)]),
  );
  return catalog.texts.indexes.map(([id, definition]) => {
    const [head = '', rest = ''] = definition.split(/(?<= ON )/);
    const tail = rest.slice(rest.indexOf(' '));
    return [id, definition, head, tables.get(id) ?? 0, tail, columnsOf(definition)];
  });
}

/** The same for every tenant. */
export function systemLookups(objects: SystemObjects): readonly Lookup[] {
  const { catalog } = objects;
  const { texts: made } = catalog;
  const relationNames = new Map(
    objects.classes.map(({ oid: id, schema, name }) => [id, [schema, name] as const]),
  );
  const acls = rowsOf(catalog, 'pg_class', ['oid', 'relacl']).map(([id, acl]): readonly Cell[] => [
    id ?? null,
    /(?:^\{|,)=([a-zA-Z*]*)\//.exec(acl ?? '')?.[1] ?? '',
  ]);
  return [
    functionNames(objects),
    operatorNames(objects),
    named(objects, 'collation_names', 'pg_collation', 'collname'),
    named(objects, 'config_names', 'pg_ts_config', 'cfgname'),
    named(objects, 'dictionary_names', 'pg_ts_dict', 'dictname'),
    {
      name: 'index_definitions',
      columns: INDEX_COLUMNS,
      rows: indexRows(objects),
    },
    { name: 'constraint_definitions', columns: CONSTRAINT_COLUMNS, rows: made.constraints },
    {
      name: 'view_definitions',
      columns: [oid, text('definition'), text('pretty')],
      rows: made.views.map(([id, definition]) => [
        id,
        definition,
        objects.relations.get((relationNames.get(id) ?? []).join('.'))?.definition ?? null,
      ]),
    },
    {
      name: 'function_texts',
      columns: [oid, text('arguments'), text('identity'), text('result')],
      rows: made.functions,
    },
    { name: 'relation_sizes', columns: SIZE_COLUMNS, rows: [] },
    { name: 'relation_acls', columns: ACL_COLUMNS, rows: acls },
    keywords(objects),
    ...sets(objects),
  ];
}
