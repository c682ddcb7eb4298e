/** The engine of a worker, from what its host says at the start. */
import { createHash } from 'node:crypto';
import { createTenantClients } from '@penstock/common/dynamodb/tenant-client.ts';
import { systemClock } from '@penstock/common/time/clock.ts';
import { createCatalog } from '../clients/catalog.ts';
import type { Pacers } from '../dynamodb/reader/pacers.ts';
import { createEngine, type Engine } from '../engine.ts';
import { createDatabase, type Database } from '../execution/session/database.ts';
import { createThreadShares } from '../execution/thread-share.ts';
import { createTranslationWorker } from '../parser/dialects/worker/translation-worker.ts';
import type { WorkerSettings } from '../pipe/messages.ts';
import { hostCatalogClient } from './host-catalog.ts';
import type { HostLink } from './host-link.ts';
import { createHostSessions } from './host-sessions.ts';
import type { Queries } from './queries.ts';
import { letComputingGiveWay } from './thread-priority.ts';
import type { ToldMetrics } from './told-metrics.ts';

export interface EngineOfWorker {
  readonly engine: Engine;
  readonly database: Database;
}

export interface EngineSurroundings {
  readonly link: HostLink;
  readonly queries: Queries;
  readonly metrics: ToldMetrics;
  readonly pacers: Pacers;
}

export async function buildEngine(
  settings: WorkerSettings,
  { link, queries, metrics, pacers }: EngineSurroundings,
): Promise<EngineOfWorker> {
  const database = createDatabase(settings);
  // Makes the instance now, so that the first query does not wait for it.
  await database.serialize('SELECT 1');
  letComputingGiveWay();
  const engine = createEngine({
    database,
    catalog: createCatalog(hostCatalogClient(link), systemClock, settings.catalogFreshMs),
    clients: createTenantClients({
      endpoint: settings.endpoint ?? undefined,
      sessions: createHostSessions(link, queries.queryOf),
      metrics,
    }),
    translations: createTranslationWorker(),
    shares: createThreadShares({
      poolThreads: settings.poolThreads,
      tenantSharePercent: settings.tenantSharePercent,
      admission: queries,
    }),
    pacers,
    pushdown: settings.pushdown ?? true,
    onCacheLookup: metrics.onCacheLookup,
    onDisagreement: (sql, outcome) => {
      // The statement may hold secrets in its literals: its hash is enough to find it by.
      const statementHash = createHash('sha256').update(sql).digest('hex');
      const where = outcome.kind === 'Disagreed' ? outcome.where : null;
      link.tell({ kind: 'disagreed', statementHash, outcome: outcome.kind, where });
    },
  });
  return { engine, database };
}
