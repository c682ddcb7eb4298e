/** The auth service: `PENSTOCK_RPC_PORT` serves all of `rpc/routes.ts`. */
import { consoleUrlOf } from '@penstock/common/config/console-url.ts';
import { readConfig } from '@penstock/common/config/config.ts';
import { runProcess } from '@penstock/common/process/run.ts';
import { connectRedis } from '@penstock/common/redis/connect.ts';
import { startRpcServer } from '@penstock/common/rpc/server.ts';
import { systemClock } from '@penstock/common/time/clock.ts';
import { createAuthService } from './auth-service.ts';
import { authSettings } from './config.ts';
import { operatorServices, publicServices } from './rpc/routes.ts';
import { openConfiguredTable } from './store/open.ts';

runProcess({
  name: 'auth',
  async main({ logger, metrics, onShutdown, setReady, isReady, tellProblem }) {
    const config = readConfig(authSettings, process.env);
    const { table, problem, close } = await openConfiguredTable(config, systemClock, metrics, logger);
    onShutdown(close);
    tellProblem(problem);
    const redis = connectRedis(config.PENSTOCK_REDIS_URL, { logger, role: 'commands' });
    onShutdown(() => redis.disconnect());
    const { routes, verifier } = await createAuthService({
      table,
      keyEncryptionKeys: config.PENSTOCK_KEY_ENCRYPTION_KEY,
      issuer: config.PENSTOCK_BASE_URL,
      mcpUrl: config.PENSTOCK_MCP_URL,
      consoleUrl: consoleUrlOf(config),
      rateLimit: { rps: config.PENSTOCK_RATE_LIMIT_RPS, burst: config.PENSTOCK_RATE_LIMIT_BURST },
      clock: systemClock,
      redis,
      logger,
    });
    const server = await startRpcServer({
      host: config.PENSTOCK_HOST,
      port: config.PENSTOCK_RPC_PORT,
      routes,
      verifier,
      operatorToken: config.PENSTOCK_OPERATOR_TOKEN,
      publicServices,
      operatorServices,
      logger,
      metrics,
      isReady,
      drainTimeoutMs: config.PENSTOCK_DRAIN_TIMEOUT_MS,
    });
    onShutdown(() => server.close());
    setReady(true);
  },
});
