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

const unauthorized = (): PenstockError => new PenstockError('UNAUTHORIZED', 'Unauthorized');

export function createAdmission(options: {
  readonly verifier: TokenVerifier;
  readonly revocations: RevocationList;
  readonly limiter: TenantLimiter;
  /** Who is signed in where a request comes from the console's page; null: there is no console. */
  readonly console: ConsoleCallers | null;
}): Admission {
  const authenticate = async (exchange: Exchange): Promise<Caller> => {
    if (options.console?.isFromConsole(exchange) === true) return options.console.signedIn(exchange);
    const token = bearerToken(exchange.request.get(AUTHORIZATION_HEADER));
    if (token === null) throw unauthorized();
    const principal = await options.verifier.verify(token);
    // Internal tokens, of MCP calls and of the console, are for RPCs only. The REST API refuses it.
    if (principal.tokenType !== 'rest') throw unauthorized();
    if (await options.revocations.isRevoked(principal)) throw unauthorized();
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
