import { roleNotAssumable } from '@penstock/common/aws/errors.ts';
import { carriesAnotherTenant, proposeExternalId } from '@penstock/common/aws/external-id.ts';
import { boundedCache } from '@penstock/common/caching/bounded-cache.ts';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { Logger } from '@penstock/common/logging/logger.ts';
import type { Clock } from '@penstock/common/time/clock.ts';
import {
  CLAIM_ATTEMPTS_MAX,
  CLAIM_REMEMBERED_MS,
  CLAIMS_REMEMBERED_MAX,
  SCHEMA_PAGE_MAX,
} from '../limits.ts';
import { schemaKey, type SchemaRecord } from '../schemas/schema-record.ts';
import type { SchemaStore } from '../store/schema-store.ts';
import { claimIdOf, mayUse, type RoleClaim, type RolePair } from './claim.ts';
import type { ClaimStore } from '../store/claim-store.ts';

/**
 * Binds a role and its external ID to one tenant. Both can be read in IAM and in CloudTrail, so knowing them must not
 * be enough. A pair that was once assumed for one tenant belongs to that tenant; any other is refused as if the role
 * could not be assumed (AWS, "The confused deputy problem"). A tenant's rows are read only behind `hold` or `ensure`.
 */
export interface RoleClaims {
  /**
   * To be called after the role was assumed and before anything is read with it: claims the pair, where nobody has.
   * Throws PenstockError ACCESS_DENIED, in the words of a role that cannot be assumed, where it is another tenant's.
   */
  hold(record: SchemaRecord): Promise<void>;
  /** As `hold`, where the role may not have been assumed yet: `assume` does that, and holds. */
  ensure(record: SchemaRecord, assume: () => Promise<void>): Promise<void>;
  /** True where another tenant has the pair, or its ID is in the external ID. */
  isForeign(tenantId: string, pair: RolePair): Promise<boolean>;
  /**
   * Whether a schema may name the pair. Throws ROLE_NOT_ASSUMABLE where another tenant has it, VALIDATION_ERROR where
   * the external ID carries the ID of another.
   */
  check(tenantId: string, pair: RolePair): Promise<void>;
  /** Ends the tenant's claim of a pair that no schema of it names any more; never throws. */
  releaseUnused(tenantId: string, pair: RolePair): Promise<void>;
}

/** Builds it. */
export function createRoleClaims(parts: {
  claims: ClaimStore;
  schemas: SchemaStore;
  clock: Clock;
  logger: Logger;
}): RoleClaims {
  const { claims, schemas, clock, logger } = parts;
  /** When the tenant was last seen to have the pair. */
  const held = boundedCache<number>(CLAIMS_REMEMBERED_MAX);
  const keyOf = (tenantId: string, claimId: string): string => JSON.stringify([tenantId, claimId]);

  function isRemembered(tenantId: string, claimId: string): boolean {
    const at = held.get(keyOf(tenantId, claimId));
    return at !== undefined && Math.abs(clock.now() - at) < CLAIM_REMEMBERED_MS;
  }

  async function refuse(claim: RoleClaim, tenantId: string): Promise<PenstockError> {
    const { claimId } = claim;
    // For the operator, who may lend or move it; the tenant hears nothing of it.
    logger.warn({ tenantId, claimId }, 'a role that another tenant has claimed was refused');
    if (!claim.refused.includes(tenantId)) await claims.noteRefused(claimId, tenantId);
    return roleNotAssumable();
  }

  async function hold(record: SchemaRecord): Promise<void> {
    const { tenantId } = record;
    const claimId = claimIdOf(record);
    if (isRemembered(tenantId, claimId)) return;
    for (let attempt = 1; attempt <= CLAIM_ATTEMPTS_MAX; attempt++) {
      const claim = await claims.get(claimId);
      if (claim !== null) {
        if (!mayUse(claim, tenantId)) throw await refuse(claim, tenantId);
        held.set(keyOf(tenantId, claimId), clock.now());
        return;
      }
      if (carriesAnotherTenant(record.externalId, tenantId)) throw roleNotAssumable();
      if (await take(record, claimId)) return;
    }
    throw new PenstockError('UNAVAILABLE', 'The schema is being changed; try again', { retryAfterS: 1 });
  }

  /** False where somebody else was faster. */
  async function take(record: SchemaRecord, claimId: string): Promise<boolean> {
    const { tenantId, roleArn } = record;
    const claimedAt = new Date(clock.now()).toISOString();
    const claim: RoleClaim = {
      kind: 'claim',
      claimId,
      roleArn,
      tenantId,
      claimedAt,
      lentTo: [],
      refused: [],
    };
    if (!(await claims.create(claim))) return false;
    // A schema that was deleted meanwhile has let go already, and would leave the claim behind.
    const current = await schemas.get(tenantId, record.schemaName);
    if (current !== null && claimIdOf(current) === claimId) {
      held.set(keyOf(tenantId, claimId), clock.now());
      return true;
    }
    await releaseUnused(tenantId, record);
    throw roleNotAssumable();
  }

  async function isForeign(tenantId: string, pair: RolePair): Promise<boolean> {
    const claimId = claimIdOf(pair);
    if (isRemembered(tenantId, claimId)) return false;
    const claim = await claims.get(claimId);
    return claim === null ? carriesAnotherTenant(pair.externalId, tenantId) : !mayUse(claim, tenantId);
  }

  async function check(tenantId: string, pair: RolePair): Promise<void> {
    const claim = await claims.get(claimIdOf(pair));
    if (claim !== null) {
      if (mayUse(claim, tenantId)) return;
      const { message, detail } = await refuse(claim, tenantId);
      throw new PenstockError('ROLE_NOT_ASSUMABLE', message, { detail });
    }
    if (!carriesAnotherTenant(pair.externalId, tenantId)) return;
    throw new PenstockError(
      'VALIDATION_ERROR',
      `externalId carries the ID of another tenant: use one of your own, such as ${proposeExternalId(tenantId)}`,
    );
  }

  async function releaseUnused(tenantId: string, pair: RolePair): Promise<void> {
    const claimId = claimIdOf(pair);
    try {
      held.delete(keyOf(tenantId, claimId));
      if (!(await isUsed(tenantId, claimId))) await claims.remove(claimId, tenantId);
    } catch (error) {
      logger.error({ err: error, tenantId, claimId }, 'a claim could not be released: an operator can');
    }
  }

  async function isUsed(tenantId: string, claimId: string): Promise<boolean> {
    for (let after: string | null = null; ;) {
      const { records, more } = await schemas.page(tenantId, { after, limit: SCHEMA_PAGE_MAX });
      if (records.some((record) => claimIdOf(record) === claimId)) return true;
      const last = records.at(-1);
      if (!more || last === undefined) return false;
      after = schemaKey(last.schemaName);
    }
  }

  return Object.freeze({
    hold,
    async ensure(record: SchemaRecord, assume: () => Promise<void>) {
      const { tenantId } = record;
      const claimId = claimIdOf(record);
      if (isRemembered(tenantId, claimId)) return;
      const claim = await claims.get(claimId);
      if (claim === null || !mayUse(claim, tenantId)) {
        // Also where the claim is another tenant's, so that the refusal takes as long as one of STS.
        await assume();
        return;
      }
      held.set(keyOf(tenantId, claimId), clock.now());
    },
    isForeign,
    check,
    releaseUnused,
  });
}
