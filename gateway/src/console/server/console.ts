/** The console's server: its sessions, which /v1 takes too, and all of its endpoints. */
import type { Clock } from '@penstock/common/time/clock.ts';
import type { GatewayClients } from '../../clients/gateway-clients.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { WrongTries } from '@penstock/common/throttling/wrong-tries.ts';
import type { Admission, ConsoleCallers } from '../../middleware/admission.ts';
import type { RevocationList } from '../../revocations/revocation-list.ts';
import { CONSOLE_PATH } from '../api/protocol.ts';
import { accountEndpoints } from './account.ts';
import { budgetEndpoints } from './budgets.ts';
import type { ConsoleBundle } from './bundle.ts';
import { catalogEndpoints } from './catalog.ts';
import { clientEndpoints } from './clients.ts';
import { connectEndpoints } from './connect.ts';
import { createConsoleCookies } from './cookies.ts';
import { isFromConsole } from './own-page.ts';
import { pageEndpoints } from './pages.ts';
import { peopleEndpoints } from './people.ts';
import { savedQueryEndpoints } from './saved-queries.ts';
import { sessionEndpoints } from './session-endpoints.ts';
import { createConsoleSessions } from './sessions.ts';
import { signInEndpoints } from './sign-in.ts';
import { sqlReferenceEndpoints } from './sql-reference.ts';
import { usageByPrincipalEndpoints } from './usage.ts';

export interface ConsoleSettings {
  /** Where people open it. */
  readonly consoleUrl: string;
  /** The AWS account that roles have to trust; null: the operator has not said. */
  readonly serviceAccountId: string | null;
  /** Where CloudFormation finds the role's template; null: the operator has not said. */
  readonly roleTemplateUrl: string | null;
  /** What the browser runs; null: not built. */
  readonly bundle: ConsoleBundle | null;
}

/** The settings of a gateway that was told none. */
export const unbuiltConsole = (baseUrl: string): ConsoleSettings => ({
  consoleUrl: new URL(CONSOLE_PATH, baseUrl).href,
  serviceAccountId: null,
  roleTemplateUrl: null,
  bundle: null,
});

interface ConsoleOptions {
  readonly clients: GatewayClients;
  readonly revocations: RevocationList;
  readonly wrongTokens: WrongTries;
  readonly settings: ConsoleSettings & { readonly baseUrl: string; readonly mcpUrl: string };
  readonly clock: Clock;
}

interface Console {
  readonly callers: ConsoleCallers;
  readonly endpoints: (admission: Admission) => readonly Endpoint[];
}

export function createConsole({
  clients,
  revocations,
  wrongTokens,
  settings,
  clock,
}: ConsoleOptions): Console {
  const { consoleUrl, mcpUrl, baseUrl, bundle } = settings;
  const cookies = createConsoleCookies(consoleUrl);
  const rpc = clients.consoleSessions;
  const { origin } = new URL(consoleUrl);
  const sessions = createConsoleSessions({ rpc, cookies, revocations, wrongTokens, origin, clock });
  return Object.freeze({
    callers: { isFromConsole, signedIn: (exchange: Exchange) => sessions.signedIn(exchange) },
    endpoints: (admission: Admission) => {
      const routes = { sessions, admission };
      return [
        ...signInEndpoints({ rpc, cookies, wrongTokens, consoleUrl, mcpUrl }),
        ...sessionEndpoints({ ...routes, account: clients.account, baseUrl, mcpUrl }),
        ...accountEndpoints({ ...routes, account: clients.account }),
        ...clientEndpoints({ ...routes, tenantAdmin: clients.tenantAdmin }),
        ...peopleEndpoints({ ...routes, tenantAdmin: clients.tenantAdmin }),
        ...budgetEndpoints({ ...routes, ...clients, clock }),
        ...usageByPrincipalEndpoints({ ...routes, ...clients, clock }),
        ...savedQueryEndpoints({ ...routes, savedQueries: clients.savedQueries }),
        ...catalogEndpoints({ ...routes, catalog: clients.catalog }),
        ...sqlReferenceEndpoints(routes),
        ...connectEndpoints({ ...routes, ...settings }),
        ...pageEndpoints(bundle, consoleUrl),
      ];
    },
  });
}
