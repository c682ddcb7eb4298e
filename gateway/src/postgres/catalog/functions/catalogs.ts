/** Functions over the catalogs: what they say is looked up by OID. */
import { TYPE } from '../system/types.ts';
import { quoteText } from '../binder/bound.ts';
import { nameToOid } from '../binder/literal.ts';
import { coerce } from '../binder/coerce.ts';
import { typeLabel } from '../binder/type-facts.ts';
import { argument, lookUp, tableOf, type Call, type Implementation, type Implementations } from './call.ts';

const NONE = 'CAST(NULL AS VARCHAR)';

const definition =
  (table: 'index_definitions' | 'constraint_definitions' | 'view_definitions', column = 'definition') =>
  (call: Call): string =>
    lookUp(call, table, column, argument(call, 0));

const isVisible =
  (table: 'relation_names' | 'type_names' | 'function_names' | 'operator_names' | 'collation_names') =>
  (call: Call): string =>
    lookUp(call, table, 'visible', argument(call, 0));

/** Of all there is of that kind, pg_catalog's and nothing else is found without its schema. */
const inCatalog =
  (table: string) =>
  (call: Call): string => {
    const alias = call.context.budget.nextAlias('n');
    return `(SELECT true FROM ${tableOf(call, table)} ${alias} WHERE ${alias}.oid = ${argument(call, 0)})`;
  };

/** A description: of an object, of its catalog where that is named, and of its part. */
function description(
  call: Call,
  table: string,
  parts: { readonly catalog?: string; readonly part?: string },
): string {
  const alias = call.context.budget.nextAlias('d');
  const conditions = [`${alias}.objoid = ${argument(call, 0)}`];
  if (parts.catalog !== undefined) conditions.push(`${alias}.classoid = ${parts.catalog}`);
  if (parts.part !== undefined) conditions.push(`${alias}.objsubid = ${parts.part}`);
  return `(SELECT min(${alias}.description) FROM ${tableOf(call, table)} ${alias} WHERE ${conditions.join(' AND ')})`;
}

const catalogOid = (call: Call): string | undefined => {
  const name = call.given[1]?.literal;
  if (typeof name === 'string') return String(call.context.names.relationOid('pg_catalog', name) ?? 0);
  if (call.args[1] === undefined) return undefined;
  return coerce(call.context, call.args[1], TYPE.regclass, 'explicit').sql;
};

/** The OID of a name, NULL where there is none. */
const lookUpOid =
  (type: number): Implementation =>
  (call) => {
    const given = call.given[0];
    if (given?.literal === undefined)
      return coerce(
        call.context,
        {
          ...(given ?? call.args[0] ?? { type: TYPE.text, modifier: -1, at: -1 }),
          sql: argument(call, 0),
          type: TYPE.text,
        },
        type,
        'explicit',
      ).sql;
    const oid = given.literal === null ? null : nameToOid(call.context, given.literal, type, call.at);
    return `CAST(${oid ?? 'NULL'} AS BIGINT)`;
  };

/** The n-th column of an index alone, from 1; 0: all of its definition. */
function indexDefinition(call: Call): string {
  const oid = argument(call, 0);
  if (call.args.length < 2) return definition('index_definitions')(call);
  const column = argument(call, 1);
  const pretty = call.args[2]?.sql === 'true';
  return `CASE WHEN ${column} = 0 THEN ${pretty ? prettyIndex(call, oid) : definition('index_definitions')(call)} ELSE ${lookUp(call, 'index_definitions', `columns[${column}]`, oid)} END`;
}

/** With the table's schema only where the search path needs it. */
function prettyIndex(call: Call, oid: string): string {
  const [index, name] = [call.context.budget.nextAlias('n'), call.context.budget.nextAlias('n')];
  const { lookup } = call.context.names;
  return `(SELECT ${index}.head || ${name}.name || ${index}.tail FROM ${lookup.index_definitions} ${index} JOIN ${lookup.relation_names} ${name} ON ${name}.oid = ${index}.table_oid WHERE ${index}.oid = ${oid})`;
}

/** Bytes of a table or an index, as DynamoDB tells. */
const size: Implementation = (call) =>
  `coalesce(${lookUp(call, 'relation_sizes', 'bytes', argument(call, 0))}, 0)`;

const ACL_DEFAULTS: Readonly<Record<string, string>> = {
  r: 'arwdDxt', s: 'rwU', d: 'CTc', f: 'X', l: 'U', L: 'rw', n: 'UC', p: 'sA', t: 'C', F: 'U', S: 'U', T: 'U', c: '',
}; // prettier-ignore
/** What everybody may without being granted it. */
const PUBLIC_DEFAULTS: Readonly<Record<string, string>> = { d: 'Tc', f: 'X', l: 'U', T: 'U' };

