import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Client } from '@connectrpc/connect';
import { LoginService } from '@penstock/common/gen/penstock/auth/v1/login_pb.js';
import { OAuthService } from '@penstock/common/gen/penstock/auth/v1/oauth_pb.js';
import { TokenService } from '@penstock/common/gen/penstock/auth/v1/token_pb.js';
import { QueryService } from '@penstock/common/gen/penstock/query/v1/query_pb.js';
import { CatalogService } from '@penstock/common/gen/penstock/schema/v1/catalog_pb.js';
import { SchemaService, type ReadLimitsSchema } from '@penstock/common/gen/penstock/schema/v1/schema_pb.js';
import { UsageService } from '@penstock/common/gen/penstock/usage/v1/usage_pb.js';
import { createRpcClient } from '@penstock/common/rpc/client.ts';
import { ACCOUNT_RPC_TIMEOUT_MS, TIMEOUT_MS_MAX, RPC_TIMEOUT_MS } from '../limits.ts';

/** Every service that the gateway calls. */
export interface GatewayClients {
  readonly tokens: Client<typeof TokenService>;
  readonly oauth: Client<typeof OAuthService>;
  readonly login: Client<typeof LoginService>;
  readonly queries: Client<typeof QueryService>;
  readonly schemas: Client<typeof SchemaService>;
  readonly catalog: Client<typeof CatalogService>;
  readonly usage: Client<typeof UsageService>;
}

/** What services answer, for those who turn it into HTTP. */
export {
  QueryState,
  type PlanResponse,
  type QueryProgress,
} from '@penstock/common/gen/penstock/query/v1/query_pb.js';
export type { RefreshMetadataResponse, Schema } from '@penstock/common/gen/penstock/schema/v1/schema_pb.js';
export type { UsageCounts } from '@penstock/common/gen/penstock/usage/v1/usage_pb.js';

/** Read limits as they are sent. */
export type ReadLimitsMessage = MessageInitShape<typeof ReadLimitsSchema>;

/** gRPC targets, as in the settings. */
interface ServiceTargets {
  readonly auth: string;
  readonly engine: string;
  readonly registry: string;
  readonly usage: string;
}

interface ConnectedClients {
  readonly clients: GatewayClients;
  /** Resolves when every service can be reached, or the time is over. */
  readonly connected: (timeoutMs: number) => Promise<boolean>;
  readonly close: () => void;
}

export function connectClients(targets: ServiceTargets): ConnectedClients {
  const tokens = createRpcClient(TokenService, { target: targets.auth, defaultTimeoutMs: RPC_TIMEOUT_MS });
  const oauth = createRpcClient(OAuthService, { target: targets.auth, defaultTimeoutMs: RPC_TIMEOUT_MS });
  const login = createRpcClient(LoginService, { target: targets.auth, defaultTimeoutMs: RPC_TIMEOUT_MS });
  const queries = createRpcClient(QueryService, { target: targets.engine, defaultTimeoutMs: TIMEOUT_MS_MAX });
  const schemas = createRpcClient(SchemaService, {
    target: targets.registry,
    defaultTimeoutMs: ACCOUNT_RPC_TIMEOUT_MS,
  });
  const catalog = createRpcClient(CatalogService, {
    target: targets.registry,
    defaultTimeoutMs: RPC_TIMEOUT_MS,
  });
  const usage = createRpcClient(UsageService, { target: targets.usage, defaultTimeoutMs: RPC_TIMEOUT_MS });
  const all = [tokens, oauth, login, queries, schemas, catalog, usage];
  return {
    clients: Object.freeze({
      tokens: tokens.client,
      oauth: oauth.client,
      login: login.client,
      queries: queries.client,
      schemas: schemas.client,
      catalog: catalog.client,
      usage: usage.client,
    }),
    connected: async (timeoutMs) =>
      (await Promise.all(all.map((client) => client.connected(timeoutMs)))).every(Boolean),
    close: () => all.forEach(({ close }) => close()),
  };
}
