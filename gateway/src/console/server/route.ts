import type { CallOptions } from '@connectrpc/connect';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { onBehalfOf } from '../../clients/service-call.ts';
import { sendData } from '../../http/answer.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { Admission } from '../../middleware/admission.ts';
import { isFromConsole } from './own-page.ts';
import type { ConsoleSessions, SignedIn } from './sessions.ts';

/** What every endpoint of the console's API is given. */
export interface ConsoleCall {
  readonly exchange: Exchange;
  readonly signedIn: SignedIn;
  /** To call services with. */
  readonly rpc: CallOptions;
}

export interface ConsoleRoutes {
  readonly sessions: ConsoleSessions;
  readonly admission: Admission;
}

interface RouteOptions {
  /** Who may use it; services check again. Absent: whoever is signed in. */
  readonly for?: 'admins';
  readonly status?: number;
  readonly timeoutMs?: number;
}

/**
 * An endpoint of the console's API: only for sessions, and only from the console's page; it counts against the tenant's
 * rate limit. What `handle` gives is sent as `data`.
 */
export function consoleRoute(
  { sessions, admission }: ConsoleRoutes,
  method: Endpoint['method'],
  path: string,
  handle: (call: ConsoleCall) => Promise<unknown>,
  options: RouteOptions = {},
): Endpoint {
  return {
    method,
    path,
    handle: async (exchange) => {
      if (!isFromConsole(exchange)) throw new PenstockError('UNAUTHORIZED', 'Unauthorized');
      const signedIn = await sessions.signedIn(exchange);
      await admission.admitCaller(exchange, signedIn, null);
      if (options.for === 'admins' && signedIn.role !== 'admin')
        throw new PenstockError('TENANT_ADMIN_REQUIRED', 'Tenant admin access required');
      const rpc = onBehalfOf(exchange, signedIn.token, options.timeoutMs);
      sendData(exchange.response, options.status ?? 200, await handle({ exchange, signedIn, rpc }));
    },
  };
}
