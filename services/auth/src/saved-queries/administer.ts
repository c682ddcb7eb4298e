import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { Clock } from '@penstock/common/time/clock.ts';
import { newSavedQueryId } from '../ids.ts';
import { SAVED_QUERIES_MAX, SAVED_QUERIES_PAGE_BYTES_MAX } from '../limits.ts';
import {
  sameName,
  textOf,
  type SavedQuery,
  type SavedQueryStore,
  type SavedText,
} from '../store/saved-queries.ts';

/** Who keeps or changes a query. */
interface Author {
  readonly tenantId: string;
  /** E-mail address. */
  readonly email: string;
  readonly isAdmin: boolean;
}

interface SavedQueryChange {
  readonly name: string | null;
  readonly sql: string | null;
  /** The revision that the change is for; null: whichever. */
  readonly revision: number | null;
}

/** Queries that a tenant's people keep. All throw `NOT_FOUND` for one that the tenant does not have. */
export interface SavedQueries {
  /** By name. `after`: the token of the page before. */
  list(tenantId: string, after: string | null): Promise<{ queries: SavedQuery[]; nextToken: string | null }>;
  get(tenantId: string, savedQueryId: string): Promise<SavedQuery>;
  /** Throws `CONFLICT` where the name is taken, `LIMIT_REACHED`. */
  create(author: Author, name: string, sql: string): Promise<SavedQuery>;
  /** Throws `CONFLICT` where the name is taken, or somebody was faster, `TENANT_ADMIN_REQUIRED` where it is another's. */
  update(author: Author, savedQueryId: string, change: SavedQueryChange): Promise<SavedQuery>;
  /** Its text and those that it had, the latest first. Throws `TENANT_ADMIN_REQUIRED` where it is another's. */
  texts(author: Author, savedQueryId: string): Promise<SavedText[]>;
  /** With its texts. Throws `TENANT_ADMIN_REQUIRED` where it is another's. */
  remove(author: Author, savedQueryId: string): Promise<void>;
}

const notFound = (): PenstockError => new PenstockError('NOT_FOUND', 'Saved query not found');
const taken = (name: string): PenstockError =>
  new PenstockError('CONFLICT', `There is a saved query named ${name} already`);

/** Whose a query is. */
export const ownerOf = ({ createdBy, updatedBy }: SavedQuery): string => createdBy ?? updatedBy;

function checkMayChange({ email, isAdmin }: Author, query: SavedQuery): void {
  if (isAdmin || ownerOf(query) === email) return;
  throw new PenstockError(
    'TENANT_ADMIN_REQUIRED',
    `Only ${ownerOf(query)} and administrators change this query: save a copy of it`,
  );
}

/** By name as people sort, and then by ID, so that the order is one. */
const orderOf = ({ name, savedQueryId }: SavedQuery): string => `${sameName(name)}\u0000${savedQueryId}`;

export function createSavedQueries(store: SavedQueryStore, clock: Clock): SavedQueries {
  const nowText = (): string => new Date(clock.now()).toISOString();

  return {
    async list(tenantId, after) {
      const all = (await store.list(tenantId)).sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
      const start = after === null ? 0 : all.findIndex(({ savedQueryId }) => savedQueryId === after) + 1;
      const queries: SavedQuery[] = [];
      let bytes = 0;
      for (const query of all.slice(start)) {
        bytes += Buffer.byteLength(query.sql);
        if (queries.length > 0 && bytes > SAVED_QUERIES_PAGE_BYTES_MAX) break;
        queries.push(query);
      }
      const isAll = start + queries.length === all.length;
      return { queries, nextToken: isAll ? null : (queries.at(-1)?.savedQueryId ?? null) };
    },
    async get(tenantId, savedQueryId) {
      const query = await store.get(tenantId, savedQueryId);
      if (query === null) throw notFound();
      return query;
    },
    async create({ tenantId, email }, name, sql) {
      if ((await store.count(tenantId)) >= SAVED_QUERIES_MAX) {
        throw new PenstockError(
          'LIMIT_REACHED',
          `There are ${SAVED_QUERIES_MAX} saved queries, as many as there may be: delete one first`,
        );
      }
      const savedQueryId = newSavedQueryId();
      if (!(await store.claimName(tenantId, name, savedQueryId))) throw taken(name);
      const at = nowText();
      const query = {
        savedQueryId,
        name,
        sql,
        revision: 1,
        createdAt: at,
        updatedAt: at,
        updatedBy: email,
        createdBy: email,
        text: { number: 1, savedAt: at, savedBy: email },
      };
      await store.create(tenantId, query);
      return query;
    },
    async update(author, savedQueryId, { name, sql, revision }) {
      const { tenantId, email } = author;
      const before = await store.get(tenantId, savedQueryId);
      if (before === null) throw notFound();
      checkMayChange(author, before);
      const isRenamed = name !== null && sameName(name) !== sameName(before.name);
      if (isRenamed && !(await store.claimName(tenantId, name, savedQueryId))) throw taken(name);
      const changed = await store
        .update(tenantId, savedQueryId, async (current) => {
          if (revision !== null && revision !== current.revision) {
            throw new PenstockError('CONFLICT', `${current.updatedBy} changed this query meanwhile`);
          }
          const at = nowText();
          const { sql: earlier, ...text } = textOf(current);
          const isOther = sql !== null && sql !== earlier;
          if (isOther) await store.keepText(tenantId, savedQueryId, { sql: earlier, ...text });
          return {
            ...current,
            createdBy: ownerOf(current),
            ...(name === null ? {} : { name }),
            ...(sql === null ? {} : { sql }),
            revision: current.revision + 1,
            updatedAt: at,
            updatedBy: email,
            text: isOther ? { number: text.number + 1, savedAt: at, savedBy: email } : text,
          };
        })
        .catch(async (error: unknown) => {
          if (isRenamed) await store.releaseName(tenantId, name, savedQueryId);
          throw error;
        });
      if (changed === null) {
        // It was deleted while its text was kept as an earlier one.
        await store.removeTexts(tenantId, savedQueryId);
        throw notFound();
      }
      if (isRenamed) await store.releaseName(tenantId, before.name, savedQueryId);
      return changed;
    },
    async texts(author, savedQueryId) {
      const query = await store.get(author.tenantId, savedQueryId);
      if (query === null) throw notFound();
      checkMayChange(author, query);
      const text = textOf(query);
      // One that was kept for a change that did not come is what the query still has.
      const earlier = (await store.keptTexts(author.tenantId, savedQueryId)).filter(
        ({ number }) => number < text.number,
      );
      return [text, ...earlier.sort((a, b) => b.number - a.number)];
    },
    async remove(author, savedQueryId) {
      const { tenantId } = author;
      const before = await store.get(tenantId, savedQueryId);
      if (before !== null) checkMayChange(author, before);
      const removed = before === null ? null : await store.remove(tenantId, savedQueryId);
      // Where there is none it may be that whoever removed it came no further than that.
      await store.removeTexts(tenantId, savedQueryId);
      if (removed === null) throw notFound();
      await store.releaseName(tenantId, removed.name, savedQueryId);
    },
  };
}
