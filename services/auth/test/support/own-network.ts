import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { consoleUrlOf } from '@penstock/common/config/console-url.ts';
import { readConfig } from '@penstock/common/config/config.ts';
import { createLogger } from '@penstock/common/logging/logger.ts';
import { startRpcServer } from '@penstock/common/rpc/server.ts';
import { createMetrics } from '@penstock/common/telemetry/metrics.ts';
import { systemClock } from '@penstock/common/time/clock.ts';
import { createAuthService } from '../../src/auth-service.ts';
import { authSettings } from '../../src/config.ts';
import type { DocumentNetwork } from '../../src/oauth/metadata-documents/network.ts';
import { operatorServices, publicServices } from '../../src/rpc/routes.ts';
import { openAuthTable } from '../../src/store/table.ts';

/**
 * Auth in this process as an environment sets it up, but with a network of the test's own for metadata documents: the
 * real one reaches public addresses only, and no setting changes that.
 */
export async function startAuthWithNetwork(
  env: Readonly<Record<string, string>>,
  documentNetwork: DocumentNetwork,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const config = readConfig(authSettings, env);
  const client = new DynamoDBClient({
    region: config.PENSTOCK_CONTROL_REGION,
    endpoint: env['PENSTOCK_AWS_ENDPOINT'] ?? '',
    credentials: {
      accessKeyId: env['AWS_ACCESS_KEY_ID'] ?? '',
      secretAccessKey: env['AWS_SECRET_ACCESS_KEY'] ?? '',
    },
  });
  const tableName = `${config.PENSTOCK_TABLE_PREFIX}-auth`;
  const logger = createLogger({ service: 'auth', level: 'silent' });
  const { routes, verifier } = await createAuthService({
    table: openAuthTable({ client, tableName, clock: systemClock }),
    keyEncryptionKeys: config.PENSTOCK_KEY_ENCRYPTION_KEY,
    issuer: config.PENSTOCK_BASE_URL,
    mcpUrl: config.PENSTOCK_MCP_URL,
    consoleUrl: consoleUrlOf(config),
    rateLimit: { rps: config.PENSTOCK_RATE_LIMIT_RPS, burst: config.PENSTOCK_RATE_LIMIT_BURST },
    clock: systemClock,
    redis: null,
    logger,
    documentNetwork,
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
    metrics: createMetrics('auth'),
    isReady: () => true,
  });
  return {
    port: server.port,
    async close() {
      await server.close();
      client.destroy();
    },
  };
}
