import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { bearerToken } from '@penstock/common/rpc/headers.ts';
import { isScope, type Principal } from '@penstock/common/token/principal.ts';
import type { GatewayClients } from '../clients/gateway-clients.ts';
import { answered, onBehalfOf } from '../clients/service-call.ts';
import type { Exchange } from '../http/exchange.ts';
import type { WrongTries } from '@penstock/common/throttling/wrong-tries.ts';
import type { Caller } from '../middleware/admission.ts';
import type { GoodTokens } from './good-tokens.ts';

const unauthorized = (cause?: unknown): PenstockError =>
  new PenstockError('UNAUTHORIZED', 'A valid access token is required', { cause });

export interface AuthenticationOptions {
  readonly oauth: Pick<GatewayClients['oauth'], 'verifyAccessToken'>;
  readonly resource: URL;
  readonly wrongTokens: WrongTries;
  readonly goodTokens: GoodTokens;
}

/**
 * Finds out whose token came with the request. Auth looks it up each time, so that a revocation counts from the next
 * call on. Auth gives a short-lived internal token, which acts for the caller from here on.
 *
 * @param authorization the request's header
 * @throws PenstockError UNAUTHORIZED for whatever is no token of this resource, a REST token too; RATE_LIMITED where
 *   the address has presented too many such; UNAVAILABLE while auth is away
 */
export async function authenticate(
  authorization: string | undefined,
  exchange: Pick<Exchange, 'requestId' | 'signal' | 'request'>,
  options: AuthenticationOptions,
): Promise<Caller> {
  const { oauth, resource, wrongTokens, goodTokens } = options;
  const accessToken = bearerToken(authorization);
  if (accessToken === null) throw unauthorized();
  const verify = () =>
    answered(oauth.verifyAccessToken({ accessToken }, onBehalfOf(exchange, null))).catch((error: unknown) => {
      goodTokens.remove(accessToken);
      // A token that is too long to be looked up is not ours either.
      const isWrong =
        error instanceof PenstockError && ['UNAUTHORIZED', 'VALIDATION_ERROR'].includes(error.code);
      throw isWrong ? unauthorized(error) : error;
    });
  const verified = await (goodTokens.has(accessToken)
    ? verify()
    : wrongTokens.attempt(exchange, verify, { code: 'UNAUTHORIZED' }));
  goodTokens.add(accessToken, Number(verified.expiresAt));
  if (verified.resource !== resource.href) throw unauthorized();
  const { rateLimitRps: rps, rateLimitBurst: burst } = verified;
  const principal: Principal = Object.freeze({
    tenantId: verified.tenantId,
    principalId: verified.principalId,
    principalType: verified.principalType === 'user' ? 'user' : 'client',
    scopes: verified.scopes.filter(isScope),
    role: verified.role === 'admin' ? 'admin' : verified.role === 'member' ? 'member' : null,
    generation: Number(verified.generation),
    rateLimit: rps === undefined || burst === undefined ? null : { rps, burst },
    tokenType: 'mcp',
  });
  return { principal, token: verified.internalToken };
}
