import { z } from 'zod';
import { hashSecret } from '../tokens/secret.ts';
import { FIRST_ENROLLMENT } from '../users/user.ts';
import type { User } from '../users/user.ts';
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
  /** The user's when it was made (see `User`): with another one it does not count. */
  enrollment: z.number().default(FIRST_ENROLLMENT),
  /** ISO 8601, UTC. */
  createdAt: z.string(),
});

type Enrolled = Pick<User, 'userId' | 'enrollment'>;

/** A WebAuthn credential. */
export type Passkey = z.infer<typeof passkeySchema>;

export interface PasskeyStore {
  /** False where the credential is stored already. */
  create(passkey: Passkey): Promise<boolean>;
  get(credentialId: string): Promise<Passkey | null>;
  update(credentialId: string, change: (current: Passkey) => Passkey): Promise<Passkey | null>;
  /** Credential IDs of a user's passkeys that count. */
  idsOf(user: Enrolled): Promise<string[]>;
  /** Deletes one. It counts for nothing from then on, whatever becomes of the rest. */
  remove(passkey: Pick<Passkey, 'credentialId' | 'userId'>): Promise<void>;
  /** Deletes a user's passkeys that don't count any more. */
  removeEnded(user: Enrolled): Promise<void>;
}

export function createPasskeyStore(table: AuthTable): PasskeyStore {
  const records = recordsIn(table, passkeySchema);
  const listed = recordsIn(table, passkeySchema.pick({ credentialId: true, enrollment: true }));
  // Credential IDs may be longer than a key of DynamoDB.
  const keyOf = (id: string): ItemKey => ({ pk: `PASSKEY#${hashSecret(id)}`, sk: 'PASSKEY' });
  const listKeyOf = (userId: string, id: string): ItemKey => ({
    pk: `USER#${userId}`,
    sk: `PASSKEY#${hashSecret(id)}`,
  });
  const listOf = (userId: string) => listed.list(`USER#${userId}`, 'PASSKEY#');
  return {
    async create(passkey) {
      const { credentialId, userId, enrollment } = passkey;
      if (!(await records.create(keyOf(credentialId), passkey))) return false;
      await listed.put(listKeyOf(userId, credentialId), { credentialId, enrollment });
      return true;
    },
    get: (credentialId) => records.get(keyOf(credentialId)),
    update: (credentialId, change) => records.update(keyOf(credentialId), change),
    async idsOf({ userId, enrollment }) {
      const passkeys = await listOf(userId);
      return passkeys
        .filter((passkey) => passkey.enrollment === enrollment)
        .map(({ credentialId }) => credentialId);
    },
    async remove({ credentialId, userId }) {
      await records.take(keyOf(credentialId));
      await listed.take(listKeyOf(userId, credentialId));
    },
    async removeEnded({ userId, enrollment }) {
      for (const passkey of await listOf(userId)) {
        if (passkey.enrollment === enrollment) continue;
        await records.take(keyOf(passkey.credentialId));
        await listed.take(listKeyOf(userId, passkey.credentialId));
      }
    },
  };
}