function aclDefault(call: Call): string {
  const owner = userName(call, argument(call, 1));
  const cases = Object.entries(ACL_DEFAULTS).map(([kind, rights]) => {
    const everybody = PUBLIC_DEFAULTS[kind];
    const items = [
      ...(everybody === undefined ? [] : [`'=${everybody}/' || ${owner}`]),
      `${owner} || '=${rights}/' || ${owner}`,
    ];
    return `WHEN '${kind}' THEN [${items.join(', ')}]`;
  });
  return `CASE ${argument(call, 0)} ${cases.join(' ')} END`;
}

const PRIVILEGES: Readonly<Record<string, string>> = {
  a: 'INSERT', r: 'SELECT', w: 'UPDATE', d: 'DELETE', D: 'TRUNCATE', x: 'REFERENCES', t: 'TRIGGER', X: 'EXECUTE', U: 'USAGE', C: 'CREATE', T: 'TEMPORARY', c: 'CONNECT', s: 'SET', A: 'ALTER SYSTEM',
}; // prettier-ignore

/** Roles are few: their OIDs stand in the statement, since DuckDB allows no subquery where lists are transformed. */
const roleOid = (call: Call, sql: string): string => {
  const cases = [...call.context.names.roles].map(([name, oid]) => `WHEN ${quoteText(name)} THEN ${oid}`);
  return `CAST(CASE ${sql} ${cases.join(' ')} ELSE 0 END AS BIGINT)`;
};

export function userName(call: Call, sql: string): string {
  const cases = [...call.context.names.roles].map(([name, oid]) => `WHEN ${oid} THEN ${quoteText(name)}`);
  return `CASE ${sql} ${cases.join(' ')} WHEN NULL THEN NULL ELSE 'unknown (OID=' || CAST(${sql} AS VARCHAR) || ')' END`;
}

function aclExplode(call: Call): {
  readonly sql: string;
  readonly fields: readonly { name: string; type: number; modifier: number }[];
} {
  const rights = "regexp_extract_all(regexp_extract(a, '=([^/]*)/', 1), '[a-zA-Z]\\*?')";
  const names = Object.entries(PRIVILEGES).map(([letter, name]) => `WHEN '${letter}' THEN '${name}'`);
  const grantor = roleOid(call, "split_part(a, '/', 2)");
  const grantee = roleOid(call, "split_part(a, '=', 1)");
  const row = `{'f1': ${grantor}, 'f2': ${grantee}, 'f3': CASE p[1] ${names.join(' ')} END, 'f4': contains(p, '*')}`;
  return {
    sql: `flatten(list_transform(${argument(call, 0)}, lambda a: list_transform(${rights}, lambda p: ${row})))`,
    fields: [
      { name: 'grantor', type: TYPE.oid, modifier: -1 },
      { name: 'grantee', type: TYPE.oid, modifier: -1 },
      { name: 'privilege_type', type: TYPE.text, modifier: -1 },
      { name: 'is_grantable', type: TYPE.bool, modifier: -1 },
    ],
  };
}

function optionsToTable(call: Call): {
  readonly sql: string;
  readonly fields: readonly { name: string; type: number; modifier: number }[];
} {
  return {
    sql: `list_transform(${argument(call, 0)}, lambda o: {'f1': split_part(o, '=', 1), 'f2': CASE WHEN contains(o, '=') THEN o[instr(o, '=') + 1:] END})`,
    fields: [
      { name: 'option_name', type: TYPE.text, modifier: -1 },
      { name: 'option_value', type: TYPE.text, modifier: -1 },
    ],
  };
}

