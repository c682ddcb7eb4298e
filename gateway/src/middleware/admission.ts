import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { AUTHORIZATION_HEADER, bearerToken } from '@penstock/common/rpc/headers.ts';
import { ATTRIBUTES } from '@penstock/common/telemetry/names.ts';
import { annotate } from '@penstock/common/telemetry/spans.ts';
import { requireScope } from '@penstock/common/token/require-scope.ts';
import type { Principal, Scope } from '@penstock/common/token/principal.ts';
import type { TokenVerifier } from '@penstock/common/token/verifier.ts';
import type { Exchange } from '../http/exchange.ts';
import type { TenantLimiter } from '../limiting/tenant-limiter.ts';
import type { RevocationList } from '../revocations/revocation-list.ts';

/** Who was let in, and the token to act with on their behalf. */
export interface Caller {
  readonly principal: Principal;
  readonly token: string;
}

/** What the console knows of its requests. */
export interface ConsoleCallers {
  isFromConsole(exchange: Exchange): boolean;
  signedIn(exchange: Exchange): Promise<Caller>;
}

export interface Admission {
  /**
   * Lets a request in: token, or session of the console (401), scope or role (403), rate limit (429), in this order.
   *
   * @throws PenstockError UNAUTHORIZED, INSUFFICIENT_SCOPE, TENANT_ADMIN_REQUIRED, RATE_LIMITED, or UNAVAILABLE while
   *   tokens cannot be checked
   */
  admit(exchange: Exchange, scope: Scope): Promise<Caller>;
  /** The same for who is known already. Without a scope: whoever they are. */
  admitCaller(exchange: Exchange, caller: Caller, scope: Scope | null): Promise<void>;
}

const NO_TOKEN =
  'The request has no token: send Authorization: Bearer and the token that POST /v1/auth/token gives';
const NO_BEARER = 'The Authorization header has no token: it is written Authorization: Bearer and the token';
const NO_REST_TOKEN = 'The token is not one of the REST API: POST /v1/auth/token gives one';
const REVOKED = 'The token was revoked: sign in again, or ask for one by POST /v1/auth/token';

/**
 * Refuses a request for want of a good token. Says which way it is bad in the answer to a query, and to all in the
 * challenge (RFC 6750, section 3): to whoever has no token without an error code, as it asks for.
 */
function refused({ response }: Exchange, why: string, hasToken: boolean): PenstockError {
  const error = hasToken ? `, error="invalid_token", error_description="${why}"` : '';
  response.setHeader('www-authenticate', `Bearer realm="penstock"${error}`);
  return new PenstockError('UNAUTHORIZED', 'Unauthorized', { detail: why });
}

export function createAdmission(options: {
  readonly verifier: TokenVerifier;
  readonly revocations: RevocationList;
  readonly limiter: TenantLimiter;
  /** Who is signed in where a request comes from the console's page; null: there is no console. */
  readonly console: ConsoleCallers | null;
}): Admission {
  const verified = async (exchange: Exchange, token: string): Promise<Principal> => {
    try {
      return await options.verifier.verify(token);
    } catch (error) {
      const isRefused = error instanceof PenstockError && error.code === 'UNAUTHORIZED';
      throw isRefused ? refused(exchange, error.detail ?? NO_REST_TOKEN, true) : error;
    }
  };

  const authenticate = async (exchange: Exchange): Promise<Caller> => {
    if (options.console?.isFromConsole(exchange) === true) return options.console.signedIn(exchange);
    const header = exchange.request.get(AUTHORIZATION_HEADER);
    const token = bearerToken(header);
    if (token === null) throw refused(exchange, header === undefined ? NO_TOKEN : NO_BEARER, false);
    const principal = await verified(exchange, token);
    // Internal tokens, of MCP calls and of the console, are for RPCs only. The REST API refuses it.
    if (principal.tokenType !== 'rest') throw refused(exchange, NO_REST_TOKEN, true);
    if (await options.revocations.isRevoked(principal)) throw refused(exchange, REVOKED, true);
    return { principal, token };
  };

  const admitCaller = async (exchange: Exchange, { principal }: Caller, scope: Scope | null) => {
    const { tenantId, principalId } = principal;
    exchange.logger.setBindings({ tenantId, principalId });
    annotate(() => ({ [ATTRIBUTES.tenantId]: tenantId }));
    if (scope !== null) requireScope(principal, scope);
    await options.limiter.admit(principal);
  };

  return Object.freeze({
    admitCaller,
    async admit(exchange: Exchange, scope: Scope): Promise<Caller> {
      const caller = await authenticate(exchange);
      await admitCaller(exchange, caller, scope);
      return caller;
    },
  });
}
