/** The schema registry's server: schema records, the catalog, role validation. */
import { runProcess } from '@penstock/common/process/run.ts';
import { createQueue } from '@penstock/common/queue/queue.ts';
import { startRpcServer } from '@penstock/common/rpc/server.ts';
import { createTokenVerifier } from '@penstock/common/token/verifier.ts';
import { keySetClient } from '@penstock/common/rpc/key-set-client.ts';
import { REFRESH_QUEUE, type RefreshJob } from './jobs/refresh-job.ts';
import { refreshJobs } from './jobs/refresh-queue.ts';
import { openRegistry } from './registry.ts';
import { operatorServices, registryRoutes } from './rpc/routes.ts';
import { readServerSettings } from './settings.ts';

runProcess({
  name: 'schema-registry',
  async main({ logger, metrics, onShutdown, setReady, isReady, tellProblem }) {
    const settings = readServerSettings(process.env);
    const queue = createQueue<RefreshJob>(REFRESH_QUEUE, settings.PENSTOCK_REDIS_URL, logger, metrics);
    onShutdown(() => queue.close());
    const registry = await openRegistry({ settings, jobs: refreshJobs(queue), logger, metrics });
    onShutdown(() => registry.close());
    tellProblem(() => registry.problem());
    const keys = keySetClient(settings.PENSTOCK_AUTH_TARGET);
    onShutdown(() => keys.close());
    const server = await startRpcServer({
      host: settings.PENSTOCK_HOST,
      port: settings.PENSTOCK_RPC_PORT,
      routes: registryRoutes(registry),
      verifier: createTokenVerifier({ issuer: settings.PENSTOCK_BASE_URL, fetchKeySet: keys.fetch }),
      operatorServices,
      ...(settings.PENSTOCK_OPERATOR_TOKEN === undefined
        ? {}
        : { operatorToken: settings.PENSTOCK_OPERATOR_TOKEN }),
      drainTimeoutMs: settings.PENSTOCK_DRAIN_TIMEOUT_MS,
      logger,
      metrics,
      isReady,
    });
    onShutdown(() => server.close());
    setReady(true);
  },
});
