import type { Rate, TokenBuckets, WaitS } from './token-bucket.ts';
import { TOKENS_AHEAD_MAX, TOKENS_AHEAD_MS, TOKENS_AHEAD_SHARE } from '../limits.ts';

/** Buckets that several gateways share. */
export interface TokenStore {
  /**
   * Takes `need` tokens (0 or 1) and, while at least half of the burst is left, `ahead` more; a negative `ahead` gives
   * tokens back. `spare` is what was taken ahead.
   */
  take(
    key: string,
    rate: Rate,
    need: 0 | 1,
    ahead: number,
  ): Promise<{ readonly waitS: WaitS; readonly spare: number }>;
}

/** Tokens left when more are asked for. */
const REFILL_AT = 1;

interface Spare {
  tokens: number;
  readonly rate: Rate;
  readonly expiry: NodeJS.Timeout;
}

/** How many to take ahead; none where the burst is small. */
const aheadOf = ({ burst }: Rate): number =>
  Math.min(TOKENS_AHEAD_MAX, Math.floor(burst * TOKENS_AHEAD_SHARE));

/**
 * Takes a few tokens ahead, so that most requests of a busy tenant need not wait for the store. The limit stays
 * exact, since each request still needs a token of the bucket. Unused tokens are given back soon. They are taken only
 * while the bucket is at least half full, so no other gateway misses them.
 */
export function createBucketsAhead(store: TokenStore): TokenBuckets {
  const spares = new Map<string, Spare>();
  /** Keys for which tokens are being taken ahead now. */
  const asking = new Set<string>();

  const drop = (key: string): number => {
    const spare = spares.get(key);
    if (spare === undefined) return 0;
    spares.delete(key);
    clearTimeout(spare.expiry);
    return spare.tokens;
  };
  const keep = (key: string, rate: Rate, more: number): void => {
    const tokens = drop(key) + more;
    const giveBack = (): void => {
      const unused = drop(key);
      // Tokens that cannot be given back are refilled at the bucket's own rate.
      if (unused > 0) store.take(key, rate, 0, -unused).catch(() => undefined);
    };
    const expiry = setTimeout(giveBack, TOKENS_AHEAD_MS);
    expiry.unref();
    spares.set(key, { tokens, rate, expiry });
  };
  const ask = async (key: string, rate: Rate, need: 0 | 1): Promise<WaitS> => {
    const ahead = asking.has(key) ? 0 : aheadOf(rate);
    if (ahead === 0) return (await store.take(key, rate, need, 0)).waitS;
    asking.add(key);
    try {
      const { waitS, spare } = await store.take(key, rate, need, ahead);
      if (spare > 0) keep(key, rate, spare);
      return waitS;
    } finally {
      asking.delete(key);
    }
  };
  const refill = (key: string, rate: Rate): void => {
    if (!asking.has(key)) ask(key, rate, 0).catch(() => undefined);
  };
  const takeSpare = (key: string): boolean => {
    const spare = spares.get(key);
    if (spare === undefined || spare.tokens === 0) return false;
    spare.tokens--;
    // Later, so that the request that is let in here does not wait for it.
    if (spare.tokens === REFILL_AT) setImmediate(refill, key, spare.rate);
    return true;
  };

  return Object.freeze({
    async take(key: string, rate: Rate): Promise<WaitS> {
      if (takeSpare(key)) return null;
      const waitS = await ask(key, rate, 1);
      // Another request may have taken tokens ahead meanwhile.
      return waitS !== null && takeSpare(key) ? null : waitS;
    },
  });
}
