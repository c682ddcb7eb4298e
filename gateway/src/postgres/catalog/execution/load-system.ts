/** What every tenant sees alike, as tables in schema `sys`. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { arrayElements } from '../binder/literal.ts';
import { quoteName } from '../binder/bound.ts';
import { duckdbType, elementOf, isVector } from '../binder/type-facts.ts';
import type { SystemObjects } from '../system/objects.ts';
import { loadTable, type Cell, type TableColumn } from './load-rows.ts';
import { systemLookups } from './lookups.ts';

export const SYSTEM = 'sys';

/** A cell of the file as it is loaded. */
function cellOf({ types }: SystemObjects, type: number, text: string | null): Cell {
  if (text === null || elementOf(types, type) === 0) return text;
  return isVector(type) ? text.split(' ').filter(Boolean) : (arrayElements(text) ?? []);
}

export async function loadSystem(connection: DuckDBConnection, objects: SystemObjects): Promise<void> {
  await connection.run(`CREATE SCHEMA ${SYSTEM}`);
  for (const relation of objects.catalog.relations) {
    if (relation.values === undefined) continue;
    const columns = relation.columns.map(({ name, type }): TableColumn => ({
      name,
      type: duckdbType(objects.types, type),
    }));
    const { values } = relation;
    const count = values[0]?.length ?? 0;
    const rows = Array.from({ length: count }, (_, row) =>
      relation.columns.map(({ type }, i) => cellOf(objects, type, values[i]?.[row] ?? null)),
    );
    await loadTable(connection, `${SYSTEM}.${quoteName(relation.name)}`, columns, rows);
  }
  for (const { name, columns, rows } of systemLookups(objects))
    await loadTable(connection, `${SYSTEM}.${name}`, columns, rows);
}
