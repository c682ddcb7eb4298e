/** An engine over a table of more rows than a vector has, read by no network: only what DuckDB does with it counts. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bind } from '../../../src/binder/bind.ts';
import { parseParameters } from '../../../src/binder/parameters.ts';
import type { CatalogTable } from '../../../src/catalog/table.ts';
import { createDatabase } from '../../../src/execution/session/database.ts';
import { parse } from '../../../src/parser/parse.ts';
import { runPlan, testTable, type TestRun } from '../../execution/tables.ts';

const ROWS = 4_500;
/** The least that is left to DuckDB in a process among others. */
const MEMORY_MB = 96;

/** Text of a stored attribute, bytes: longer ones are a matter of reading, not of functions. */
const STORED = 2_000;

export async function openOrders() {
  const folder = await mkdtemp(join(tmpdir(), 'penstock-orders-'));
  const database = createDatabase({
    memoryMb: MEMORY_MB,
    tempDirectory: join(folder, 'spill'),
    tempMb: 1024,
    threads: 1,
  });
  const rows = Array.from({ length: ROWS }, (_, i) => [
    `o-${String(i).padStart(4, '0')}`,
    'a'.repeat(STORED) + String(i),
  ]);
  const table = testTable('orders', ['order_id', 'body'], rows);
  const types = { types: { S: ROWS }, integerDigits: 0, scale: 0, nested: [], distinctValues: 0 };
  const catalog: CatalogTable = {
    ...table.catalog,
    attributes: ['order_id', 'body'].map((name) => ({ name, ...types })),
    sampledItems: ROWS,
  };
  const known = { ...table, catalog };
  return {
    run: (sql: string, signal: AbortSignal): Promise<TestRun> =>
      runPlan(
        database,
        [known],
        bind(parse(sql), { sql, parameters: parseParameters(''), tables: () => catalog }).plan,
        { signal, pageRows: 1_500 },
      ),
    async close() {
      await database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
