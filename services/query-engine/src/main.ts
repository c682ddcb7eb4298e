/**
 * The query engine's server, host of its workers: it admits queries, keeps what is known of tables and roles, counts what is
 * read, and does nothing with a statement but hand it to a worker.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createRoleSessions } from '@penstock/common/aws/assumed-role.ts';
import { collectStart } from '@penstock/common/process/collect-start.ts';
import { optimizeEarly } from '@penstock/common/process/optimize-early.ts';
import { runProcess } from '@penstock/common/process/run.ts';
import { connectRedis } from '@penstock/common/redis/connect.ts';
import { keySetClient } from '@penstock/common/rpc/key-set-client.ts';
import { startRpcServer } from '@penstock/common/rpc/server.ts';
import { createTokenVerifier } from '@penstock/common/token/verifier.ts';
import { createUsageRecorder } from '@penstock/common/usage/recorder.ts';
import { budgetClients } from './clients/budget-clients.ts';
import { systemClock } from '@penstock/common/time/clock.ts';
import { createCatalogClient } from './clients/catalog-client.ts';
import { createCheckedTables } from './clients/checked-tables.ts';
import { createFindingReports } from './clients/finding-reports.ts';
import { toHostTable } from './clients/host-tables.ts';
import { sharedChecks } from './clients/shared-checks.ts';
import { createEngineMetrics } from './engine-metrics.ts';
import { createBudgets } from './host/budgets/budgets.ts';
import { createBudgetCounters } from './host/budgets/counters.ts';
import { watchBudgets } from './host/budgets/known-budgets.ts';
import { createOffenders } from './host/offenders/offenders.ts';
import { createRefusedStatements } from './host/offenders/refused-statements.ts';
import { POSITION_KEPT_MS, POSITIONS_PER_TENANT_MAX } from './host/limits.ts';
import { createKeptTexts } from './host/page-positions/kept-texts.ts';
import { createPagePositions } from './host/page-positions/page-positions.ts';
import { sealedPositions } from './host/page-positions/sealed-positions.ts';
import { createQueryRunner } from './host/queries/query-runner.ts';
import { createQuestions } from './host/queries/questions.ts';
import { createJournalFile } from './host/read-journal/journal-file.ts';
import { createReadJournal } from './host/read-journal/read-journal.ts';
import { recoverReads } from './host/read-journal/recover-reads.ts';
import { createBucketsWithFallback } from './host/read-limits/buckets-with-fallback.ts';
import { watchEngines } from './host/read-limits/engines.ts';
import { createOwnBuckets } from './host/read-limits/own-buckets.ts';
import { createRateLimits } from './host/read-limits/rate-limits.ts';
import { createSharedBuckets } from './host/read-limits/shared-buckets.ts';
import { createThrottlingNews } from './host/read-limits/throttling-news.ts';
import { queriesOnAllEngines } from './host/running-queries/on-all-engines.ts';
import { createRunningQueries } from './host/running-queries/running-queries.ts';
import { openSpillFolder } from './host/spill-folder.ts';
import { startWorkers, workerCommand } from './host/start-workers.ts';
import { queryRoutes } from './rpc/routes.ts';
import { createAdmission } from './scheduling/admission.ts';
import { createPausedResults } from './scheduling/paused-results.ts';
import { classBounds, pausedBounds, readEngineSettings, workerSettings } from './settings.ts';

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
    const freshMs = settings.PENSTOCK_CATALOG_FRESH_MS;
    const catalogClient = createCatalogClient(settings.PENSTOCK_REGISTRY_TARGET, toHostTable);
    onShutdown(() => catalogClient.close());
    const keys = keySetClient(settings.PENSTOCK_AUTH_TARGET);
    onShutdown(() => keys.close());

    const tempMb = settings.PENSTOCK_QUERY_TEMP_MB;
    const spill = await openSpillFolder({
      dataDir: settings.PENSTOCK_DATA_DIR,
      maxMb: tempMb,
      async recover(folder) {
        try {
          const halfUnits = await recoverReads(folder, (event) => recorder.record(event));
          if (halfUnits > 0)
            logger.warn({ readUnits: halfUnits / 2 }, 'Recorded what queries of a dead engine had read');
        } catch (error) {
          logger.error(
            { err: error },
            'what queries of a dead engine had read is not recorded; it is tried again',
          );
          throw error;
        }
      },
    });
    onShutdown(() => spill.close());
    if (spill.maxMb < tempMb)
      logger.warn({ spillMb: spill.maxMb, askedMb: tempMb }, 'The disk is too small for what may be spilled');

    const bounds = classBounds(settings);
    // Twice what may run: queries that are elsewhere by now may have an entry of their own.
    const journal = createReadJournal(
      createJournalFile(spill.path, 2 * (bounds.short.places + bounds.long.places)),
    );

    const engines = watchEngines(redis);
    onShutdown(() => engines.close());
    const subscriber = connectRedis(settings.PENSTOCK_REDIS_URL, { logger, role: 'queue' });
    onShutdown(() => subscriber.disconnect());
    const news = createThrottlingNews(redis, subscriber, engines.self);

    const engineMetrics = createEngineMetrics(metrics);
    const admission = engineMetrics.observeAdmission(createAdmission(bounds));
    const refused = createRefusedStatements(redis);
    const offenders = createOffenders(refused);
    const memoryMb = settings.PENSTOCK_WORKER_MEMORY_MB;
    const pool = startWorkers({
      places: settings.PENSTOCK_QUERY_WORKERS,
      memoryMb,
      settings: workerSettings(settings, spill.maxMb),
      command: workerCommand(memoryMb, process.env, spill.path),
      spillFolder: spill.path,
      offenders,
      logger,
      onDisagreement: ({ statementHash, outcome, where }) =>
        logger.error({ statementHash, outcome, where }, 'DuckDB reads a statement otherwise'),
      onThrottled: (throttling) => news.tell(throttling),
      metrics: engineMetrics,
    });
    onShutdown(() => pool.close());
    news.listen((throttling) => {
      for (const { worker } of pool.workers) worker.slow(throttling);
    });
    engineMetrics.observeWorkers(pool);
    await pool.ready();

    const buckets = createBucketsWithFallback({
      shared: createSharedBuckets(redis),
      own: createOwnBuckets(() => engines.count),
      onFallback: (error) =>
        logger.warn(
          { err: error },
          "Redis does not answer; this engine keeps its share of tables' read limits",
        ),
    });
    const findings = createFindingReports(catalogClient);
    onShutdown(() => findings.close());

    const clients = budgetClients({
      auth: settings.PENSTOCK_AUTH_TARGET,
      usage: settings.PENSTOCK_USAGE_TARGET,
    });
    onShutdown(() => clients.close());
    const known = watchBudgets(
      clients.fetch,
      (error) =>
        logger.warn({ err: error }, 'Auth does not say what budgets there are; those known last count'),
      settings.PENSTOCK_BUDGETS_LOOK_MS,
    );
    onShutdown(() => known.close());

    const runner = createQueryRunner({
      budgets: createBudgets({
        known,
        counters: createBudgetCounters(redis, engines.self),
        consumed: clients.consumed,
        onRefusal: engineMetrics.onBudgetRefusal,
      }),
      rateLimits: createRateLimits(buckets, engineMetrics.onLimitWait),
      positions: createPagePositions({
        texts: createKeptTexts(redis, { keptMs: POSITION_KEPT_MS, perTenantMax: POSITIONS_PER_TENANT_MAX }),
        // Without a key of all engines, each has one of its own: pages go on where this engine's ended.
        sealed: sealedPositions(settings.PENSTOCK_PAGE_POSITION_KEY ?? randomBytes(32)),
        onLook: engineMetrics.onPositionLook,
      }),
      admission,
      paused: engineMetrics.observePaused(createPausedResults(pausedBounds(settings))),
      pool,
      questions: createQuestions({
        tables: createCheckedTables(sharedChecks(catalogClient, freshMs), systemClock, freshMs),
        sessions,
      }),
      offenders,
      refused,
      report: (call, found) => findings.add(call, found),
      onRetry: engineMetrics.onRetry,
      onPlaced: engineMetrics.onPlaced,
      workerMemoryMb: memoryMb,
    });

    const running = createRunningQueries();
    const server = await startRpcServer({
      host: settings.PENSTOCK_HOST,
      port: settings.PENSTOCK_RPC_PORT,
      routes: queryRoutes({
        runner,
        running,
        onAllEngines: queriesOnAllEngines({ own: running, redis, subscriber, self: engines.self }),
        recorder,
        journal,
        onUsage: engineMetrics.onUsage,
      }),
      verifier: createTokenVerifier({ issuer: settings.PENSTOCK_BASE_URL, fetchKeySet: keys.fetch }),
      drainTimeoutMs: settings.PENSTOCK_DRAIN_TIMEOUT_MS,
      logger,
      metrics,
      isReady,
    });
    onShutdown(() => server.close());
    collectStart();
    setReady(true);
    optimizeEarly();
  },
});
