import { z } from 'zod';
import { hashSecret } from '../tokens/secret.ts';
import { recordsIn } from './records.ts';
import type { AuthTable, ItemKey } from './table.ts';

/** Something made for one answer: a WebAuthn challenge, a one-time-code secret that is not confirmed yet (sealed). */
export interface PendingStore {
  /** Replaces what was pending for the same purpose. */
  put(purpose: string, value: string, expiresAtS: number): Promise<void>;
  get(purpose: string): Promise<string | null>;
  /** Of parallel calls one gets it. */
  take(purpose: string): Promise<string | null>;
}

/** `purpose` says what for and for whom (an interaction or an enrollment link); only its hash is stored. */
export function createPendingStore(table: AuthTable): PendingStore {
  const records = recordsIn(table, z.object({ value: z.string() }));
  const keyOf = (purpose: string): ItemKey => ({ pk: `PENDING#${hashSecret(purpose)}`, sk: 'PENDING' });
  return {
    put: (purpose, value, expiresAtS) => records.put(keyOf(purpose), { value }, expiresAtS),
    get: async (purpose) => (await records.get(keyOf(purpose)))?.value ?? null,
    take: async (purpose) => (await records.take(keyOf(purpose)))?.value ?? null,
  };
}
