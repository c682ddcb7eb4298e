import { z } from 'zod';
import { hashSecret } from '../tokens/secret.ts';
import { recordsIn } from './records.ts';
import type { AuthTable, ItemKey } from './table.ts';

/** Which user an e-mail address belongs to. It keeps addresses unique in the service. */
export interface EmailStore {
  /** The user of the address, whatever its case; null for none. */
  userOf(email: string): Promise<string | null>;
  /**
   * Gives the address to the user. False where it belongs to another who exists. `userExists` tells that: a claim
   * whose user was never written (its process died in between) is taken over.
   */
  claim(email: string, userId: string, userExists: (userId: string) => Promise<boolean>): Promise<boolean>;
}

/** A claim younger than this may belong to a user that is being written right now. */
const CLAIM_SETTLES_MS = 60_000;

const claimSchema = z.object({ userId: z.string(), claimedAtMs: z.number() });

/** Addresses that differ in case, or in how Unicode spells them, are one. */
function normalizeEmail(email: string): string {
  return email.normalize('NFKC').toLowerCase();
}

/** Names an account, whether it exists or not, in counters and cookies, without its address. */
export function accountKeyOf(email: string): string {
  return hashSecret(normalizeEmail(email));
}

export function createEmailStore(table: AuthTable, clock: { now(): number }): EmailStore {
  const claims = recordsIn(table, claimSchema);
  const keyOf = (email: string): ItemKey => ({ pk: `EMAIL#${normalizeEmail(email)}`, sk: 'USER' });

  return {
    async userOf(email) {
      return (await claims.get(keyOf(email)))?.userId ?? null;
    },
    async claim(email, userId, userExists) {
      const mine = { userId, claimedAtMs: clock.now() };
      if (await claims.create(keyOf(email), mine)) return true;
      const settled = await claims.update(keyOf(email), async (current) => {
        const isSettled = clock.now() - current.claimedAtMs > CLAIM_SETTLES_MS;
        return isSettled && !(await userExists(current.userId)) ? mine : current;
      });
      return settled?.userId === userId;
    },
  };
}
