import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { Principal } from '@penstock/common/token/principal.ts';
import type { Rate, TokenBuckets } from './token-bucket.ts';

/** One limit for all requests of a tenant, whichever client sends them. */
export interface TenantLimiter {
  /** @throws PenstockError RATE_LIMITED with the time to wait */
  admit(principal: Principal): Promise<void>;
}

/** A tenant's own limits, which its tokens carry, win over the deployment's. `onRefusal` is told of each refusal. */
export function createTenantLimiter(
  buckets: TokenBuckets,
  defaults: Rate,
  onRefusal?: () => void,
): TenantLimiter {
  return Object.freeze({
    async admit({ tenantId, rateLimit }: Principal): Promise<void> {
      const rate = rateLimit ?? defaults;
      const waitS = await buckets.take(tenantId, rate);
      if (waitS === null) return;
      onRefusal?.();
      const retryAfterS = Math.max(1, Math.ceil(waitS));
      throw new PenstockError(
        'RATE_LIMITED',
        `Rate limit exceeded: ${rate.rps} requests a second, ${rate.burst} at once; retry after ${retryAfterS} s`,
        { retryAfterS },
      );
    },
  });
}
