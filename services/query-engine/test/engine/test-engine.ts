/** The whole engine over tables in the local AWS endpoint, its queries in a worker; only the registry is played. */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { CatalogTable } from '../../src/catalog/table.ts';
import { toHostTable, type HostTable } from '../../src/clients/host-tables.ts';
import type { TableSource } from '../../src/clients/checked-tables.ts';
import { startTestAws } from '../dynamodb/aws.ts';
import { tableMessage } from '../host/table-message.ts';
import { startTestHost, type HostedAnswer, type HostedQuery, type TestHost } from '../host/test-host.ts';
import { createTable } from './create-table.ts';

export type TestItem = Readonly<Record<string, AttributeValue>>;

export interface EngineTable {
  readonly catalog: CatalogTable;
  readonly items: readonly TestItem[];
}

export type TestQuery = Omit<HostedQuery, 'tenantId'>;
export type TestAnswer = HostedAnswer;

const foldCase = (name: string): string => name.toLowerCase();

export type TestEngine = Awaited<ReturnType<typeof startTestEngine>>;

/** `views`: other descriptions of these tables, under schema names of their own. */
export async function startTestEngine(tables: readonly EngineTable[], views: readonly CatalogTable[] = []) {
  const aws = await startTestAws();
  for (const { catalog, items } of tables) await createTable(aws.client, catalog, items);
  await aws.clear();
  const known = [...tables.map(({ catalog }) => catalog), ...views];
  const resolve: TableSource<HostTable>['resolve'] = async (_, references) =>
    references.map(({ schema, table }) => {
      const found = known.find(
        ({ tableName, schemaName }) =>
          foldCase(tableName) === foldCase(table) &&
          (schema === null || foldCase(schemaName) === foldCase(schema)),
      );
      if (found !== undefined) return { kind: 'table', table: toHostTable(tableMessage(found)) };
      const message = `Table not found: ${schema}.${table}`;
      return { kind: 'error', error: new PenstockError('TABLE_NOT_FOUND', message) };
    });
  const { endpoint, accountId } = aws;
  const host = await startTestHost({ endpoint, accountId, resolve });
  /** Its tables are scanned whole. */
  let scanning: Promise<TestHost> | null = null;

  return {
    aws,
    /** The worker that its queries run in, and those that had to be ended. */
    worker: () => host.pool.workers[0]!.worker,
    deaths: host.deaths,
    disagreements: host.disagreements,
    reported: host.reported,
    run: (sql: string, options?: TestQuery) => host.run(sql, options),
    /** With every table scanned whole. */
    async runScanning(sql: string, options?: TestQuery) {
      scanning ??= startTestHost({ endpoint, accountId, resolve, pushdown: false });
      return (await scanning).run(sql, options);
    },
    plan: (sql: string, options?: TestQuery) => host.plan(sql, options),
    /** The error that a query ends with. */
    failure: async (sql: string, options?: TestQuery): Promise<PenstockError> => {
      try {
        await host.run(sql, options);
      } catch (error) {
        if (error instanceof PenstockError) return error;
        throw error;
      }
      throw new Error(`the query did not fail: ${sql}`);
    },
    async close() {
      await host.close();
      await (await scanning)?.close();
      await aws.close();
    },
  };
}
