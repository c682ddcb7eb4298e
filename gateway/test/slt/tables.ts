/**
 * Turns the corpus' CREATE TABLE and INSERT into DynamoDB tables and items: the product has no SQL write path. Only the
 * forms that the corpus uses are read; anything else is reported to the caller as not applicable.
 */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/** Partition key of tables that declare none; never named in a query, left out of `SELECT *` by the runner. */
export const SYNTHETIC_KEY = 'slt_row_id';

export interface SltTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly key: string;
  readonly items: Map<string, Record<string, AttributeValue>>;
}

const CREATE = /^CREATE\s+TABLE\s+(\w+)\s*\(([\s\S]*)\)$/i;
const COPY = /^INSERT\s+INTO\s+(\w+)\s+SELECT\s+\*\s+FROM\s+(\w+)$/i;
const INSERT = /^INSERT\s+INTO\s+(\w+)(?:\s*\(([^)]*)\))?\s*VALUES([\s\S]*)$/i;

/** Applies a statement to the tables. @returns null when done, else why it was skipped */
export function applyStatement(tables: Map<string, SltTable>, sql: string): string | null {
  const statement = sql.replace(/;\s*$/, '').trim();
  const create = CREATE.exec(statement);
  if (create !== null) return createTable(tables, create[1]!, create[2]!);
  const copy = COPY.exec(statement);
  if (copy !== null) return copyRows(tables, copy[1]!, copy[2]!);
  const insert = INSERT.exec(statement);
  if (insert !== null) return insertRows(tables, insert[1]!, insert[2], insert[3]!);
  if (/^(CREATE|DROP)\s+(UNIQUE\s+)?INDEX/i.test(sql)) return null;
  return `statement: ${sql.trim().split(/\s+/, 2).join(' ').toUpperCase()}`;
}

function createTable(tables: Map<string, SltTable>, name: string, body: string): string | null {
  const columns: string[] = [];
  let key = SYNTHETIC_KEY;
  for (const part of splitTopLevel(body)) {
    const [first = ''] = part.trim().split(/[\s(]+/);
    if (/^(PRIMARY|UNIQUE|CHECK|FOREIGN|CONSTRAINT)$/i.test(first)) continue;
    columns.push(first);
    if (/PRIMARY\s+KEY/i.test(part)) key = first;
  }
  tables.set(name.toLowerCase(), { name, columns, key, items: new Map() });
  return null;
}

function insertRows(
  tables: Map<string, SltTable>,
  name: string,
  columnList: string | undefined,
  values: string,
): string | null {
  const table = tables.get(name.toLowerCase());
  if (table === undefined) return 'INSERT into an unknown table';
  const columns = columnList?.split(',').map((c) => c.trim()) ?? table.columns;
  for (const row of splitTopLevel(values)) {
    const cells = splitTopLevel(row.trim().slice(1, -1)).map(literal);
    put(table, Object.fromEntries(columns.map((column, i) => [column, cells[i] ?? { NULL: true as const }])));
  }
  return null;
}

function copyRows(tables: Map<string, SltTable>, to: string, from: string): string | null {
  const [target, source] = [tables.get(to.toLowerCase()), tables.get(from.toLowerCase())];
  if (target === undefined || source === undefined) return 'INSERT into an unknown table';
  for (const item of source.items.values()) {
    put(target, Object.fromEntries(target.columns.map((column, i) => [column, item[source.columns[i]!]!])));
  }
  return null;
}

function put(table: SltTable, columns: Record<string, AttributeValue>): void {
  const key: Record<string, AttributeValue> =
    table.key === SYNTHETIC_KEY ? { [SYNTHETIC_KEY]: { N: String(table.items.size) } } : {};
  const item = { ...columns, ...key };
  table.items.set(JSON.stringify(item[table.key]), item);
}

/** NULL is stored as DynamoDB's NULL, so that the attribute is known even where it holds nothing else. */
function literal(text: string): AttributeValue {
  const trimmed = text.trim();
  if (/^null$/i.test(trimmed)) return { NULL: true };
  if (trimmed.startsWith("'")) return { S: trimmed.slice(1, -1).replaceAll("''", "'") };
  return { N: trimmed };
}

/** Splits at commas that are in no bracket and no string. */
function splitTopLevel(text: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i += 1) {
    const c = text[i];
    if (c === "'") quoted = !quoted;
    else if (quoted) continue;
    else if (c === '(') depth += 1;
    else if (c === ')') depth -= 1;
    else if (c === ',' && depth === 0) {
      parts.push(text.slice(start, i));
      start = i + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}
