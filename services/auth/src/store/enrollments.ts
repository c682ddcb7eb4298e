import { z } from 'zod';
import { recordsIn } from './records.ts';
import type { AuthTable, ItemKey } from './table.ts';

const enrollmentSchema = z.object({
  userId: z.string(),
  /** The user's when the link was made: in another one it is dead. */
  generation: z.number().default(1),
});

type EnrollmentRecord = z.infer<typeof enrollmentSchema>;

/** One-time links by which a user enrolls a factor, by the hash of their token. */
export interface EnrollmentStore {
  create(tokenHash: string, link: EnrollmentRecord, expiresAtS: number): Promise<void>;
  /** Null for an unknown or expired one. */
  get(tokenHash: string): Promise<EnrollmentRecord | null>;
  /** Uses the link up; null for an unknown, expired or used one: of parallel calls one gets it. */
  take(tokenHash: string): Promise<EnrollmentRecord | null>;
}

export function createEnrollmentStore(table: AuthTable): EnrollmentStore {
  const records = recordsIn(table, enrollmentSchema);
  const keyOf = (tokenHash: string): ItemKey => ({ pk: `ENROLL#${tokenHash}`, sk: 'ENROLL' });
  return {
    async create(tokenHash, link, expiresAtS) {
      await records.create(keyOf(tokenHash), link, expiresAtS);
    },
    get: (tokenHash) => records.get(keyOf(tokenHash)),
    take: (tokenHash) => records.take(keyOf(tokenHash)),
  };
}