export const CATALOG_FUNCTIONS: Implementations = {
  pg_get_userbyid: (call) => userName(call, argument(call, 0)),
  pg_get_expr: '$1',
  pg_get_indexdef: indexDefinition,
  pg_get_constraintdef: definition('constraint_definitions'),
  pg_get_viewdef: (call) =>
    definition('view_definitions', call.args[1] === undefined ? 'definition' : 'pretty')(call),
  pg_get_ruledef: NONE,
  pg_get_triggerdef: NONE,
  pg_get_partkeydef: NONE,
  pg_get_partition_constraintdef: NONE,
  pg_get_statisticsobjdef: NONE,
  pg_get_statisticsobjdef_columns: NONE,
  pg_get_statisticsobjdef_expressions: 'CAST(NULL AS VARCHAR[])',
  pg_get_serial_sequence: NONE,
  pg_get_functiondef: NONE,
  pg_get_function_sqlbody: NONE,
  pg_get_function_arg_default: NONE,
  pg_get_function_arguments: (call) => lookUp(call, 'function_texts', 'arguments', argument(call, 0)),
  pg_get_function_identity_arguments: (call) => lookUp(call, 'function_texts', 'identity', argument(call, 0)),
  pg_get_function_result: (call) => lookUp(call, 'function_texts', 'result', argument(call, 0)),
  pg_get_replica_identity_index: 'CAST(NULL AS BIGINT)',
  pg_table_is_visible: isVisible('relation_names'),
  pg_type_is_visible: isVisible('type_names'),
  pg_function_is_visible: isVisible('function_names'),
  pg_operator_is_visible: isVisible('operator_names'),
  pg_collation_is_visible: isVisible('collation_names'),
  pg_conversion_is_visible: inCatalog('pg_conversion'),
  pg_opclass_is_visible: inCatalog('pg_opclass'),
  pg_opfamily_is_visible: inCatalog('pg_opfamily'),
  pg_statistics_obj_is_visible: inCatalog('pg_statistic_ext'),
  pg_ts_config_is_visible: inCatalog('pg_ts_config'),
  pg_ts_dict_is_visible: inCatalog('pg_ts_dict'),
  pg_ts_parser_is_visible: inCatalog('pg_ts_parser'),
  pg_ts_template_is_visible: inCatalog('pg_ts_template'),
  obj_description: (call) => {
    const catalog = catalogOid(call);
    return description(call, 'pg_description', { ...(catalog === undefined ? {} : { catalog }), part: '0' });
  },
  col_description: (call) =>
    description(call, 'pg_description', { catalog: '1259', part: argument(call, 1) }),
  shobj_description: (call) => {
    const catalog = catalogOid(call);
    return description(call, 'pg_shdescription', catalog === undefined ? {} : { catalog });
  },
  to_regclass: lookUpOid(TYPE.regclass),
  to_regtype: lookUpOid(TYPE.regtype),
  to_regproc: lookUpOid(TYPE.regproc),
  to_regprocedure: lookUpOid(TYPE.regprocedure),
  to_regnamespace: lookUpOid(TYPE.regnamespace),
  to_regrole: lookUpOid(TYPE.regrole),
  regclass: lookUpOid(TYPE.regclass),
  pg_typeof: (call) => `CAST(${call.given[0]?.type ?? 0} AS BIGINT)`,
  pg_tablespace_location: "''",
  pg_relation_size: size,
  pg_table_size: size,
  pg_total_relation_size: size,
  pg_indexes_size: 'CAST(0 AS BIGINT)',
  pg_database_size: (call) => {
    const alias = call.context.budget.nextAlias('n');
    return `(SELECT coalesce(sum(${alias}.bytes), 0)::BIGINT FROM ${call.context.names.lookup.relation_sizes} ${alias} WHERE ${alias}.is_table)`;
  },
  pg_tablespace_size: 'CAST(0 AS BIGINT)',
  pg_column_size: 'CAST(strlen(CAST($1 AS VARCHAR)) AS INTEGER)',
  pg_relation_is_publishable: 'false',
  pg_relation_is_updatable: 'CAST(0 AS INTEGER)',
  pg_column_is_updatable: 'false',
  pg_relation_filenode: 'CAST(NULL AS BIGINT)',
  pg_relation_filepath: NONE,
  pg_collation_for: NONE,
  pg_index_column_has_property: (call) => {
    const name = call.given[2]?.literal;
    return ['asc', 'nulls_last', 'orderable', 'search_array', 'search_nulls', 'returnable'].includes(
      name ?? '',
    )
      ? 'true'
      : 'false';
  },
  pg_index_has_property: 'false',
  pg_indexam_has_property: "$2 IN ('can_order', 'can_unique', 'can_multi_col', 'can_include')",
  pg_describe_object: NONE,
  acldefault: aclDefault,
  aclexplode: aclExplode,
  pg_options_to_table: optionsToTable,
  pg_get_multixact_members: NONE,
  pg_sequence_last_value: 'CAST(NULL AS BIGINT)',
  age: 'CAST(1 AS INTEGER)',
  mxid_age: 'CAST(1 AS INTEGER)',
};

/** The type by its SQL name, for pg_typeof of what has no row. */
export const typeName = (call: Call, type: number): string => quoteText(typeLabel(call.context.system, type));
