/** Who a session is of, and the token that it acts with. */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { Principal } from '@penstock/common/token/principal.ts';
import { uuidV7 } from '@penstock/common/ids/uuid.ts';
import type { GatewayClients } from '../../clients/gateway-clients.ts';
import { answered, onBehalfOf } from '../../clients/service-call.ts';
import type { RevocationList } from '../../revocations/revocation-list.ts';
import { PgError } from '../errors/pg-error.ts';
import { TOKEN_RENEWAL_MS } from '../limits.ts';

export interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresInS: number;
}

export interface Identity {
  readonly principal: Principal;
  /** @throws PgError FATAL once the client was disabled or has another secret */
  token(): Promise<string>;
  /** @throws the same */
  check(): Promise<void>;
}

export const revoked = (): PgError =>
  new PgError({
    code: '57P01',
    message: 'terminating connection: the client was disabled, or has another secret',
    hint: 'connect again with the present secret',
    severity: 'FATAL',
  });

export function createIdentity(
  principal: Principal,
  pair: TokenPair,
  parts: { readonly tokens: GatewayClients['tokens']; readonly revocations: RevocationList },
): Identity {
  let { accessToken } = pair;
  let expiresAt = performance.now() + pair.expiresInS * 1000;
  let renewing: Promise<void> | null = null;

  const renew = async (): Promise<void> => {
    const options = onBehalfOf({ requestId: uuidV7(), signal: new AbortController().signal }, null);
    try {
      const { refreshToken } = pair;
      const renewed = await answered(parts.tokens.refreshToken({ refreshToken }, options));
      accessToken = renewed.accessToken;
      expiresAt = performance.now() + renewed.expiresInS * 1000;
    } catch (error) {
      if (error instanceof PenstockError && error.code === 'UNAUTHORIZED') throw revoked();
      throw error;
    }
  };
  const check = async (): Promise<void> => {
    if (await parts.revocations.isRevoked(principal)) throw revoked();
  };
  return {
    principal,
    check,
    async token() {
      await check();
      if (expiresAt - performance.now() < TOKEN_RENEWAL_MS)
        await (renewing ??= renew().finally(() => (renewing = null)));
      return accessToken;
    },
  };
}
