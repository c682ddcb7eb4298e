import type { DatabaseSync } from 'node:sqlite';
import { objects, type Fields } from '../input.ts';

/** The key schema of an index that the store knows the first attributes of only. */
export interface WholeKeys {
  readonly indexName: string;
  readonly keySchema: readonly Fields[];
}

/**
 * Writes whole key schemas into what dynoxide keeps of a table: its UpdateTable takes two key attributes at most,
 * while its CreateTable takes eight. It remembers what it read of its file, so it has to be restarted then.
 */
export function keepSeveralKeys(
  database: DatabaseSync,
  tableName: string,
  indexes: readonly WholeKeys[],
  attributeDefinitions: readonly Fields[],
): void {
  const row = database
    .prepare(
      'SELECT gsi_definitions AS indexes, attribute_definitions AS attributes FROM _tables WHERE table_name = ?',
    )
    .get(tableName);
  const kept = objects({ list: JSON.parse(String(row?.['indexes'])) }, 'list').map((one) => {
    const whole = indexes.find(({ indexName }) => indexName === one['IndexName']);
    return whole === undefined ? one : { ...one, KeySchema: whole.keySchema };
  });
  const used = new Set(
    indexes.flatMap(({ keySchema }) => keySchema.map(({ AttributeName }) => AttributeName)),
  );
  const known = objects({ list: JSON.parse(String(row?.['attributes'])) }, 'list');
  const added = attributeDefinitions.filter(
    ({ AttributeName }) =>
      used.has(AttributeName) && !known.some((one) => one['AttributeName'] === AttributeName),
  );
  database
    .prepare('UPDATE _tables SET gsi_definitions = ?, attribute_definitions = ? WHERE table_name = ?')
    .run(JSON.stringify(kept), JSON.stringify([...known, ...added]), tableName);
}
