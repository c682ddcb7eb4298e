import { z } from 'zod';
import { hashSecret } from '../tokens/secret.ts';
import { recordsIn } from './records.ts';
import type { AuthTable, ItemKey } from './table.ts';

const passkeySchema = z.object({
  /** Base64url. */
  credentialId: z.string(),
  userId: z.string(),
  /** COSE key, base64url. */
  publicKey: z.string(),
  /** Signature counter of the last use; 0 where the authenticator has none. */
  counter: z.number(),
  transports: z.array(z.string()),
  /** ISO 8601, UTC. */
  createdAt: z.string(),
});

/** A WebAuthn credential. */
export type Passkey = z.infer<typeof passkeySchema>;

export interface PasskeyStore {
  /** False where the credential is stored already. */
  create(passkey: Passkey): Promise<boolean>;
  get(credentialId: string): Promise<Passkey | null>;
  update(credentialId: string, change: (current: Passkey) => Passkey): Promise<Passkey | null>;
  /** Credential IDs of a user. */
  idsOf(userId: string): Promise<string[]>;
}

export function createPasskeyStore(table: AuthTable): PasskeyStore {
  const records = recordsIn(table, passkeySchema);
  const listed = recordsIn(table, z.object({ credentialId: z.string() }));
  // Credential IDs may be longer than a key of DynamoDB.
  const keyOf = (id: string): ItemKey => ({ pk: `PASSKEY#${hashSecret(id)}`, sk: 'PASSKEY' });
  return {
    async create(passkey) {
      const { credentialId, userId } = passkey;
      if (!(await records.create(keyOf(credentialId), passkey))) return false;
      await listed.put({ pk: `USER#${userId}`, sk: `PASSKEY#${hashSecret(credentialId)}` }, { credentialId });
      return true;
    },
    get: (credentialId) => records.get(keyOf(credentialId)),
    update: (credentialId, change) => records.update(keyOf(credentialId), change),
    async idsOf(userId) {
      return (await listed.list(`USER#${userId}`, 'PASSKEY#')).map(({ credentialId }) => credentialId);
    },
  };
}
