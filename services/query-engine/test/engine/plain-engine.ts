/** An engine with one thing played, for tests of what it makes of that thing. */
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { CatalogTable } from '../../src/catalog/table.ts';
import { createCatalog } from '../../src/clients/catalog.ts';
import type { CatalogClient } from '../../src/clients/catalog-client.ts';
import { createEngine, type Engine, type EngineParts } from '../../src/engine.ts';
import type { Database } from '../../src/execution/session/database.ts';
import { createThreadShares } from '../../src/execution/thread-share.ts';
import { createUnitMeter } from '../../src/execution/unit-meter.ts';
import { TENANT_SHARE_PERCENT } from '../../src/limits.ts';
import { SHORT_PLACE } from '../scheduling/class-bounds.ts';

/** Over what the registry is played to know. */
export const createPlainEngine = (
  database: Database,
  client: DynamoDBClient,
  resolve: CatalogClient<CatalogTable>['resolve'],
  parts: Pick<EngineParts, 'decideLookups' | 'pushdown' | 'clock' | 'onCacheLookup'> = {},
): Engine =>
  createEngine({
    database,
    catalog: createCatalog({ resolve, report: async () => undefined }),
    clients: { clientFor: async () => client },
    shares: createThreadShares({
      poolThreads: 4,
      tenantSharePercent: TENANT_SHARE_PERCENT,
      admission: { runningShort: 0 },
    }),
    onDisagreement: () => undefined,
    ...parts,
  });

/** Runs statements over what the registry is played to know, and gives their rows' JSON text. */
export function plainEngine(
  database: Database,
  client: DynamoDBClient,
  resolve: CatalogClient<CatalogTable>['resolve'],
  parts: Pick<EngineParts, 'decideLookups' | 'pushdown'> = {},
): (sql: string) => Promise<string> {
  const engine = createPlainEngine(database, client, resolve, parts);
  return async (sql) => {
    const signal = new AbortController().signal;
    const call = { tenantId: 't', token: 't', requestId: 'r', signal };
    const request = { sql, parametersJson: '', firstRowIdx: 0, maxRows: 1000, consistentRead: false };
    let rows = '';
    const decoder = new TextDecoder();
    const options = { rowFormat: 'array', meter: createUnitMeter(), place: SHORT_PLACE } as const;
    for await (const part of engine.execute(request, call, options))
      if (part.kind === 'rows') rows += `${rows === '' ? '' : ','}${decoder.decode(part.json)}`;
    return rows;
  };
}
