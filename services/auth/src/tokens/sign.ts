import { randomUUID } from 'node:crypto';
import type { Clock } from '@penstock/common/time/clock.ts';
import { claimsOfPrincipal, SIGNING_ALGORITHM, TOKEN_KINDS } from '@penstock/common/token/claims.ts';
import type { TokenKind } from '@penstock/common/token/claims.ts';
import type { Principal } from '@penstock/common/token/principal.ts';
import { SignJWT } from 'jose';
import type { SigningKeys } from '../keys/signing-keys.ts';

export interface TokenSigner {
  /** A JWT of the kind for the principal; lifetime, `typ` and audience are the kind's. */
  sign(principal: Omit<Principal, 'tokenType'>, kind: TokenKind): Promise<string>;
}

export function createTokenSigner(options: { keys: SigningKeys; issuer: string; clock: Clock }): TokenSigner {
  const { keys, issuer, clock } = options;
  return {
    async sign(principal, kind) {
      const { kid, privateKey } = await keys.signer();
      const { typ, audience, lifetimeS } = TOKEN_KINDS[kind];
      const nowS = Math.floor(clock.now() / 1000);
      return new SignJWT({ ...claimsOfPrincipal(principal) })
        .setProtectedHeader({ alg: SIGNING_ALGORITHM, kid, typ })
        .setIssuer(issuer)
        .setAudience(audience)
        .setJti(randomUUID())
        .setIssuedAt(nowS)
        .setExpirationTime(nowS + lifetimeS)
        .sign(privateKey);
    },
  };
}
