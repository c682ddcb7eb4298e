import { z } from 'zod';
import { SAVED_QUERY_EARLIER_TEXTS_MAX } from '../limits.ts';
import { hashSecret } from '../tokens/secret.ts';
import { recordsIn } from './records.ts';
import type { AuthTable, ItemKey } from './table.ts';
import { tenantPartition } from './tenants.ts';

const savedQuerySchema = z.object({
  savedQueryId: z.string(),
  name: z.string(),
  sql: z.string(),
  /** Rises with each change. (`version` is the table's own.) */
  revision: z.number(),
  /** ISO 8601, UTC. */
  createdAt: z.string(),
  updatedAt: z.string(),
  /** E-mail address. */
  updatedBy: z.string(),
  /** Whose it is; of queries that were saved before that was kept, whoever changed them last. */
  createdBy: z.string().optional(),
  /** Of its text alone, which a new name leaves as it is; absent of those that were saved before that was kept. */
  text: z.object({ number: z.number(), savedAt: z.string(), savedBy: z.string() }).optional(),
});

/** A statement that a tenant's people keep. */
export type SavedQuery = z.infer<typeof savedQuerySchema>;

const savedTextSchema = z.object({
  /** Rises with each text of the query. */
  number: z.number(),
  sql: z.string(),
  /** ISO 8601, UTC. */
  savedAt: z.string(),
  /** E-mail address. */
  savedBy: z.string(),
});

/** A text that a query has or had. */
export type SavedText = z.infer<typeof savedTextSchema>;

/** What it is now. A revision is never below the number of a text, so that what counts on from it rises. */
export const textOf = ({ sql, text, revision, updatedAt, updatedBy }: SavedQuery): SavedText => ({
  sql,
  ...(text ?? { number: revision, savedAt: updatedAt, savedBy: updatedBy }),
});

export interface SavedQueryStore {
  create(tenantId: string, query: SavedQuery): Promise<void>;
  get(tenantId: string, savedQueryId: string): Promise<SavedQuery | null>;
  /** See `Records.update`. */
  update(
    tenantId: string,
    savedQueryId: string,
    change: (current: SavedQuery) => Promise<SavedQuery>,
  ): Promise<SavedQuery | null>;
  /** Null where there was none. */
  remove(tenantId: string, savedQueryId: string): Promise<SavedQuery | null>;
  list(tenantId: string): Promise<SavedQuery[]>;
  /** Keeps a text that is about to be an earlier one, in the place of the oldest. */
  keepText(tenantId: string, savedQueryId: string, text: SavedText): Promise<void>;
  /** Those that were kept, in no order. */
  keptTexts(tenantId: string, savedQueryId: string): Promise<SavedText[]>;
  removeTexts(tenantId: string, savedQueryId: string): Promise<void>;
  /** How many there are, by their names: the texts are not read. */
  count(tenantId: string): Promise<number>;
  /** Gives the name to the query. False where it belongs to another that is there. */
  claimName(tenantId: string, name: string, savedQueryId: string): Promise<boolean>;
  releaseName(tenantId: string, name: string, savedQueryId: string): Promise<void>;
}

/** Names that differ in case, or in how Unicode spells them, are one. */
export const sameName = (name: string): string => name.normalize('NFKC').toLowerCase();

/** A claim younger than this may belong to a query that is being written right now. */
const CLAIM_SETTLES_MS = 60_000;

export function createSavedQueryStore(table: AuthTable, clock: { now(): number }): SavedQueryStore {
  const queries = recordsIn(table, savedQuerySchema);
  const texts = recordsIn(table, savedTextSchema);
  const claims = recordsIn(table, z.object({ savedQueryId: z.string(), claimedAtMs: z.number() }));
  const keyOf = (tenantId: string, savedQueryId: string): ItemKey => ({
    pk: tenantPartition(tenantId),
    sk: `QUERY#${savedQueryId}`,
  });
  /** As many places as texts are kept, so that there can never be more. */
  const textKeyOf = (tenantId: string, savedQueryId: string, number: number): ItemKey => ({
    pk: tenantPartition(tenantId),
    sk: `QUERY_TEXT#${savedQueryId}#${number % SAVED_QUERY_EARLIER_TEXTS_MAX}`,
  });
  const claimKeyOf = (tenantId: string, name: string): ItemKey => ({
    pk: tenantPartition(tenantId),
    sk: `QUERY_NAME#${hashSecret(sameName(name))}`,
  });
  return {
    async create(tenantId, query) {
      await queries.create(keyOf(tenantId, query.savedQueryId), query);
    },
    get: (tenantId, savedQueryId) => queries.get(keyOf(tenantId, savedQueryId)),
    update: (tenantId, savedQueryId, change) => queries.update(keyOf(tenantId, savedQueryId), change),
    remove: (tenantId, savedQueryId) => queries.take(keyOf(tenantId, savedQueryId)),
    list: (tenantId) => queries.list(tenantPartition(tenantId), 'QUERY#'),
    keepText: (tenantId, savedQueryId, text) =>
      texts.put(textKeyOf(tenantId, savedQueryId, text.number), text),
    keptTexts: (tenantId, savedQueryId) =>
      texts.list(tenantPartition(tenantId), `QUERY_TEXT#${savedQueryId}#`),
    async removeTexts(tenantId, savedQueryId) {
      const places = Array.from({ length: SAVED_QUERY_EARLIER_TEXTS_MAX }, (_, i) => i);
      await Promise.all(places.map((place) => texts.take(textKeyOf(tenantId, savedQueryId, place))));
    },
    count: async (tenantId) => (await claims.list(tenantPartition(tenantId), 'QUERY_NAME#')).length,
    async claimName(tenantId, name, savedQueryId) {
      const mine = { savedQueryId, claimedAtMs: clock.now() };
      const key = claimKeyOf(tenantId, name);
      if (await claims.create(key, mine)) return true;
      // One whose query was never written, or has another name by now, is taken over.
      const settled = await claims.update(key, async (current) => {
        if (clock.now() - current.claimedAtMs <= CLAIM_SETTLES_MS) return current;
        const holder = await queries.get(keyOf(tenantId, current.savedQueryId));
        return holder !== null && sameName(holder.name) === sameName(name) ? current : mine;
      });
      return settled === null ? claims.create(key, mine) : settled.savedQueryId === savedQueryId;
    },
    async releaseName(tenantId, name, savedQueryId) {
      const key = claimKeyOf(tenantId, name);
      if ((await claims.get(key))?.savedQueryId === savedQueryId) await claims.take(key);
    },
  };
}
