import type { Clock } from '@penstock/common/time/clock.ts';
import { z } from 'zod';
import { UNUSED_REGISTRATION_LIFETIME_S } from '../limits.ts';
import { recordsIn } from './records.ts';
import type { AuthTable, ItemKey } from './table.ts';

const registeredClientSchema = z.object({
  /** JSON, as oidc-provider validated it. No secret: registered clients are public. */
  metadata: z.string(),
  /** Somebody has let it in. Until then it expires. */
  used: z.boolean().default(true),
});

/** Clients that registered themselves. */
export interface OAuthClientStore {
  /** Anybody can register: what nobody lets in is gone after `UNUSED_REGISTRATION_LIFETIME_S`. */
  create(clientId: string, metadata: Readonly<Record<string, unknown>>): Promise<void>;
  /** Somebody let it in: it stays. Nothing for a client that did not register itself. */
  keep(clientId: string): Promise<void>;
  get(clientId: string): Promise<Readonly<Record<string, unknown>> | null>;
}

export function createOAuthClientStore(table: AuthTable, clock: Clock): OAuthClientStore {
  const records = recordsIn(table, registeredClientSchema);
  const metadataSchema = z.record(z.string(), z.unknown());
  const keyOf = (clientId: string): ItemKey => ({ pk: `OAUTH_CLIENT#${clientId}`, sk: 'CLIENT' });
  return {
    async create(clientId, metadata) {
      const record = { metadata: JSON.stringify(metadata), used: false };
      const expiresAtS = Math.floor(clock.now() / 1000) + UNUSED_REGISTRATION_LIFETIME_S;
      await records.create(keyOf(clientId), record, expiresAtS);
    },
    async keep(clientId) {
      const record = await records.get(keyOf(clientId));
      if (record?.used === false)
        await records.update(keyOf(clientId), (current) => ({ ...current, used: true }));
    },
    async get(clientId) {
      const record = await records.get(keyOf(clientId));
      return record === null ? null : metadataSchema.parse(JSON.parse(record.metadata));
    },
  };
}
