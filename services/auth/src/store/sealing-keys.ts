import { z } from 'zod';
import { recordsIn } from './records.ts';
import type { AuthTable } from './table.ts';

const keysInUseSchema = z.object({
  /** Values are sealed under them. */
  keyIds: z.array(z.string()).readonly(),
  /** A re-encryption is under way, or ended half-way, that leaves nothing under them. */
  retiring: z.array(z.string()).readonly(),
});

/** Which keys the values in the table are sealed under, by their IDs (see `keyIdOf`). */
export type KeysInUse = z.infer<typeof keysInUseSchema>;

export interface SealingKeyStore {
  get(): Promise<KeysInUse | null>;
  /** False where another process was faster. */
  create(inUse: KeysInUse): Promise<boolean>;
  update(change: (current: KeysInUse) => KeysInUse): Promise<KeysInUse | null>;
}

/** One item, so that what is in use changes in one write. */
export function createSealingKeyStore(table: AuthTable): SealingKeyStore {
  const records = recordsIn(table, keysInUseSchema);
  const key = { pk: 'SEALING_KEYS', sk: 'IDS' };
  return {
    get: () => records.get(key),
    create: (inUse) => records.create(key, inUse),
    update: (change) => records.update(key, change),
  };
}
