import { z } from 'zod';
import { CLIENT_TENANTS_MAX } from '../limits.ts';
import { recordsIn } from './records.ts';
import type { AuthTable, ItemKey, Values } from './table.ts';
import { tenantPartition } from './tenants.ts';

/** No tenant has this ID: tenants' IDs begin with `tnt_`. */
const nobodysTenant = 'none';

/** API clients or users: kept in their tenant's partition, and found by their ID alone. */
export interface PrincipalStore<T> {
  create(principalId: string, record: T): Promise<void>;
  get(principalId: string): Promise<T | null>;
  /** See `Records.update`. */
  update(principalId: string, change: (current: T) => T | Promise<T>): Promise<T | null>;
  /** By creation. */
  list(tenantId: string): Promise<T[]>;
  /**
   * To be called where a principal has proved who they are. From then on `get` needs one read for them instead of
   * two, since their tenant never changes.
   */
  remember(principalId: string, tenantId: string): void;
  /**
   * To be called where somebody did not prove that they are this principal: makes the read that `get` saved, so that
   * the time taken does not tell which IDs exist.
   */
  equalizeTiming(principalId: string): Promise<void>;
}

export function createPrincipalStore<T extends Values & { readonly tenantId: string }>(
  table: AuthTable,
  kind: 'CLIENT' | 'USER',
  schema: z.ZodType<T>,
): PrincipalStore<T> {
  const records = recordsIn(table, schema);
  const tenantOf = recordsIn(table, z.object({ tenantId: z.string() }));
  const locator = (principalId: string): ItemKey => ({ pk: `${kind}#${principalId}`, sk: 'TENANT' });
  const keyIn = (tenantId: string, principalId: string): ItemKey => ({
    pk: tenantPartition(tenantId),
    sk: `${kind}#${principalId}`,
  });

  const tenantIds = new Map<string, string>();

  async function keyOf(principalId: string): Promise<ItemKey | null> {
    const tenantId = tenantIds.get(principalId);
    if (tenantId !== undefined) return keyIn(tenantId, principalId);
    const located = await tenantOf.get(locator(principalId));
    return located === null ? null : keyIn(located.tenantId, principalId);
  }

  return {
    async create(principalId, record) {
      await tenantOf.create(locator(principalId), { tenantId: record.tenantId });
      await records.create(keyIn(record.tenantId, principalId), record);
    },
    async get(principalId) {
      // An ID that nobody has is looked up all the same: the time taken must not tell which IDs exist.
      return records.get((await keyOf(principalId)) ?? keyIn(nobodysTenant, principalId));
    },
    async update(principalId, change) {
      const key = await keyOf(principalId);
      return key === null ? null : records.update(key, change);
    },
    list: (tenantId) => records.list(tenantPartition(tenantId), `${kind}#`),
    remember(principalId, tenantId) {
      if (tenantIds.has(principalId)) return;
      const [first] = tenantIds.keys();
      if (tenantIds.size >= CLIENT_TENANTS_MAX && first !== undefined) tenantIds.delete(first);
      tenantIds.set(principalId, tenantId);
    },
    async equalizeTiming(principalId) {
      if (tenantIds.has(principalId)) await tenantOf.get(locator(principalId));
    },
  };
}
