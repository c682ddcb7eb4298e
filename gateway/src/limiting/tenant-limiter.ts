import { setTimeout as sleep } from 'node:timers/promises';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { Principal } from '@penstock/common/token/principal.ts';
import { PACE_S_MAX } from '../limits.ts';
import type { Rate, TokenBuckets } from './token-bucket.ts';

/** One limit for all requests of a tenant, whichever client sends them. */
export interface TenantLimiter {
  /** @throws PenstockError RATE_LIMITED with the time to wait */
  admit(principal: Principal): Promise<void>;
}

/** A limit that also has somebody wait. */
export interface PacingLimiter extends TenantLimiter {
  /**
   * The same for what nobody sends again by itself: waits until it may go on, for so long.
   *
   * @throws PenstockError RATE_LIMITED where that takes longer; the signal's reason
   */
  pace(principal: Principal, signal: AbortSignal): Promise<void>;
}

/** A tenant's own limits, which its tokens carry, win over the deployment's. `onRefusal` is told of each refusal. */
export function createTenantLimiter(
  buckets: TokenBuckets,
  defaults: Rate,
  onRefusal?: () => void,
): PacingLimiter {
  const rateOf = ({ rateLimit }: Principal): Rate => rateLimit ?? defaults;
  const refusal = ({ rps, burst }: Rate, waitS: number): PenstockError => {
    onRefusal?.();
    const retryAfterS = Math.max(1, Math.ceil(waitS));
    return new PenstockError(
      'RATE_LIMITED',
      `Rate limit exceeded: ${rps} requests a second, ${burst} at once; retry after ${retryAfterS} s`,
      { retryAfterS },
    );
  };
  return Object.freeze({
    async admit(principal: Principal): Promise<void> {
      const rate = rateOf(principal);
      const waitS = await buckets.take(principal.tenantId, rate);
      if (waitS !== null) throw refusal(rate, waitS);
    },
    async pace(principal: Principal, signal: AbortSignal): Promise<void> {
      const rate = rateOf(principal);
      const until = performance.now() + PACE_S_MAX * 1000;
      for (;;) {
        const waitS = await buckets.take(principal.tenantId, rate);
        if (waitS === null) return;
        if (performance.now() + waitS * 1000 > until) throw refusal(rate, waitS);
        await sleep(waitS * 1000, undefined, { signal }).catch(() => undefined);
        signal.throwIfAborted();
      }
    },
  });
}
