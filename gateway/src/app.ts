import express, { type Express } from 'express';
import type { Logger } from '@penstock/common/logging/logger.ts';
import { fetchKeySet } from '@penstock/common/rpc/key-set-client.ts';
import type { Metrics } from '@penstock/common/telemetry/metrics.ts';
import { systemClock, type Clock } from '@penstock/common/time/clock.ts';
import type { TokenVerifier } from '@penstock/common/token/verifier.ts';
import type { UsageRecorder } from '@penstock/common/usage/recorder.ts';
import type { GatewayClients } from './clients/gateway-clients.ts';
import { createConsole, unbuiltConsole, type ConsoleSettings } from './console/server/console.ts';
import type { Endpoint } from './http/endpoint.ts';
import type { Guesses } from './limiting/guesses.ts';
import type { TenantLimiter } from './limiting/tenant-limiter.ts';
import { POLL_TIMEOUT_MS } from './limits.ts';
import { hostedPageEndpoints } from './login/endpoints.ts';
import { createRunningCalls, type RunningCalls } from './mcp/running-calls.ts';
import { originGuard } from './mcp/origin-guard.ts';
import { MCP_PATH, mcpEndpoints } from './mcp/endpoint.ts';
import { accessLog } from './middleware/access-log.ts';
import { createAdmission } from './middleware/admission.ts';
import { closeWhileDraining } from './middleware/drain.ts';
import { errorMiddleware, notFound } from './middleware/errors.ts';
import { beginExchange } from './middleware/begin-exchange.ts';
import { securityHeaders } from './middleware/security-headers.ts';
import { traced } from './middleware/traced.ts';
import { endUnreadResponses } from './middleware/unread-responses.ts';
import { oauthCors } from './oauth/cors.ts';
import { oauthEndpoints } from './oauth/endpoints.ts';
import { openApiDocument } from './openapi/document.ts';
import type { RevocationList } from './revocations/revocation-list.ts';
import { authEndpoints } from './routes/auth.ts';
import { NO_BROKEN_RESULTS, type BrokenResults } from './routes/broken-results.ts';
import { metaEndpoints } from './routes/meta.ts';
import { mount } from './routes/mount.ts';
import { queryEndpoints } from './routes/query.ts';
import { runningQueryEndpoints } from './routes/running-queries.ts';
import { schemaEndpoints } from './routes/schemas.ts';
import { usageEndpoints } from './routes/usage.ts';
import { createQueryUsage } from './usage/query-usage.ts';

export interface AppOptions {
  readonly clients: GatewayClients;
  readonly verifier: TokenVerifier;
  readonly revocations: RevocationList;
  readonly limiter: TenantLimiter;
  readonly guesses: Guesses;
  readonly usage: Pick<UsageRecorder, 'record' | 'ensureAble'>;
  /** Shared with other replicas; this one's own where absent. */
  readonly runningCalls?: RunningCalls;
  /** None is known later where absent. */
  readonly brokenResults?: BrokenResults;
  readonly settings: {
    readonly baseUrl: string;
    readonly mcpUrl: string;
    /** Beyond the host of `mcpUrl` (see OriginGuard); none where absent. */
    readonly mcpAllowedHosts?: readonly string[];
    readonly mcpAllowedOrigins?: readonly string[];
    /** Addresses or networks of proxies whose x-forwarded-for counts; none where empty. */
    readonly trustedProxies: readonly string[];
    /** Where absent, the console stands at the base URL, unbuilt. */
    readonly console?: ConsoleSettings;
  };
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** What /readyz says; an app that is no longer ready closes connections after their answer. */
  readonly isReady: () => boolean;
  readonly clock?: Clock;
}

/** The REST API, MCP, the hosted pages and the console. Everything it needs is handed in, so that tests can run it over services of their own. */
export function createApp(options: AppOptions): Express {
  const { clients, guesses, logger, isReady, settings, brokenResults = NO_BROKEN_RESULTS } = options;
  const clock = options.clock ?? systemClock;
  const console = createConsole({
    ...{ clients, clock, revocations: options.revocations, wrongTokens: guesses.tokens },
    settings: { ...settings, ...(settings.console ?? unbuiltConsole(settings.baseUrl)) },
  });
  const admission = createAdmission({ ...options, console: console.callers });
  const usage = createQueryUsage(options.usage, clock);
  const resource = new URL(`${settings.mcpUrl}${MCP_PATH}`);
  const endpoints: readonly Endpoint[] = [
    ...authEndpoints({ tokens: clients.tokens, guesses }),
    ...queryEndpoints({ admission, queries: clients.queries, usage, brokenResults }),
    ...runningQueryEndpoints({ admission, queries: clients.queries, brokenResults }),
    ...schemaEndpoints({ admission, schemas: clients.schemas }),
    ...usageEndpoints({ admission, usage: clients.usage, clock }),
    ...mcpEndpoints({
      clients,
      limiter: options.limiter,
      usage,
      clock,
      running: options.runningCalls ?? createRunningCalls(),
      wrongTokens: guesses.tokens,
      resource,
      baseUrl: settings.baseUrl,
    }),
    ...oauthEndpoints(clients.oauth, guesses.tokens),
    ...hostedPageEndpoints(clients, guesses.tokens),
    ...metaEndpoints({
      fetchKeySet: () => fetchKeySet(clients.tokens, POLL_TIMEOUT_MS),
      document: openApiDocument(settings.baseUrl),
      isReady,
    }),
    ...console.endpoints(admission),
  ];

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('query parser', false);
  app.set('trust proxy', [...settings.trustedProxies]);
  app.use(beginExchange(logger));
  app.use(traced());
  app.use(accessLog(options.metrics));
  app.use(endUnreadResponses());
  app.use(securityHeaders());
  app.use(closeWhileDraining(() => !isReady()));
  app.use(oauthCors());
  app.use(
    originGuard({
      resource,
      allowedHosts: settings.mcpAllowedHosts ?? [],
      allowedOrigins: settings.mcpAllowedOrigins ?? [],
    }),
  );
  mount(app, endpoints);
  app.use(notFound());
  app.use(errorMiddleware());
  return app;
}
