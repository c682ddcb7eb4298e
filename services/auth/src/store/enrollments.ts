import { z } from 'zod';
import { recordsIn } from './records.ts';
import type { AuthTable, ItemKey } from './table.ts';

const enrollmentSchema = z.object({ userId: z.string() });

/** One-time links by which a user enrols a passkey, by the hash of their token. */
export interface EnrollmentStore {
  create(tokenHash: string, userId: string, expiresAtS: number): Promise<void>;
  /** The user; null for an unknown or expired one. */
  userOf(tokenHash: string): Promise<string | null>;
  /** Uses the link up. The user; null for an unknown, expired or used one: of parallel calls one gets the user. */
  take(tokenHash: string): Promise<string | null>;
}

export function createEnrollmentStore(table: AuthTable): EnrollmentStore {
  const records = recordsIn(table, enrollmentSchema);
  const keyOf = (tokenHash: string): ItemKey => ({ pk: `ENROLL#${tokenHash}`, sk: 'ENROLL' });
  return {
    async create(tokenHash, userId, expiresAtS) {
      await records.create(keyOf(tokenHash), { userId }, expiresAtS);
    },
    async userOf(tokenHash) {
      return (await records.get(keyOf(tokenHash)))?.userId ?? null;
    },
    async take(tokenHash) {
      return (await records.take(keyOf(tokenHash)))?.userId ?? null;
    },
  };
}
