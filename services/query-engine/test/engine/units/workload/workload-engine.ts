/**
 * The engine over the workload's tables, with the registry as it runs: it describes the tables, samples them unless told
 * otherwise, and is told what queries find. Only tokens and roles are played.
 */
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { createCatalogClient, type CatalogCall } from '../../../../src/clients/catalog-client.ts';
import { toHostTable } from '../../../../src/clients/host-tables.ts';
import { tokenOf } from '../../../../../schema-registry/test/support/principals.ts';
import { startTestStack } from '../../../../../schema-registry/test/support/registry.ts';
import { schemaOf } from '../../../../../schema-registry/test/support/tables.ts';
import type { LoggedRequest } from '../../../dynamodb/aws.ts';
import { startTestHost, type TestHost } from '../../../host/test-host.ts';
import { createTable } from '../../create-table.ts';
import type { EngineTable, TestItem } from '../../engine-table.ts';
import { tableData, type TableData } from './clairvoyant/table-data.ts';

const ACCOUNT = '111122223333';
export const SCHEMA = 'w';

/** How its tables are known: by a sample, or by nothing but DescribeTable; `scanning`: read whole, whatever is known. */
export const VIEWS = Object.freeze(['sampled', 'fresh', 'scanning'] as const);
export type View = (typeof VIEWS)[number];

export type WorkloadEngine = Awaited<ReturnType<typeof startWorkloadEngine>>;

export async function startWorkloadEngine(tables: readonly EngineTable[]) {
  const stack = await startTestStack();
  const account = stack.account(ACCOUNT);
  for (const { catalog, items } of tables) await createTable(account.dynamodb, catalog, items);
  const names = tables.map(({ catalog }) => catalog.tableName);
  const client = createCatalogClient(stack.target, toHostTable);
  const known = new Map<string, TableData>();
  for (const one of tables)
    known.set(one.catalog.tableName, tableData(one, await scanned(one.catalog.tableName)));

  async function scanned(tableName: string): Promise<readonly TestItem[]> {
    const items: TestItem[] = [];
    for (let from: TestItem | undefined; ;) {
      const page = await account.dynamodb.send(
        new ScanCommand({ TableName: tableName, ...(from === undefined ? {} : { ExclusiveStartKey: from }) }),
      );
      items.push(...(page.Items ?? []));
      from = page.LastEvaluatedKey;
      if (from === undefined) return items;
    }
  }

  const log = `${stack.endpoint}/_requests?accountId=${ACCOUNT}`;
  const hosts = new Map<View, Promise<TestHost>>();
  /** A host whose tenant is the view: what one learns, the others do not know. */
  async function start(view: View): Promise<TestHost> {
    const roleName = `read-${view}`;
    await stack.role(account, { name: roleName });
    const tenant = stack.as(view);
    await tenant.create(schemaOf(account, SCHEMA, { tables: names, roleName }));
    const mayBeSampled = view === 'sampled';
    await tenant.resolve({
      tables: names.map((table) => ({ schema: SCHEMA, table })),
      maySample: mayBeSampled,
    });
    const withToken = (call: CatalogCall): CatalogCall => ({ ...call, token: tokenOf(call.tenantId) });
    return startTestHost({
      endpoint: stack.endpoint,
      accountOf: () => ACCOUNT,
      pushdown: view !== 'scanning',
      resolve: (call, references, maySample) =>
        client.resolve(withToken(call), references, maySample && mayBeSampled),
      report: (call, found) => void client.report(withToken(call), found).catch(() => undefined),
    });
  }
  const hostOf = (view: View): Promise<TestHost> => {
    const host = hosts.get(view) ?? start(view);
    hosts.set(view, host);
    return host;
  };

  return {
    tables: known as ReadonlyMap<string, TableData>,
    /** Describes the tables, and samples them where that is the view. */
    open: async (view: View): Promise<void> => void (await hostOf(view)),
    run: async (view: View, sql: string) =>
      (await hostOf(view)).run(sql, { tenantId: view, maxRows: 10_000 }),
    plan: async (view: View, sql: string) =>
      (await hostOf(view)).plan(sql, { tenantId: view, maxRows: 10_000 }),
    /** What was read of the tables since the last clearing. */
    requests: async (): Promise<readonly LoggedRequest[]> =>
      ((await (await fetch(log)).json()) as LoggedRequest[]).filter(({ operation }) =>
        ['Scan', 'Query', 'GetItem', 'BatchGetItem'].includes(operation),
      ),
    clear: () => fetch(log, { method: 'DELETE' }),
    async close() {
      for (const host of hosts.values()) await (await host).close();
      client.close();
      await stack.close();
    },
  };
}
