/** Where in a statement an error is, and what to write instead, from what the error says. */
import type { CatalogTable } from '../../../../api/catalog.ts';
import type { Problem } from '../../../net/outcome.ts';

export interface ErrorPlace {
  /** Offsets in the statement, in UTF-16 code units. */
  readonly from: number;
  readonly to: number;
  /** What the place could say instead, the likeliest first. */
  readonly suggestions: readonly string[];
}

type NamedTable = Pick<CatalogTable, 'tableName' | 'sqlName'>;

const AT = /\bline (\d+), column (\d+)/;
const SUGGESTED = /did you mean ([^\n]+?)\?/i;
/** What is wrong as one thing: a name with its parts, a text, a number, or one sign. */
const THING = /(?:"(?:[^"]|"")*"|[\p{L}\p{N}_$])+|'(?:[^']|'')*'|\S/uy;

/** The place of such an error is the whole name's; the table is what is wrong with it. */
const TABLE = /: Table not found: /;
const SCHEMA = /(?:"(?:[^"]|"")*"|[\p{L}\p{N}_$-]+)\s*\.\s*/uy;

/** Length of the schema before a table's name, with its dot; 0 where there is none. */
function schemaBefore(sql: string, at: number): number {
  SCHEMA.lastIndex = at;
  return SCHEMA.exec(sql)?.[0].length ?? 0;
}

/** A table without a schema, of which the tenant has several. */
const NO_SCHEMA = /: Schema required for table: ([^\n;]+)/;

/** The tables of that name, with their schemas. */
function withSchema(said: string, tables: readonly NamedTable[]): readonly string[] {
  const asked = NO_SCHEMA.exec(said)?.[1]?.toLowerCase();
  return tables.flatMap(({ tableName, sqlName }) => (tableName.toLowerCase() === asked ? [sqlName] : []));
}

/**
 * @param offset where the statement begins in the text that is edited, where only a selection of it ran
 * @param tables that are known
 */
export function errorPlace(
  sql: string,
  { message, detail }: Problem,
  offset = 0,
  tables: readonly NamedTable[] = [],
): ErrorPlace | null {
  const said = detail ?? message;
  const [, line, column] = AT.exec(said) ?? [];
  if (line === undefined || column === undefined) return null;
  const from = offsetOf(sql, Number(line), Number(column));
  if (from === null) return null;
  const place = TABLE.test(said) ? from + schemaBefore(sql, from) : from;
  THING.lastIndex = place;
  const [thing = ''] = THING.exec(sql) ?? [];
  const suggested = SUGGESTED.exec(said)?.[1] ?? '';
  return {
    from: offset + place,
    to: offset + Math.max(place + thing.length, Math.min(place + 1, sql.length)),
    suggestions: suggested === '' ? withSchema(said, tables) : suggested.split(/, | or /),
  };
}

/** Lines and columns count from 1, columns in UTF-16 code units as here. */
function offsetOf(sql: string, line: number, column: number): number | null {
  const lines = sql.split('\n');
  const text = lines[line - 1];
  if (text === undefined) return null;
  const before = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
  return before + Math.min(column - 1, text.length);
}
