/** The whole engine over tables in the local AWS endpoint, its queries in a worker; only the registry is played. */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { CatalogTable } from '../../src/catalog/table.ts';
import type { TableFindings } from '../../src/clients/catalog-client.ts';
import { toHostTable, type HostTable } from '../../src/clients/host-tables.ts';
import type { TableSource } from '../../src/clients/checked-tables.ts';
import type { Death } from '../../src/host/processes/worker-types.ts';
import { startTestAws } from '../dynamodb/aws.ts';
import { tableMessage } from '../host/table-message.ts';
import type { HostedAnswer, HostedQuery } from '../host/test-host.ts';
import { createTable } from './create-table.ts';
import type { EngineTable } from './engine-table.ts';
import { createTestHosts, sharedTestHosts } from './test-hosts.ts';

export type TestQuery = Omit<HostedQuery, 'tenantId'>;
export type TestAnswer = HostedAnswer;

const foldCase = (name: string): string => name.toLowerCase();

export type TestEngine = Awaited<ReturnType<typeof startTestEngine>>;

export interface TestEngineOptions {
  /** Other descriptions of the tables, under schema names of their own. */
  readonly views?: readonly CatalogTable[];
  /** Hosts and workers of its own, for a test that looks at what its worker holds. */
  readonly ownHosts?: boolean;
}

/** The tables are in an account of their own, and the engine has a tenant for it: what else runs in the process shares both. */
export async function startTestEngine(
  tables: readonly EngineTable[],
  { views = [], ownHosts = false }: TestEngineOptions = {},
) {
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
  const deaths: Death[] = [];
  const disagreements: string[] = [];
  const reported: TableFindings[] = [];
  const hosts = ownHosts ? createTestHosts(aws.endpoint) : sharedTestHosts(aws.endpoint);
  const tenantId = hosts.enter({
    accountId: aws.accountId,
    resolve,
    onReport: (found) => void reported.push(found),
    onDisagreement: (outcome) => void disagreements.push(outcome),
    onDeath: (death) => void deaths.push(death),
  });
  const host = await hosts.pushdown();

  return {
    aws,
    /** The worker that its queries run in, and those that had to be ended since it began. */
    worker: () => host.pool.workers[0]!.worker,
    deaths,
    disagreements,
    reported,
    run: (sql: string, options?: TestQuery) => host.run(sql, { ...options, tenantId }),
    /** With every table scanned whole. */
    runScanning: async (sql: string, options?: TestQuery) =>
      (await hosts.scanning()).run(sql, { ...options, tenantId }),
    plan: (sql: string, options?: TestQuery) => host.plan(sql, { ...options, tenantId }),
    /** The error that a query ends with. */
    failure: async (sql: string, options?: TestQuery): Promise<PenstockError> => {
      try {
        await host.run(sql, { ...options, tenantId });
      } catch (error) {
        if (error instanceof PenstockError) return error;
        throw error;
      }
      throw new Error(`the query did not fail: ${sql}`);
    },
    async close() {
      hosts.leave(tenantId);
      if (ownHosts) await hosts.close();
      await aws.close();
    },
  };
}
