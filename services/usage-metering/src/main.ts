/** The usage service: `PENSTOCK_RPC_PORT` serves UsageService. */
import { readConfig } from '@penstock/common/config/config.ts';
import { runProcess } from '@penstock/common/process/run.ts';
import { connectRedis } from '@penstock/common/redis/connect.ts';
import { startRpcServer } from '@penstock/common/rpc/server.ts';
import { createTokenVerifier } from '@penstock/common/token/verifier.ts';
import { observeUsageStream } from '@penstock/common/usage/observe-stream.ts';
import { createDrainer } from './aggregation/drain.ts';
import { serviceSettings } from './config.ts';
import { keySetClient } from '@penstock/common/rpc/key-set-client.ts';
import { usageRoutes } from './rpc/usage-service.ts';
import { openCounters } from './store/open.ts';
import { readPending } from './summary/pending.ts';
import { createSummarizer } from './summary/summarize.ts';

runProcess({
  name: 'usage-metering',
  async main({ logger, metrics, onShutdown, setReady, isReady, tellProblem }) {
    const config = readConfig(serviceSettings, process.env);
    const { counters, problem, close } = await openCounters(config, metrics, logger);
    onShutdown(close);
    tellProblem(problem);
    const redis = connectRedis(config.PENSTOCK_REDIS_URL, { logger, role: 'commands' });
    onShutdown(() => redis.disconnect());
    const keySet = keySetClient(config.PENSTOCK_AUTH_TARGET);
    onShutdown(() => keySet.close());
    const verifier = createTokenVerifier({
      issuer: config.PENSTOCK_BASE_URL,
      fetchKeySet: () => keySet.fetch(),
    });
    observeUsageStream(metrics, redis);
    const drainer = createDrainer({ redis, counters, logger });
    const summarizer = createSummarizer({ redis, counters, drainer, logger, readPending });
    const server = await startRpcServer({
      host: config.PENSTOCK_HOST,
      port: config.PENSTOCK_RPC_PORT,
      routes: usageRoutes(summarizer),
      verifier,
      logger,
      metrics,
      isReady,
      drainTimeoutMs: config.PENSTOCK_DRAIN_TIMEOUT_MS,
    });
    onShutdown(() => server.close());
    setReady(true);
  },
});
