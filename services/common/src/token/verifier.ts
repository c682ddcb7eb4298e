import { decodeProtectedHeader, errors, jwtVerify, type JSONWebKeySet } from 'jose';
import { boundedCache } from '../caching/bounded-cache.ts';
import { PenstockError } from '../errors/penstock-error.ts';
import { systemClock, type Clock } from '../time/clock.ts';
import {
  principalClaimsSchema,
  principalFromClaims,
  SIGNING_ALGORITHM,
  TOKEN_KINDS,
  tokenKindOfTyp,
} from './claims.ts';
import { createKeySet } from './key-set.ts';
import type { Principal } from './principal.ts';

/** Longer than any token of ours; spares the work on anything longer. */
const TOKEN_CHARS_MAX = 8_192;
/**
 * How long a verified token need not be verified again, milliseconds: a signature costs more than the rest of
 * admitting a small query. Never beyond the token's expiry. Tokens of a withdrawn key end within this time.
 */
const REMEMBERED_MS = 5_000;
/** Verified tokens that are remembered. */
const REMEMBERED_TOKENS = 1_000;

export interface TokenVerifier {
  /**
   * Checks signature, algorithm, `typ`, issuer, audience and expiry. The same token within a few seconds is known.
   *
   * @throws PenstockError UNAUTHORIZED, always with the same message, its detail tells an expired token from one that is
   *   none; UNAVAILABLE when keys were never fetched
   */
  verify(token: string): Promise<Principal>;
}

interface TokenVerifierOptions {
  /** The `iss` of all our tokens: PENSTOCK_BASE_URL. */
  readonly issuer: string;
  /** Asks auth for its JWK set; must end within a time of its own. */
  readonly fetchKeySet: () => Promise<JSONWebKeySet>;
  /** How far our clocks may be apart, in seconds. */
  readonly clockSkewS?: number;
  readonly clock?: Clock;
}

const EXPIRED = 'The token has expired: ask for another by POST /v1/auth/token or POST /v1/auth/refresh';
const NOT_OURS = 'The token is not one that this service signed, or not all of it came';

const unauthorized = (cause: unknown): PenstockError =>
  new PenstockError('UNAUTHORIZED', 'Unauthorized', {
    detail: cause instanceof errors.JWTExpired ? EXPIRED : NOT_OURS,
    cause,
  });

export function createTokenVerifier(options: TokenVerifierOptions): TokenVerifier {
  const clock = options.clock ?? systemClock;
  const keySet = createKeySet(options.fetchKeySet, clock);

  const remembered = boundedCache<{ readonly principal: Principal; readonly untilMs: number }>(
    REMEMBERED_TOKENS,
  );

  const check = async (token: string): Promise<Principal> => {
    const known = remembered.get(token);
    if (known !== undefined && clock.now() < known.untilMs) return known.principal;
    remembered.delete(token);
    if (token.length > TOKEN_CHARS_MAX) throw new RangeError('token too long');
    const kind = tokenKindOfTyp(decodeProtectedHeader(token).typ);
    if (kind === undefined) throw new TypeError('token of another type');
    const { payload } = await jwtVerify(token, keySet, {
      algorithms: [SIGNING_ALGORITHM],
      typ: TOKEN_KINDS[kind].typ,
      audience: TOKEN_KINDS[kind].audience,
      issuer: options.issuer,
      requiredClaims: ['exp', 'iat', 'jti'],
      clockTolerance: options.clockSkewS ?? 2,
      currentDate: new Date(clock.now()),
    });
    const principal = principalFromClaims(principalClaimsSchema.parse(payload), kind);
    const untilMs = Math.min(clock.now() + REMEMBERED_MS, (payload.exp ?? 0) * 1000);
    remembered.set(token, { principal, untilMs });
    return principal;
  };

  return Object.freeze({
    async verify(token: string): Promise<Principal> {
      try {
        return await check(token);
      } catch (error) {
        if (error instanceof PenstockError) throw error;
        throw unauthorized(error);
      }
    },
  });
}
