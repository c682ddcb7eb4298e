import { z } from 'zod';
import { recordsIn } from './records.ts';
import type { AuthTable, ItemKey } from './table.ts';

const registeredClientSchema = z.object({
  /** JSON, as oidc-provider validated it. No secret: registered clients are public. */
  metadata: z.string(),
});

/** Clients that registered themselves. */
export interface OAuthClientStore {
  create(clientId: string, metadata: Readonly<Record<string, unknown>>): Promise<void>;
  get(clientId: string): Promise<Readonly<Record<string, unknown>> | null>;
}

export function createOAuthClientStore(table: AuthTable): OAuthClientStore {
  const records = recordsIn(table, registeredClientSchema);
  const metadataSchema = z.record(z.string(), z.unknown());
  const keyOf = (clientId: string): ItemKey => ({ pk: `OAUTH_CLIENT#${clientId}`, sk: 'CLIENT' });
  return {
    async create(clientId, metadata) {
      await records.create(keyOf(clientId), { metadata: JSON.stringify(metadata) });
    },
    async get(clientId) {
      const record = await records.get(keyOf(clientId));
      return record === null ? null : metadataSchema.parse(JSON.parse(record.metadata));
    },
  };
}
