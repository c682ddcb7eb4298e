/**
 * Runs some statements over a table that there is not, so that the first query of a tenant does not wait for code to be
 * loaded and compiled: a worker that takes the place of another one has queries at once.
 */
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createTenantClients } from '@penstock/common/dynamodb/tenant-client.ts';
import type { CatalogTable } from '../catalog/table.ts';
import { createEngine } from '../engine.ts';
import type { Database } from '../execution/session/database.ts';
import { createThreadShares } from '../execution/thread-share.ts';
import { createUnitMeter } from '../execution/unit-meter.ts';
import { TENANT_SHARE_PERCENT, WARM_UP_MS_MAX } from '../limits.ts';

const TABLE: CatalogTable = {
  version: '1',
  schemaName: 'warm',
  tableName: 'items',
  access: {
    roleArn: 'arn:aws:iam::000000000000:role/none',
    externalId: 'none',
    region: 'us-east-1',
    tableAllowlist: [],
  },
  key: { partitionKey: { name: 'id', type: 'S' }, sortKey: null },
  indexes: [],
  itemCount: 1,
  sizeBytes: 100,
  attributes: ['id', 'name', 'amount'].map((name) => ({
    name,
    types: name === 'amount' ? { N: 1 } : { S: 1 },
    integerDigits: 2,
    scale: 1,
    nested: [],
    distinctValues: 1,
  })),
  sampledItems: 1,
};

const ITEM = { id: { S: 'a' }, name: { S: 'b' }, amount: { N: '1.5' } };
const CAPACITY = { TableName: 'items', CapacityUnits: 0.5 };
const ANSWERS: Readonly<Record<string, unknown>> = {
  GetItem: { Item: ITEM, ConsumedCapacity: CAPACITY },
  BatchGetItem: { Responses: { items: [ITEM] }, UnprocessedKeys: {}, ConsumedCapacity: [CAPACITY] },
  Scan: { Items: [ITEM], Count: 1, ScannedCount: 1, ConsumedCapacity: CAPACITY },
};

const STATEMENTS = [
  ...Array.from(
    { length: 30 },
    (_, i) => ['SELECT id, name, amount FROM warm.items WHERE id = ?', `["${i}"]`] as const,
  ),
  ...Array.from(
    { length: 3 },
    (_, i) =>
      [
        `SELECT name, COUNT(*) AS n${i}, SUM(amount) FROM warm.items WHERE id IN ('a', 'b') GROUP BY name ORDER BY 2 DESC LIMIT 3`,
        '',
      ] as const,
  ),
  [
    'SELECT a.id, b.amount FROM warm.items a JOIN warm.items b ON b.id = a.name WHERE a.amount > 1',
    '',
  ] as const,
];

/** Answers what DynamoDB would, to this process alone. */
async function startAnswers(): Promise<Server> {
  const server = createServer((request, response) => {
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    request.resume();
    request.once('end', () => {
      response.setHeader('content-type', 'application/x-amz-json-1.0');
      response.end(JSON.stringify(ANSWERS[operation] ?? {}));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** Never rejects: a worker that is cold works as well. */
export async function warmUp(database: Database): Promise<void> {
  const signal = AbortSignal.timeout(WARM_UP_MS_MAX);
  const server = await startAnswers().catch(() => null);
  if (server === null) return;
  const credentials = {
    accessKeyId: 'none',
    secretAccessKey: 'none',
    sessionToken: 'none',
    expiration: new Date(Date.now() + 3_600_000),
  };
  const clients = createTenantClients({
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sessions: { credentials: async () => credentials, keyIdOf: () => null, renew: async () => false },
  });
  const engine = createEngine({
    database,
    clients,
    catalog: { resolve: async (_, references) => references.map(() => TABLE), report: () => undefined },
    shares: createThreadShares({
      poolThreads: 2,
      tenantSharePercent: TENANT_SHARE_PERCENT,
      admission: { runningShort: 0 },
    }),
    onDisagreement: () => undefined,
  });
  const place = { workloadClass: 'short', promote: async () => undefined } as const;
  const call = { tenantId: 'warm', token: '', requestId: 'warm', signal };
  try {
    for (const [sql, parametersJson] of STATEMENTS) {
      const request = { sql, parametersJson, firstRowIdx: 0, maxRows: 10, consistentRead: false };
      const meter = createUnitMeter();
      const parts = engine.execute(request, call, { rowFormat: 'array', meter, place });
      for await (const _ of parts);
    }
  } catch {
    // As far as it came, it is warm.
  } finally {
    clients.close();
    server.close();
    server.closeAllConnections();
  }
}
