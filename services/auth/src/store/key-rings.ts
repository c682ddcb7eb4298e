import { z } from 'zod';
import { keyRingSchema } from '../keys/key-ring.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import { recordsIn } from './records.ts';
import type { AuthTable } from './table.ts';

export interface KeyRingStore {
  get(): Promise<KeyRing | null>;
  /** False where another process was faster. */
  create(ring: KeyRing): Promise<boolean>;
  update(change: (current: KeyRing) => Promise<KeyRing>): Promise<KeyRing | null>;
  /** See `AuthTable.identity`. */
  tableIdentity(): Promise<string | null>;
}

/** The ring is one attribute of one item, as JSON: a rotation changes all of it or nothing. */
export function createKeyRingStore(table: AuthTable): KeyRingStore {
  const records = recordsIn(table, z.object({ ring: z.string() }));
  const key = { pk: 'SIGNING_KEYS', sk: 'RING' };
  const parse = (text: string): KeyRing => keyRingSchema.parse(JSON.parse(text));

  return {
    async get() {
      const stored = await records.get(key);
      return stored === null ? null : parse(stored.ring);
    },
    create: (ring) => records.create(key, { ring: JSON.stringify(ring) }),
    async update(change) {
      const stored = await records.update(key, async ({ ring }) => ({
        ring: JSON.stringify(await change(parse(ring))),
      }));
      return stored === null ? null : parse(stored.ring);
    },
    tableIdentity: () => table.identity(),
  };
}
