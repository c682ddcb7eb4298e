/** Two engines whose pages go on where the other's ended, and one that knows of none, over the same tables. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { Redis } from 'ioredis';
import { startRedis, type RunningRedis } from '../../../../../deploy/local/src/stack/redis.ts';
import type { CatalogTable } from '../../../src/catalog/table.ts';
import { toHostTable } from '../../../src/clients/host-tables.ts';
import { createKeptTexts, type KeptTextsBounds } from '../../../src/host/page-positions/kept-texts.ts';
import {
  createPagePositions,
  type PagePositions,
  type PositionOutcome,
} from '../../../src/host/page-positions/page-positions.ts';
import { sealedPositions } from '../../../src/host/page-positions/sealed-positions.ts';
import { startTestAws, type TestAws } from '../../dynamodb/aws.ts';
import { createTable } from '../../engine/create-table.ts';
import type { EngineTable } from '../../engine/engine-table.ts';
import { tableMessage } from '../table-message.ts';
import { startTestHost, type HostedAnswer, type HostedQuery, type TestHost } from '../test-host.ts';

export interface TwoEngines {
  readonly aws: TestAws;
  readonly redis: RunningRedis;
  readonly client: Redis;
  /** What the tables are described as from now on. */
  describe(tables: readonly CatalogTable[]): void;
  /** By either engine. */
  readonly engines: readonly TestHost[];
  /** By an engine that knows of no position. */
  readonly fresh: TestHost;
  /** How looks for positions came out since they were asked for last. */
  outcomes(): readonly PositionOutcome[];
  /** Read units that the endpoint's log has since they were asked for last. */
  units(): Promise<number>;
  close(): Promise<void>;
}

const BOUNDS: KeptTextsBounds = Object.freeze({ keptMs: 60_000, perTenantMax: 200 });

export async function startTwoEngines(
  tables: readonly EngineTable[],
  bounds: Partial<KeptTextsBounds> = {},
): Promise<TwoEngines> {
  const dataDir = await mkdtemp(join(tmpdir(), 'page-positions-'));
  const [aws, redis] = await Promise.all([startTestAws(), startRedis({ dataDir, port: 0 })]);
  const client = new Redis(redis.url, { maxRetriesPerRequest: 0, enableOfflineQueue: false });
  client.on('error', () => undefined);
  for (const { catalog, items } of tables) await createTable(aws.client, catalog, items);
  let described = tables.map(({ catalog }) => catalog);
  let seen: PositionOutcome[] = [];
  const key = Buffer.alloc(32, 7);
  const positions = (): PagePositions =>
    createPagePositions({
      texts: createKeptTexts(client, { ...BOUNDS, ...bounds }),
      sealed: sealedPositions(key),
      onLook: (outcome) => void seen.push(outcome),
    });
  const start = (own?: PagePositions): Promise<TestHost> =>
    startTestHost({
      endpoint: aws.endpoint,
      accountOf: () => aws.accountId,
      ...(own === undefined ? {} : { positions: own }),
      resolve: async (_, references) =>
        references.map(({ table }) => {
          const found = described.find(({ tableName }) => tableName === table);
          if (found !== undefined) return { kind: 'table', table: toHostTable(tableMessage(found)) };
          return { kind: 'error', error: new PenstockError('TABLE_NOT_FOUND', 'Table not found') };
        }),
    });
  const engines = [await start(positions()), await start(positions())];
  const fresh = await start();
  await aws.clear();
  return {
    aws,
    redis,
    client,
    describe(tablesNow) {
      described = [...tablesNow];
    },
    engines,
    fresh,
    outcomes() {
      const found = seen;
      seen = [];
      return found;
    },
    async units() {
      const log = await aws.requests();
      await aws.clear();
      return log.reduce((sum, { consumedUnits }) => sum + consumedUnits, 0);
    },
    async close() {
      for (const host of [...engines, fresh]) await host.close();
      client.disconnect();
      await redis.close();
      await aws.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** All pages of so many rows, each by the engine that `next` names. */
export async function walk(
  next: () => TestHost,
  sql: string,
  query: HostedQuery & { readonly maxRows: number },
): Promise<readonly HostedAnswer[]> {
  const pages: HostedAnswer[] = [];
  for (let resumeIdx: number | null = 0; resumeIdx !== null;) {
    const page = await next().run(sql, { ...query, resumeIdx });
    pages.push(page);
    ({ resumeIdx } = page);
  }
  return pages;
}
