import { createHash, timingSafeEqual } from 'node:crypto';
import type { Interceptor, StreamRequest, UnaryRequest } from '@connectrpc/connect';
import { PenstockError } from '../../errors/penstock-error.ts';
import type { TokenVerifier } from '../../token/verifier.ts';
import { loggerKey, principalKey, tokenKey } from '../call-context.ts';
import { AUTHORIZATION_HEADER, bearerToken } from '../headers.ts';

interface AuthenticationOptions {
  /** Null: no service here takes a tenant's token. */
  readonly verifier: TokenVerifier | null;
  /** Type names of services that need no token. */
  readonly publicServices: ReadonlySet<string>;
  /** Type names of services that need the operator's token. */
  readonly operatorServices: ReadonlySet<string>;
  readonly operatorToken: string | null;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Refuses calls without the token that their service asks for; hands the principal to the handler. */
export function authenticationInterceptor(options: AuthenticationOptions): Interceptor {
  const operatorDigest = options.operatorToken === null ? null : digest(options.operatorToken);

  const authenticate = async (request: UnaryRequest | StreamRequest): Promise<void> => {
    if (options.publicServices.has(request.service.typeName)) return;
    const token = bearerToken(request.header.get(AUTHORIZATION_HEADER));
    if (token === null) throw new PenstockError('UNAUTHORIZED', 'Unauthorized');
    if (options.operatorServices.has(request.service.typeName)) {
      // Digests have one length, so that the comparison tells nothing about the token's.
      if (operatorDigest !== null && timingSafeEqual(digest(token), operatorDigest)) return;
      throw new PenstockError('UNAUTHORIZED', 'Unauthorized');
    }
    if (options.verifier === null) throw new PenstockError('UNAUTHORIZED', 'Unauthorized');
    const principal = await options.verifier.verify(token);
    const values = request.contextValues;
    values.set(principalKey, principal);
    values.set(tokenKey, token);
    const { tenantId, principalId } = principal;
    // The call has a logger of its own.
    values.get(loggerKey)?.setBindings({ tenantId, principalId });
  };

  return (next) => async (request) => {
    await authenticate(request);
    return next(request);
  };
}
