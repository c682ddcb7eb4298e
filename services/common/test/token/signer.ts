/** Signs tokens for tests as auth does, with every part open to change. */
import { randomUUID } from 'node:crypto';
import {
  exportJWK,
  generateKeyPair,
  SignJWT,
  type CryptoKey,
  type JSONWebKeySet,
  type JWTPayload,
} from 'jose';
import { claimsOfPrincipal, SIGNING_ALGORITHM, TOKEN_KINDS } from '../../src/token/claims.ts';
import type { Principal } from '../../src/token/principal.ts';

export const ISSUER = 'http://localhost:8080';

export const CLIENT: Principal = Object.freeze({
  tenantId: 'tenant-1',
  principalId: 'client-1',
  principalType: 'client',
  scopes: Object.freeze(['query', 'schemas:read'] as const),
  role: null,
  generation: 3,
  rateLimit: null,
  tokenType: 'rest',
});

export interface TestSigner {
  readonly keySet: JSONWebKeySet;
  readonly publicKey: CryptoKey;
  /** A token for the principal; `header` and `claims` replace parts of it (undefined removes a claim). */
  sign(
    principal?: Principal,
    change?: { header?: Record<string, unknown>; claims?: JWTPayload & Record<string, unknown> },
  ): Promise<string>;
}

export async function createTestSigner(kid = 'key-1'): Promise<TestSigner> {
  const { privateKey, publicKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid, alg: SIGNING_ALGORITHM, use: 'sig' };
  return {
    keySet: { keys: [jwk] },
    publicKey,
    sign(principal = CLIENT, change = {}) {
      const kind = TOKEN_KINDS[principal.tokenType];
      const nowS = Math.floor(Date.now() / 1000);
      const claims = {
        ...claimsOfPrincipal(principal),
        iss: ISSUER,
        aud: kind.audience,
        iat: nowS,
        exp: nowS + kind.lifetimeS,
        jti: randomUUID(),
        ...change.claims,
      };
      return new SignJWT(claims)
        .setProtectedHeader({ alg: SIGNING_ALGORITHM, kid, typ: kind.typ, ...change.header })
        .sign(privateKey);
    },
  };
}
