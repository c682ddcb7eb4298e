import { z } from 'zod';
import { hashSecret } from '../tokens/secret.ts';
import { recordsIn } from './records.ts';
import type { AuthTable, ItemKey } from './table.ts';

/** The user who has an address, and their tenant. */
interface EmailOwner {
  readonly tenantId: string;
  readonly userId: string;
}

/**
 * Which users an e-mail address belongs to: one of each tenant at most. What another tenant has of an address is nobody's
 * business, so an admin who invites is told the same whether it has any.
 */
export interface EmailStore {
  /** The users of the address, whatever its case, one of each tenant; in no order. */
  usersOf(email: string): Promise<readonly string[]>;
  /**
   * Gives the address to the user, as their tenant's. False where it belongs to another of that tenant who exists.
   * `tenantOf` tells that, and null where there is no such user: a claim whose user was never written (its process
   * died in between) is taken over.
   */
  claim(
    email: string,
    owner: EmailOwner,
    tenantOf: (userId: string) => Promise<string | null>,
  ): Promise<boolean>;
}

/** A claim younger than this may belong to a user that is being written right now. */
const CLAIM_SETTLES_MS = 60_000;

const claimSchema = z.object({
  userId: z.string(),
  claimedAtMs: z.number(),
  /** Absent where a version wrote it that kept addresses unique over all tenants. */
  tenantId: z.string().optional(),
});
type Claim = z.infer<typeof claimSchema>;

/** Addresses that differ in case, or in how Unicode spells them, are one. */
function normalizeEmail(email: string): string {
  return email.normalize('NFKC').toLowerCase();
}

/** Names an account, whether it exists or not, in counters, without its address. */
export function accountKeyOf(email: string): string {
  return hashSecret(normalizeEmail(email));
}

export function createEmailStore(table: AuthTable, clock: { now(): number }): EmailStore {
  const claims = recordsIn(table, claimSchema);
  const partitionOf = (email: string): string => `EMAIL#${normalizeEmail(email)}`;
  /** The first user of an address is where versions look that knew one user of each. */
  const firstKeyOf = (email: string): ItemKey => ({ pk: partitionOf(email), sk: 'USER' });
  const keyIn = (email: string, tenantId: string): ItemKey => ({
    pk: partitionOf(email),
    sk: `USER#${tenantId}`,
  });

  return {
    async usersOf(email) {
      const all = await claims.list(partitionOf(email), 'USER');
      return [...new Set(all.map(({ userId }) => userId))];
    },
    async claim(email, { tenantId, userId }, tenantOf) {
      const mine: Claim = { userId, tenantId, claimedAtMs: clock.now() };
      const isSettled = ({ claimedAtMs }: Claim): boolean => clock.now() - claimedAtMs > CLAIM_SETTLES_MS;
      /** Takes over a claim of this tenant whose user was never written. */
      const takeOver = async (key: ItemKey): Promise<boolean> => {
        const settled = await claims.update(key, async (current) =>
          isSettled(current) && (await tenantOf(current.userId)) === null ? mine : current,
        );
        return settled?.userId === userId;
      };
      const own = keyIn(email, tenantId);
      if ((await claims.get(own)) !== null) return takeOver(own);
      const first = firstKeyOf(email);
      if (await claims.create(first, mine)) return true;
      const known = await claims.get(first);
      const firstTenant = known?.tenantId ?? (known === null ? null : await tenantOf(known.userId));
      // A claim that names no tenant and no user yet may be of this one.
      if (firstTenant === tenantId || firstTenant === null) return takeOver(first);
      return (await claims.create(own, mine)) || takeOver(own);
    },
  };
}
