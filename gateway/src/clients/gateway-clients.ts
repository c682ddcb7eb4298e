import type { DescService, MessageInitShape } from '@bufbuild/protobuf';
import type { Client } from '@connectrpc/connect';
import { AccountService, ConsoleSessionService } from '@penstock/common/gen/penstock/auth/v1/console_pb.js';
import { LoginService } from '@penstock/common/gen/penstock/auth/v1/login_pb.js';
import { OAuthService } from '@penstock/common/gen/penstock/auth/v1/oauth_pb.js';
import { SavedQueryService } from '@penstock/common/gen/penstock/auth/v1/saved_query_pb.js';
import { TenantAdminService } from '@penstock/common/gen/penstock/auth/v1/tenant_admin_pb.js';
import { TokenService } from '@penstock/common/gen/penstock/auth/v1/token_pb.js';
import { QueryService } from '@penstock/common/gen/penstock/query/v1/query_pb.js';
import { CatalogService } from '@penstock/common/gen/penstock/schema/v1/catalog_pb.js';
import { SchemaService, type ReadLimitsSchema } from '@penstock/common/gen/penstock/schema/v1/schema_pb.js';
import { UsageBreakdownService } from '@penstock/common/gen/penstock/usage/v1/breakdown_pb.js';
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
  readonly consoleSessions: Client<typeof ConsoleSessionService>;
  readonly account: Client<typeof AccountService>;
  readonly tenantAdmin: Client<typeof TenantAdminService>;
  readonly savedQueries: Client<typeof SavedQueryService>;
  readonly usageBreakdown: Client<typeof UsageBreakdownService>;
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

/** Names of the services, as those who run them know them. */
const SERVICES = Object.freeze({
  auth: 'auth',
  engine: 'query-engine',
  registry: 'schema-registry',
  usage: 'usage-metering',
});

type Service = keyof typeof SERVICES;
export type ServiceName = (typeof SERVICES)[Service];

/** gRPC targets, as in the settings. */
type ServiceTargets = Readonly<Record<Service, string>>;

type ConnectedClient = Pick<ReturnType<typeof createRpcClient>, 'connected' | 'isAway' | 'close'>;

interface ConnectedClients {
  readonly clients: GatewayClients;
  /** Resolves when every service can be reached, or the time is over. */
  readonly connected: (timeoutMs: number) => Promise<boolean>;
  /** The services that cannot be reached now, each once. */
  readonly away: () => readonly ServiceName[];
  readonly close: () => void;
}

export function connectClients(targets: ServiceTargets): ConnectedClients {
  const all: (ConnectedClient & { readonly of: Service })[] = [];
  const connect = <Described extends DescService>(
    service: Described,
    of: Service,
    defaultTimeoutMs: number = RPC_TIMEOUT_MS,
  ): Client<Described> => {
    const connected = createRpcClient(service, { target: targets[of], defaultTimeoutMs });
    all.push({ ...connected, of });
    return connected.client;
  };
  return {
    clients: Object.freeze({
      tokens: connect(TokenService, 'auth'),
      oauth: connect(OAuthService, 'auth'),
      login: connect(LoginService, 'auth'),
      queries: connect(QueryService, 'engine', TIMEOUT_MS_MAX),
      schemas: connect(SchemaService, 'registry', ACCOUNT_RPC_TIMEOUT_MS),
      catalog: connect(CatalogService, 'registry'),
      usage: connect(UsageService, 'usage'),
      consoleSessions: connect(ConsoleSessionService, 'auth'),
      account: connect(AccountService, 'auth'),
      tenantAdmin: connect(TenantAdminService, 'auth'),
      savedQueries: connect(SavedQueryService, 'auth'),
      usageBreakdown: connect(UsageBreakdownService, 'usage'),
    }),
    connected: async (timeoutMs) =>
      (await Promise.all(all.map((client) => client.connected(timeoutMs)))).every(Boolean),
    away: () => [...new Set(all.filter(({ isAway }) => isAway()).map(({ of }) => SERVICES[of]))],
    close: () => all.forEach(({ close }) => close()),
  };
}
