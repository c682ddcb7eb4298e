import type { DatabaseSync } from 'node:sqlite';
import type { BoundedKey } from '../index-keys.ts';

/**
 * Keeps items out of an index of dynoxide's that was made over them: those whose value for a key of it has another type,
 * is empty or too long. DynamoDB leaves them out while it fills the index (Developer Guide, "Detecting and correcting
 * index key violations"); dynoxide does so with values that are no scalars only. A trigger in its file goes on leaving
 * them out: dynoxide puts an item's entry in again when anything else of the item changes.
 */
export function leaveOutViolations(
  database: DatabaseSync,
  index: { readonly tableName: string; readonly indexName: string; readonly keys: readonly BoundedKey[] },
): void {
  const table = `${index.tableName}::gsi::${index.indexName}`;
  const violates = (entry: string): string =>
    index.keys.map((key) => `NOT EXISTS (${isIndexable(`${entry}item_json`, key)})`).join(' OR ');
  database.exec(
    `CREATE TRIGGER ${name(`${table}::violations`)} BEFORE INSERT ON ${name(table)} WHEN ${violates('NEW.')} ` +
      'BEGIN SELECT RAISE(IGNORE); END',
  );
  database.exec(`DELETE FROM ${name(table)} WHERE ${violates('')}`);
}

/** A subquery that has a row where the item's key attribute can be in the index. */
function isIndexable(item: string, { name: attribute, type, bytesMax }: BoundedKey): string {
  const value = `json_extract(value, '$.${type}')`;
  const bytes = {
    S: `length(CAST(${value} AS BLOB)) BETWEEN 1 AND ${bytesMax}`,
    B: `length(${value}) * 3 / 4 - (length(${value}) - length(rtrim(${value}, '='))) BETWEEN 1 AND ${bytesMax}`,
  };
  const fits = type === 'S' || type === 'B' ? ` AND ${bytes[type]}` : '';
  return `SELECT 1 FROM json_each(${item}) WHERE key = ${literal(attribute)} AND json_type(value, '$.${type}') = 'text'${fits}`;
}

const name = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
