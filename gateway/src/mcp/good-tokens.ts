import { createHash } from 'node:crypto';
import type { Clock } from '@penstock/common/time/clock.ts';
import { GOOD_TOKENS_MAX } from './limits.ts';

/**
 * Tokens that were good a moment ago, so that their holders go on where others at the same address guess. It lets nobody
 * in: each is looked up at each call all the same. Only hashes are kept.
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
