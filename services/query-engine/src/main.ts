/** The query engine's server. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { createRoleSessions } from '@penstock/common/aws/assumed-role.ts';
import { createTenantClients } from '@penstock/common/dynamodb/tenant-client.ts';
import { runProcess } from '@penstock/common/process/run.ts';
import { connectRedis } from '@penstock/common/redis/connect.ts';
import { startRpcServer } from '@penstock/common/rpc/server.ts';
import { createTokenVerifier } from '@penstock/common/token/verifier.ts';
import { createUsageRecorder } from '@penstock/common/usage/recorder.ts';
import { createCatalogClient } from './clients/catalog-client.ts';
import { createCatalog } from './clients/catalog.ts';
import { keySetClient } from '@penstock/common/rpc/key-set-client.ts';
import { createEngine } from './engine.ts';
import { createEngineMetrics } from './engine-metrics.ts';
import { createAdmission } from './scheduling/admission.ts';
import { createDatabase } from './execution/session/database.ts';
import { openSpillFolder } from './execution/session/spill-folder.ts';
import { createThreadShares } from './execution/thread-share.ts';
import { HEAP_GROWTH_PERCENT } from './limits.ts';
import { createTranslationWorker } from './parser/dialects/worker/translation-worker.ts';
import { queryRoutes } from './rpc/routes.ts';
import { classBounds, readEngineSettings } from './settings.ts';

// Pages are garbage once they are loaded; by itself V8 lets several times what is alive pile up.
setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);

runProcess({
  name: 'query-engine',
  async main({ logger, metrics, onShutdown, setReady, isReady }) {
    const settings = readEngineSettings(process.env);
    const endpoint = settings.PENSTOCK_AWS_ENDPOINT;

    const redis = connectRedis(settings.PENSTOCK_REDIS_URL, { logger, role: 'commands' });
    onShutdown(() => redis.disconnect());
    const spoolDir = join(settings.PENSTOCK_DATA_DIR, 'usage-spool');
    const recorder = createUsageRecorder({ redis, spoolDir, logger, metrics });
    onShutdown(() => recorder.close());

    const sessions = createRoleSessions({
      stsEndpoint: endpoint,
      region: settings.PENSTOCK_CONTROL_REGION,
      allowsOwnAccount: settings.PENSTOCK_ALLOW_OWN_ACCOUNT_ROLES,
      logger,
      metrics,
    });
    onShutdown(() => sessions.close());
    const clients = createTenantClients({ endpoint, sessions, metrics });
    onShutdown(() => clients.close());

    const catalogClient = createCatalogClient(settings.PENSTOCK_REGISTRY_TARGET);
    onShutdown(() => catalogClient.close());
    const keys = keySetClient(settings.PENSTOCK_AUTH_TARGET);
    onShutdown(() => keys.close());

    const tempMb = settings.PENSTOCK_QUERY_TEMP_MB;
    const spill = await openSpillFolder({ dataDir: settings.PENSTOCK_DATA_DIR, maxMb: tempMb });
    if (spill.maxMb < tempMb)
      logger.warn({ spillMb: spill.maxMb, askedMb: tempMb }, 'The disk is too small for what may be spilled');
    const database = createDatabase({
      memoryMb: settings.PENSTOCK_QUERY_MEMORY_MB,
      tempDirectory: spill.path,
      tempMb: spill.maxMb,
      threads: settings.PENSTOCK_QUERY_THREADS,
    });
    onShutdown(() => database.close().then(() => spill.close()));
    // Makes the instance now, so that the first query does not wait for it.
    await database.serialize('SELECT 1');

    const translations = createTranslationWorker();
    onShutdown(() => translations.close());

    const engineMetrics = createEngineMetrics(metrics, { database });
    const admission = engineMetrics.observeAdmission(createAdmission(classBounds(settings)));
    const engine = createEngine({
      database,
      catalog: createCatalog(catalogClient),
      clients,
      admission,
      translations,
      shares: createThreadShares({
        poolThreads: settings.UV_THREADPOOL_SIZE,
        tenantSharePercent: settings.PENSTOCK_QUERY_TENANT_SHARE,
        admission,
      }),
      onCacheLookup: engineMetrics.onCacheLookup,
      onDisagreement: (sql, outcome) => {
        // The statement may hold secrets in its literals: its hash is enough to find it by.
        const statementHash = createHash('sha256').update(sql).digest('hex');
        const where = outcome.kind === 'Disagreed' ? outcome.where : undefined;
        logger.error({ statementHash, outcome: outcome.kind, where }, 'DuckDB reads a statement otherwise');
      },
    });

    const server = await startRpcServer({
      host: settings.PENSTOCK_HOST,
      port: settings.PENSTOCK_RPC_PORT,
      routes: queryRoutes({ engine, recorder, onUsage: engineMetrics.onUsage }),
      verifier: createTokenVerifier({ issuer: settings.PENSTOCK_BASE_URL, fetchKeySet: keys.fetch }),
      drainTimeoutMs: settings.PENSTOCK_DRAIN_TIMEOUT_MS,
      logger,
      metrics,
      isReady,
    });
    onShutdown(() => server.close());
    setReady(true);
  },
});
