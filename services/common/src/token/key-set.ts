import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { PenstockError } from '../errors/penstock-error.ts';
import type { Clock } from '../time/clock.ts';

/** An invented key ID must not make us ask auth each time. */
const REFETCH_INTERVAL_MS_MIN = 2_000;
/** Keys that auth no longer lists stop counting within this time. */
const KEY_SET_AGE_MS_MAX = 300_000;

/**
 * The public keys, fetched when first needed, when a key ID is unknown, and when old. While auth is away the last known
 * keys go on verifying.
 *
 * @throws PenstockError UNAVAILABLE when keys were never fetched
 */
export function createKeySet(fetchKeySet: () => Promise<JSONWebKeySet>, clock: Clock): JWTVerifyGetKey {
  let known: ReturnType<typeof createLocalJWKSet> | null = null;
  let triedAt = Number.NEGATIVE_INFINITY;
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let inFlight: Promise<void> | null = null;
  let lastError: unknown;

  const fetchNow = async (): Promise<void> => {
    triedAt = clock.now();
    try {
      known = createLocalJWKSet(await fetchKeySet());
      fetchedAt = clock.now();
    } catch (error) {
      lastError = error;
    }
  };
  const refresh = (): Promise<void> => {
    inFlight ??= fetchNow().finally(() => {
      inFlight = null;
    });
    return inFlight;
  };
  const mayAsk = (): boolean => inFlight !== null || clock.now() - triedAt >= REFETCH_INTERVAL_MS_MIN;

  return async (header, token) => {
    if (known === null) await refresh();
    else if (clock.now() - fetchedAt > KEY_SET_AGE_MS_MAX && mayAsk()) void refresh();
    if (known === null) {
      throw new PenstockError('UNAVAILABLE', 'Tokens cannot be checked at the moment; try again', {
        retryAfterS: 1,
        cause: lastError,
      });
    }
    try {
      return await known(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || !mayAsk()) throw error;
      await refresh();
      return await known(header, token);
    }
  };
}
