import { join } from 'node:path';
import { consoleUrlOf } from '@penstock/common/config/console-url.ts';
import { readConfig } from '@penstock/common/config/config.ts';
import { collectStart } from '@penstock/common/process/collect-start.ts';
import { optimizeEarly } from '@penstock/common/process/optimize-early.ts';
import { runProcess } from '@penstock/common/process/run.ts';
import { connectRedis } from '@penstock/common/redis/connect.ts';
import { fetchKeySet } from '@penstock/common/rpc/key-set-client.ts';
import { systemClock } from '@penstock/common/time/clock.ts';
import { createTokenVerifier } from '@penstock/common/token/verifier.ts';
import { createUsageRecorder } from '@penstock/common/usage/recorder.ts';
import { createApp } from './app.ts';
import { awayProblem } from './clients/away.ts';
import { connectClients } from './clients/gateway-clients.ts';
import { readConsoleBundle } from './console/server/bundle.ts';
import { startHttpServer } from './http/server.ts';
import { createBucketsAhead } from './limiting/buckets-ahead.ts';
import { createBucketsWithFallback } from './limiting/buckets-with-fallback.ts';
import { createMemoryBuckets } from './limiting/memory-buckets.ts';
import { POLL_TIMEOUT_MS, STARTUP_CONNECT_MS } from './limits.ts';
import { createRedisBuckets } from './limiting/redis-buckets.ts';
import { createTenantLimiter } from './limiting/tenant-limiter.ts';
import { createGuesses } from './limiting/guesses.ts';
import { createRunningCalls } from './mcp/running-calls.ts';
import { shareCancellations } from './mcp/shared-cancellations.ts';
import { watchRevocations } from './revocations/revocation-list.ts';
import { createBrokenResults } from './routes/broken-results.ts';
import { gatewaySettings } from './settings.ts';

runProcess({
  name: 'gateway',
  main: async ({ logger, metrics, onShutdown, setReady, isReady, tellProblem }) => {
    const config = readConfig(gatewaySettings, process.env);
    const bundle = readConsoleBundle();
    if (bundle === null) logger.warn('the console is not built: run make install, and start again');

    const { clients, connected, away, close } = connectClients({
      auth: config.PENSTOCK_AUTH_TARGET,
      engine: config.PENSTOCK_ENGINE_TARGET,
      registry: config.PENSTOCK_REGISTRY_TARGET,
      usage: config.PENSTOCK_USAGE_TARGET,
    });
    onShutdown(close);
    tellProblem(() => awayProblem(away()));
    const redis = connectRedis(config.PENSTOCK_REDIS_URL, { logger, role: 'commands' });
    onShutdown(() => redis.disconnect());
    const subscriber = connectRedis(config.PENSTOCK_REDIS_URL, { logger, role: 'queue' });
    onShutdown(() => subscriber.disconnect());
    const usage = createUsageRecorder({
      redis,
      spoolDir: join(config.PENSTOCK_DATA_DIR, 'usage-spool'),
      logger,
      metrics,
    });
    onShutdown(() => usage.close());
    const revocations = watchRevocations(clients.tokens, logger);
    onShutdown(() => revocations.close());

    const refusals = metrics.counter(
      'penstock_rate_limit_refusals_total',
      'Requests refused with 429, by limit.',
      ['limit'],
    );
    const clock = systemClock;
    const buckets = createBucketsWithFallback({
      shared: createBucketsAhead(createRedisBuckets(redis)),
      own: createMemoryBuckets(clock),
      clock,
      logger,
    });
    const app = createApp({
      clients,
      verifier: createTokenVerifier({
        issuer: config.PENSTOCK_BASE_URL,
        fetchKeySet: () => fetchKeySet(clients.tokens, POLL_TIMEOUT_MS),
      }),
      revocations,
      limiter: createTenantLimiter(
        buckets,
        { rps: config.PENSTOCK_RATE_LIMIT_RPS, burst: config.PENSTOCK_RATE_LIMIT_BURST },
        () => refusals.inc({ limit: 'tenant' }),
      ),
      guesses: createGuesses(redis, logger, (limit) => refusals.inc({ limit })),
      usage,
      brokenResults: createBrokenResults(redis, logger),
      runningCalls: shareCancellations(createRunningCalls(), { publisher: redis, subscriber, logger }),
      settings: {
        baseUrl: config.PENSTOCK_BASE_URL,
        mcpUrl: config.PENSTOCK_MCP_URL,
        mcpAllowedHosts: config.PENSTOCK_MCP_ALLOWED_HOSTS,
        mcpAllowedOrigins: config.PENSTOCK_MCP_ALLOWED_ORIGINS,
        trustedProxies: config.PENSTOCK_TRUSTED_PROXIES,
        console: {
          consoleUrl: consoleUrlOf(config),
          serviceAccountId: config.PENSTOCK_SERVICE_ACCOUNT_ID ?? null,
          roleTemplateUrl: config.PENSTOCK_ROLE_TEMPLATE_URL ?? null,
          bundle,
        },
      },
      logger,
      metrics,
      isReady,
    });
    const server = await startHttpServer({ host: config.PENSTOCK_HOST, port: config.PENSTOCK_PORT }, app);
    onShutdown(() => server.close(config.PENSTOCK_DRAIN_TIMEOUT_MS));
    logger.info({ host: config.PENSTOCK_HOST, port: server.port }, 'gateway listening');
    // Whoever waits for us to be ready should not meet a service that we have yet to find.
    if (!(await connected(STARTUP_CONNECT_MS))) logger.warn('some services cannot be reached yet');
    collectStart();
    setReady(true);
    optimizeEarly();
  },
});
