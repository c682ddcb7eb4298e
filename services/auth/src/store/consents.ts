import { z } from 'zod';
import { GRANT_LIFETIME_S } from '../limits.ts';
import { hashSecret } from '../tokens/secret.ts';
import type { OAuthModelStore } from './oauth-models.ts';
import { recordsIn } from './records.ts';
import type { AuthTable, ItemKey } from './table.ts';

const consentSchema = z.object({
  /** Names the client among those of the user: the hash of its ID. */
  agentId: z.string(),
  /** The hash of the grant's ID, by which the grant is found. */
  grantHash: z.string(),
  /** The client's own word, unverified. */
  name: z.string(),
  redirectHost: z.string(),
  scopes: z.array(z.string()),
  /** Epoch seconds. */
  allowedAtS: z.number(),
});

/** A user's consent to an OAuth client, and the grant that came of it. */
export type Consent = z.infer<typeof consentSchema>;

/** Consents by user, for them to see and to take back. */
export interface ConsentStore {
  add(userId: string, consent: Omit<Consent, 'agentId' | 'grantHash'>, of: ConsentOf): Promise<void>;
  /** Those whose grant stands. */
  list(userId: string): Promise<Consent[]>;
  /** Ends the grants of an agent, and every token of theirs; false where there were none. */
  end(userId: string, agentId: string): Promise<boolean>;
}

interface ConsentOf {
  readonly clientId: string;
  readonly grantId: string;
}

export function createConsentStore(
  table: AuthTable,
  models: Pick<OAuthModelStore, 'isThere' | 'destroyHashed'>,
): ConsentStore {
  const records = recordsIn(table, consentSchema);
  const keyOf = (
    userId: string,
    { agentId, grantHash }: Pick<Consent, 'agentId' | 'grantHash'>,
  ): ItemKey => ({
    pk: `USER#${userId}`,
    sk: `CONSENT#${agentId}#${grantHash}`,
  });
  return {
    async add(userId, consent, { clientId, grantId }) {
      const stored = { ...consent, agentId: hashSecret(clientId), grantHash: hashSecret(grantId) };
      await records.put(keyOf(userId, stored), stored, consent.allowedAtS + GRANT_LIFETIME_S);
    },
    async list(userId) {
      const consents = await records.list(`USER#${userId}`, 'CONSENT#');
      const standing = await Promise.all(consents.map(({ grantHash }) => models.isThere('Grant', grantHash)));
      return consents.filter((_, i) => standing[i]);
    },
    async end(userId, agentId) {
      const consents = await records.list(`USER#${userId}`, `CONSENT#${agentId}#`);
      for (const consent of consents) {
        await models.destroyHashed('Grant', consent.grantHash);
        await records.take(keyOf(userId, consent));
      }
      return consents.length > 0;
    },
  };
}
