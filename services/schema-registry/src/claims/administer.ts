import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { Clock } from '@penstock/common/time/clock.ts';
import { CLAIM_LOANS_MAX, CLAIM_PAGE_MAX } from '../limits.ts';
import type { RoleClaim } from './claim.ts';
import type { ClaimStore } from '../store/claim-store.ts';

/** What an operator does with claims. In force on every replica within five seconds. Throws NOT_FOUND. */
export interface ClaimAdministration {
  list(page: { after: string | null; limit: number }): Promise<{
    readonly claims: readonly RoleClaim[];
    /** Where to go on; null at the end. */
    readonly next: string | null;
  }>;
  /** Makes another tenant the owner: the one that had it is refused from then on. */
  move(claimId: string, tenantId: string): Promise<RoleClaim>;
  /** Lets another tenant use the role as well. */
  lend(claimId: string, tenantId: string): Promise<RoleClaim>;
  endLoan(claimId: string, tenantId: string): Promise<RoleClaim>;
  /** Whoever uses the role next has it then. */
  release(claimId: string): Promise<RoleClaim>;
}

/** Builds it. */
export function createClaimAdministration(claims: ClaimStore, clock: Clock): ClaimAdministration {
  const found = (claimId: string, claim: RoleClaim | null): RoleClaim => {
    if (claim === null) throw new PenstockError('NOT_FOUND', `Claim not found: ${claimId}`);
    return claim;
  };

  return Object.freeze({
    async list({ after, limit }: { after: string | null; limit: number }) {
      const page = await claims.page({ after, limit: Math.min(limit, CLAIM_PAGE_MAX) });
      return { claims: page.claims, next: page.more ? (page.claims.at(-1)?.claimId ?? null) : null };
    },
    async move(claimId: string, tenantId: string) {
      return found(claimId, await claims.move(claimId, tenantId, new Date(clock.now()).toISOString()));
    },
    async lend(claimId: string, tenantId: string) {
      const before = found(claimId, await claims.get(claimId));
      if (before.lentTo.length >= CLAIM_LOANS_MAX && !before.lentTo.includes(tenantId)) {
        throw new PenstockError('VALIDATION_ERROR', `A claim is lent to ${CLAIM_LOANS_MAX} tenants at most`);
      }
      return found(claimId, await claims.lend(claimId, tenantId));
    },
    async endLoan(claimId: string, tenantId: string) {
      return found(claimId, await claims.endLoan(claimId, tenantId));
    },
    async release(claimId: string) {
      return found(claimId, await claims.remove(claimId, null));
    },
  });
}
