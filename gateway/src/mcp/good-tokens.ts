import { createHash } from 'node:crypto';
import type { Clock } from '@penstock/common/time/clock.ts';
import { GOOD_TOKENS_MAX } from './limits.ts';

/**
 * Tokens that were good a moment ago. Their holders are not throttled because of others who guess at the same
 * address. It lets nobody in, since every token is still looked up at each call. Only hashes are kept.
 */
export interface GoodTokens {
  has(token: string): boolean;
  add(token: string, expiresAtS: number): void;
  remove(token: string): void;
}

const keyOf = (token: string): string => createHash('sha256').update(token).digest('base64url');

export function createGoodTokens(clock: Clock, tokensMax: number = GOOD_TOKENS_MAX): GoodTokens {
  const expiries = new Map<string, number>();
  return Object.freeze({
    has: (token: string): boolean => (expiries.get(keyOf(token)) ?? 0) * 1000 > clock.now(),
    add(token: string, expiresAtS: number): void {
      const key = keyOf(token);
      expiries.delete(key);
      expiries.set(key, expiresAtS);
      const [oldest] = expiries.keys();
      if (expiries.size > tokensMax && oldest !== undefined) expiries.delete(oldest);
    },
    remove: (token: string): void => void expiries.delete(keyOf(token)),
  });
}
