/** Values as PostgreSQL prints them. */
import { TYPE } from '../system/types.ts';
import { quoteText, type Bound, type Field } from './bound.ts';
import type { BindContext, LookupTable } from './context.ts';
import { baseType, duckdbType, elementOf, isVector } from './type-facts.ts';

/** Where the name of an OID stands. */
export const NAMES_OF: ReadonlyMap<number, LookupTable> = new Map([
  [TYPE.regclass, 'relation_names'],
  [TYPE.regtype, 'type_names'],
  [TYPE.regproc, 'function_names'],
  [TYPE.regoper, 'operator_names'],
  [TYPE.regnamespace, 'schema_names'],
  [TYPE.regrole, 'role_names'],
  [TYPE.regcollation, 'collation_names'],
  [TYPE.regconfig, 'config_names'],
  [TYPE.regdictionary, 'dictionary_names'],
]);

/** The name of an object by its OID; where there is none, the number; of 0 a dash. */
function nameOf(context: BindContext, sql: string, type: number): string {
  const isSigned = type === TYPE.regprocedure || type === TYPE.regoperator;
  const table = NAMES_OF.get(
    type === TYPE.regprocedure ? TYPE.regproc : type === TYPE.regoperator ? TYPE.regoper : type,
  );
  if (table === undefined) return `CAST(${sql} AS VARCHAR)`;
  const alias = context.budget.nextAlias('n');
  const name = `(SELECT ${alias}.${isSigned ? 'signature' : 'name'} FROM ${context.names.lookup[table]} ${alias} WHERE ${alias}.oid = ${sql})`;
  const zero = isSigned ? '0' : '-';
  return `CASE ${sql} WHEN 0 THEN '${zero}' ELSE coalesce(${name}, CAST(${sql} AS VARCHAR)) END`;
}

/** The shortest text that reads as the same number; DuckDB says 1.0 where PostgreSQL says 1. */
const floatText = (sql: string): string =>
  `regexp_replace(replace(replace(CAST(${sql} AS VARCHAR), 'inf', 'Infinity'), 'nan', 'NaN'), '\\.0(e|$)', '\\1')`;

const numericText = (sql: string): string => `CAST(${sql} AS VARCHAR)`;

const SPECIAL = quoteText('^$|[{},"\\\\\\s]|^(?i:null)$');

/** An element inside of braces. */
const braced = (sql: string): string =>
  `CASE WHEN ${sql} IS NULL THEN 'NULL' WHEN regexp_matches(${sql}, ${SPECIAL}) THEN '"' || replace(replace(${sql}, '\\', '\\\\'), '"', '\\"') || '"' ELSE ${sql} END`;

function listText(context: BindContext, sql: string, type: number): string {
  const { system } = context;
  const element = elementOf(system, type);
  const item = `CAST(v AS VARCHAR)`;
  if (isVector(type)) return `array_to_string(list_transform(${sql}, lambda v: ${item}), ' ')`;
  const textual = duckdbType(system, element) === 'VARCHAR';
  const simple = element === TYPE.bool ? "CASE WHEN v THEN 't' WHEN NOT v THEN 'f' END" : item;
  const shown = element === TYPE.float8 || element === TYPE.float4 ? floatText('v') : simple;
  const cells = `list_transform(${sql}, lambda v: ${textual ? braced('v') : `coalesce(${shown}, 'NULL')`})`;
  return `'{' || array_to_string(${cells}, ',') || '}'`;
}

function recordText(context: BindContext, sql: string, fields: readonly Field[]): string {
  const special = quoteText('^$|[(),"\\\\\\s]');
  const cells = fields.map((field, i) => {
    const { name: _, ...typed } = field;
    const text = textOf(context, { ...typed, sql: `struct_extract(${sql}, 'f${i + 1}')`, at: -1 });
    return `coalesce(CASE WHEN regexp_matches(${text}, ${special}) THEN '"' || replace(replace(${text}, '\\', '\\\\'), '"', '""') || '"' ELSE ${text} END, '')`;
  });
  return `CASE WHEN ${sql} IS NOT NULL THEN '(' || ${cells.join(" || ',' || ")} || ')' END`;
}

const SECONDS = "'%Y-%m-%d %H:%M:%S'";

/** With as many digits after the second as it needs. */
const timestampText = (sql: string): string =>
  `strftime(${sql}, ${SECONDS}) || rtrim(rtrim(strftime(${sql}, '.%f'), '0'), '.')`;

/** The value's text, as a result in text format has it. */
export function textOf(context: BindContext, bound: Bound): string {
  const { sql } = bound;
  const type = baseType(context.system, bound.type)?.oid ?? bound.type;
  if (bound.fields !== undefined && type === TYPE.record) return recordText(context, sql, bound.fields);
  switch (type) {
    case TYPE.bool:
      return `CASE WHEN ${sql} THEN 't' WHEN NOT ${sql} THEN 'f' END`;
    case TYPE.float4:
    case TYPE.float8:
      return floatText(sql);
    case TYPE.numeric:
      return numericText(sql);
    case TYPE.timestamp:
      return timestampText(sql);
    case TYPE.timestamptz:
      return `${timestampText(sql)} || '+00'`;
    default:
  }
  if (NAMES_OF.has(type) || type === TYPE.regprocedure || type === TYPE.regoperator)
    return nameOf(context, sql, type);
  if (elementOf(context.system, type) !== 0) return listText(context, sql, type);
  return duckdbType(context.system, type) === 'VARCHAR' ? sql : `CAST(${sql} AS VARCHAR)`;
}
