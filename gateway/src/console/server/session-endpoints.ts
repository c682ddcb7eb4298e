import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { GatewayClients } from '../../clients/gateway-clients.ts';
import { answered } from '../../clients/service-call.ts';
import { sendData } from '../../http/answer.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import {
  ALLOWLIST_TABLES_MAX,
  BUDGET_UNITS_MAX,
  NAME_CHARS_MAX,
  ROWS_MAX,
  SAVED_QUERIES_MAX,
  SAVED_QUERY_NAME_CHARS_MAX,
  SQL_BYTES_MAX,
  TENANT_CLIENTS_MAX,
  TENANT_PEOPLE_MAX,
  TIMEOUT_MS_MAX,
  USAGE_RANGE_DAYS_MAX,
} from '../../limits.ts';
import { PATHS } from '../api/paths.ts';
import type { ConsoleLimits, ConsoleSession, SignedOut } from '../api/session.ts';
import { isFromConsole } from './own-page.ts';
import { consoleRoute, type ConsoleRoutes } from './route.ts';
import type { SignedIn } from './sessions.ts';
import { timestampOf } from './timestamp.ts';

const LIMITS: ConsoleLimits = Object.freeze({
  sqlBytesMax: SQL_BYTES_MAX,
  rowsPerPageMax: ROWS_MAX,
  timeoutMsMax: TIMEOUT_MS_MAX,
  allowlistTablesMax: ALLOWLIST_TABLES_MAX,
  usageRangeDaysMax: USAGE_RANGE_DAYS_MAX,
  nameCharsMax: NAME_CHARS_MAX,
  clientsMax: TENANT_CLIENTS_MAX,
  peopleMax: TENANT_PEOPLE_MAX,
  savedQueriesMax: SAVED_QUERIES_MAX,
  savedQueryNameCharsMax: SAVED_QUERY_NAME_CHARS_MAX,
  unitsOfBudgetMax: BUDGET_UNITS_MAX,
});

interface SessionRouteOptions extends ConsoleRoutes {
  readonly account: GatewayClients['account'];
  readonly baseUrl: string;
  readonly mcpUrl: string;
}

/** Who is signed in, and the end of that. */
export function sessionEndpoints(options: SessionRouteOptions): readonly Endpoint[] {
  const { sessions, account, baseUrl, mcpUrl } = options;

  const shown = (signedIn: SignedIn): ConsoleSession => ({
    sessionId: signedIn.sessionId,
    user: { userId: signedIn.principal.principalId, email: signedIn.email, role: signedIn.role },
    tenant: { tenantId: signedIn.principal.tenantId, name: signedIn.tenantName },
    scopes: signedIn.principal.scopes,
    signedInAt: timestampOf(signedIn.signedInAtS),
    expiresAt: timestampOf(signedIn.expiresAtS),
    urls: { base: baseUrl, mcp: `${mcpUrl}/mcp` },
    limits: LIMITS,
  });

  const signOut: Endpoint = {
    method: 'post',
    path: PATHS.signOut,
    handle: async (exchange) => {
      // A session that has ended can be signed out of, too.
      if (!isFromConsole(exchange)) throw new PenstockError('UNAUTHORIZED', 'Unauthorized');
      await sessions.end(exchange);
      sendData(exchange.response, 200, { signedOut: true } satisfies SignedOut);
    },
  };

  return [
    consoleRoute(options, 'get', PATHS.session, async ({ signedIn }) => shown(signedIn)),
    signOut,
    consoleRoute(options, 'post', PATHS.signOutEverywhere, async ({ exchange, signedIn, rpc }) => {
      await answered(account.removeAllSessions({}, rpc));
      sessions.forgetUser(signedIn.principal.principalId);
      sessions.clearCookie(exchange);
      return { signedOut: true } satisfies SignedOut;
    }),
  ];
}
