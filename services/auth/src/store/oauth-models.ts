import { z } from 'zod';
import { hashSecret } from '../tokens/secret.ts';
import { recordsIn } from './records.ts';
import type { AuthTable, ItemKey } from './table.ts';

/** What oidc-provider keeps of a model: JSON, without the ID. */
export type ModelPayload = Readonly<Record<string, unknown>>;

interface StoredModel {
  readonly payload: ModelPayload;
  /** Epoch seconds; null: not consumed. */
  readonly consumedAtS: number | null;
}

/**
 * Tokens, codes, grants, sessions and interactions of the authorization server. Their IDs are what a client or a browser
 * presents, so an item is found by the hash of its ID, and the ID is nowhere in it.
 */
export interface OAuthModelStore {
  save(model: string, id: string, payload: ModelPayload, expiresAtS: number | null): Promise<void>;
  /** Null for an unknown or expired one. */
  find(model: string, id: string): Promise<StoredModel | null>;
  /** Of parallel calls one gets true. */
  consume(model: string, id: string, atS: number): Promise<boolean>;
  destroy(model: string, id: string): Promise<void>;
  /** The same by the hash of the ID (`hashSecret`), for what remembers no more of it. */
  destroyHashed(model: string, idHash: string): Promise<void>;
  isThere(model: string, idHash: string): Promise<boolean>;
}

const modelSchema = z.object({
  model: z.string(),
  /** JSON, so that any value goes in and comes out as it was. */
  payload: z.string(),
  consumedAtS: z.number().optional(),
});
const payloadSchema = z.record(z.string(), z.unknown());

/** Access tokens of both kinds lie in one place, so that a token is looked up by one read. */
const places: Readonly<Record<string, string>> = { ClientCredentials: 'AccessToken' };

export function createOAuthModelStore(table: AuthTable): OAuthModelStore {
  const records = recordsIn(table, modelSchema);
  const hashedKeyOf = (model: string, idHash: string): ItemKey => ({
    pk: `OAUTH#${places[model] ?? model}#${idHash}`,
    sk: 'MODEL',
  });
  const keyOf = (model: string, id: string): ItemKey => hashedKeyOf(model, hashSecret(id));

  return {
    async save(model, id, payload, expiresAtS) {
      const record = { model, payload: JSON.stringify(payload) };
      await records.put(keyOf(model, id), record, expiresAtS ?? undefined);
    },
    async find(model, id) {
      const record = await records.get(keyOf(model, id));
      if (record === null) return null;
      const payload = payloadSchema.parse(JSON.parse(record.payload));
      return { payload: { ...payload, kind: record.model }, consumedAtS: record.consumedAtS ?? null };
    },
    consume: (model, id, atS) => records.setOnce(keyOf(model, id), 'consumedAtS', atS),
    async destroy(model, id) {
      await records.take(keyOf(model, id));
    },
    async destroyHashed(model, idHash) {
      await records.take(hashedKeyOf(model, idHash));
    },
    isThere: async (model, idHash) => (await records.get(hashedKeyOf(model, idHash))) !== null,
  };
}
