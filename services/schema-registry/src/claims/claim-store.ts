import type { RoleClaim } from './claim.ts';

/** Where claims are kept. Reads are consistent; every change is one conditional write. */
export interface ClaimStore {
  /** Null where nobody has claimed the pair. */
  get(claimId: string): Promise<RoleClaim | null>;
  /** False, and nothing stored, where the pair is claimed: of parallel calls one gets true. */
  create(claim: RoleClaim): Promise<boolean>;
  /** Removes the claim where it is this tenant's; any tenant's where that is null. What it was, or null. */
  remove(claimId: string, tenantId: string | null): Promise<RoleClaim | null>;
  /** Makes another tenant the owner; null where there is no such claim. */
  move(claimId: string, tenantId: string, claimedAt: string): Promise<RoleClaim | null>;
  /** Lets another tenant use it as well. Null where there is no such claim or too many have it. */
  lend(claimId: string, tenantId: string): Promise<RoleClaim | null>;
  /** Ends what `lend` began; null where there is no such claim. */
  endLoan(claimId: string, tenantId: string): Promise<RoleClaim | null>;
  /** Keeps that a tenant was refused it, as long as there is room. */
  noteRefused(claimId: string, tenantId: string): Promise<void>;
  /** Claims by ID, after the one given (null: from the start). */
  page(page: { after: string | null; limit: number }): Promise<{
    readonly claims: readonly RoleClaim[];
    /** True when at least one more follows. */
    readonly more: boolean;
  }>;
}
