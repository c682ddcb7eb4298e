/** Where a tenant's queries run: rendezvous hashing, so that few tenants move when the number of workers changes. */
import { boundedCache } from '@penstock/common/caching/bounded-cache.ts';
import { HOMES_REMEMBERED } from '../limits.ts';

/** FNV-1a, of 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  // Its last characters alone would hardly change the upper bits.
  hash ^= hash >>> 16;
  return Math.imul(hash, 0x7feb352d) >>> 0;
}

/** The places of workers in the order in which a tenant wants them. */
export function createHomes(places: number): (tenantId: string) => readonly number[] {
  const known = boundedCache<readonly number[]>(HOMES_REMEMBERED);
  return (tenantId) => {
    const found = known.get(tenantId);
    if (found !== undefined) return found;
    const order = Array.from({ length: places }, (_, place) => ({
      place,
      rank: hashOf(`${place} ${tenantId}`),
    }))
      .sort((a, b) => b.rank - a.rank)
      .map(({ place }) => place);
    known.set(tenantId, order);
    return order;
  };
}
