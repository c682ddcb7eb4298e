import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { AdminService } from '@penstock/common/gen/penstock/auth/v1/admin_pb.js';
import { AccountService, ConsoleSessionService } from '@penstock/common/gen/penstock/auth/v1/console_pb.js';
import { LoginService } from '@penstock/common/gen/penstock/auth/v1/login_pb.js';
import { OAuthService } from '@penstock/common/gen/penstock/auth/v1/oauth_pb.js';
import { SavedQueryService } from '@penstock/common/gen/penstock/auth/v1/saved_query_pb.js';
import { TenantAdminService } from '@penstock/common/gen/penstock/auth/v1/tenant_admin_pb.js';
import { TokenService } from '@penstock/common/gen/penstock/auth/v1/token_pb.js';
import { createLogger } from '@penstock/common/logging/logger.ts';
import { callOptions, createRpcClient } from '@penstock/common/rpc/client.ts';
import { fromConnectError } from '@penstock/common/rpc/error-mapping.ts';
import { startRpcServer } from '@penstock/common/rpc/server.ts';
import { createMetrics } from '@penstock/common/telemetry/metrics.ts';
import type { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { Client } from '@connectrpc/connect';
import type { Redis } from 'ioredis';
import type { DocumentNetwork } from '../../src/oauth/metadata-documents/network.ts';
import { createAuthService } from '../../src/auth-service.ts';
import { operatorServices, publicServices } from '../../src/rpc/routes.ts';
import type { AuthTable } from '../../src/store/table.ts';
import type { MovableClock } from './clock.ts';

export const issuer = 'http://penstock.test';
const mcpUrl = 'http://mcp.test';
export const consoleUrl = 'http://penstock.test/console';
export const operatorToken = `pop_${randomBytes(16).toString('hex')}`;

/** One replica of auth behind a real port. */
export interface TestReplica {
  readonly target: string;
  readonly tokens: Client<typeof TokenService>;
  readonly oauth: Client<typeof OAuthService>;
  readonly login: Client<typeof LoginService>;
  readonly consoleSessions: Client<typeof ConsoleSessionService>;
  readonly account: Client<typeof AccountService>;
  readonly tenantAdmin: Client<typeof TenantAdminService>;
  readonly savedQueries: Client<typeof SavedQueryService>;
  /** Calls with the operator's token. */
  readonly admin: Client<typeof AdminService>;
  readonly operator: ReturnType<typeof callOptions>;
  /** All it has logged. */
  logged(): string;
  close(): Promise<void>;
}

export async function startReplica(options: {
  table: AuthTable;
  clock: MovableClock;
  keyEncryptionKeys: readonly Uint8Array[];
  documentNetwork?: DocumentNetwork;
  redis?: Redis;
  mcpUrl?: string;
}): Promise<TestReplica> {
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  const logger = createLogger({ service: 'auth', level: 'trace', destination });
  const { routes, verifier } = await createAuthService({
    redis: null,
    mcpUrl,
    consoleUrl,
    ...options,
    logger,
    issuer,
    rateLimit: { rps: 50, burst: 100 },
  });
  const server = await startRpcServer({
    host: '127.0.0.1',
    port: 0,
    routes,
    verifier,
    operatorToken,
    publicServices,
    operatorServices,
    logger,
    metrics: createMetrics('auth'),
    isReady: () => true,
  });
  const target = `ipv4:127.0.0.1:${server.port}`;
  const tokens = createRpcClient(TokenService, { target, defaultTimeoutMs: 5000 });
  const oauth = createRpcClient(OAuthService, { target, defaultTimeoutMs: 10_000 });
  const login = createRpcClient(LoginService, { target, defaultTimeoutMs: 10_000 });
  const consoleSessions = createRpcClient(ConsoleSessionService, { target, defaultTimeoutMs: 10_000 });
  const account = createRpcClient(AccountService, { target, defaultTimeoutMs: 5000 });
  const tenantAdmin = createRpcClient(TenantAdminService, { target, defaultTimeoutMs: 5000 });
  const savedQueries = createRpcClient(SavedQueryService, { target, defaultTimeoutMs: 5000 });
  const admin = createRpcClient(AdminService, { target, defaultTimeoutMs: 5000 });
  return {
    target,
    tokens: tokens.client,
    oauth: oauth.client,
    login: login.client,
    consoleSessions: consoleSessions.client,
    account: account.client,
    tenantAdmin: tenantAdmin.client,
    savedQueries: savedQueries.client,
    admin: admin.client,
    operator: callOptions({ token: operatorToken, requestId: 'test' }),
    logged: () => lines.join(''),
    async close() {
      tokens.close();
      oauth.close();
      login.close();
      consoleSessions.close();
      account.close();
      tenantAdmin.close();
      savedQueries.close();
      admin.close();
      await server.close();
    },
  };
}

/** The error that a call ends with; fails where it succeeds. */
export async function failureOf(call: Promise<unknown>): Promise<PenstockError> {
  try {
    await call;
  } catch (error) {
    return fromConnectError(error);
  }
  throw new Error('The call was expected to fail, and succeeded');
}
