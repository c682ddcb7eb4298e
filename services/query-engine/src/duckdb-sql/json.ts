/** Values as JSON text: exact digits, no detour through a double. */
import { MixedKind } from './macros.ts';
import { given } from './named.ts';
import { toText } from './types/convert.ts';
import { JSON_TYPE, type Typed } from './types/sql-type.ts';

/** `made` of the value; one that is an expression is written once, so that steps into steps do not double it each. */
export function once(sql: string, made: (value: string) => string): string {
  return /^[\w.]+$/.test(sql) ? made(sql) : given('d', sql, made('d'));
}

/** JSON pointer to what lies at these names and places: it takes any name (RFC 6901). */
export const jsonPointer = (...path: readonly (string | number)[]): string =>
  path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** JSON text to step into; NULL of what is no document, as a step into a value that has no parts is. */
export function documentText({ sql, type }: Typed): string {
  if (type.kind === 'json') return sql;
  if (type.kind === 'mixed')
    return once(sql, (d) => `CASE WHEN (${d}).k = ${MixedKind.JSON} THEN (${d}).t END`);
  return type.kind === 'text'
    ? once(sql, (d) => `CASE WHEN ps_is_json(${d}) THEN ${d} END`)
    : 'NULL::VARCHAR';
}

/** JSON text to step into, where a text that is JSON is a document also in a mixed column. */
export function anyDocumentText(value: Typed): string {
  const { sql, type } = value;
  if (type.kind !== 'mixed') return documentText(value);
  const { JSON: document, TEXT } = MixedKind;
  return once(
    sql,
    (d) =>
      `CASE WHEN (${d}).k = ${document} OR ((${d}).k = ${TEXT} AND ps_is_json((${d}).t)) THEN (${d}).t END`,
  );
}

/** A document as JSON text. Text that is none fails where it is read; of a mixed column, what is no document is NULL. */
export function documentOf(value: Typed): Typed {
  return { sql: value.type.kind === 'mixed' ? documentText(value) : toText(value).sql, type: JSON_TYPE };
}

/** JSON text of a value; SQL NULL where the value is NULL. */
export function jsonText(value: Typed): string {
  switch (value.type.kind) {
    case 'integer':
    case 'boolean':
    case 'decimal':
    case 'double':
    case 'json':
      return toText(value).sql;
    case 'mixed':
      return `ps_json_of_mixed(${value.sql})`;
    case 'null':
    case 'text':
    case 'binary':
    case 'temporal':
    case 'row':
      return `ps_json_of_text(${toText(value).sql})`;
  }
}

/** Elements, joined by commas, as a JSON array. */
export const inBrackets = (text: string): string => `('[' || ${text} || ']')`;

/** A list of DuckDB's as a JSON array; `made` is the JSON of an element. NULL where the list is. */
export function jsonArray(list: string, made: (element: string) => string): string {
  const elements = `list_transform(${list}, lambda e: coalesce(${made('e')}, 'null'))`;
  return inBrackets(`array_to_string(${elements}, ',')`);
}
