import { z } from 'zod';
import { tenantSchema } from '../tenants/tenant.ts';
import type { Tenant } from '../tenants/tenant.ts';
import { recordsIn } from './records.ts';
import type { AuthTable } from './table.ts';

export const tenantPartition = (tenantId: string): string => `TENANT#${tenantId}`;

export interface TenantStore {
  create(tenant: Tenant): Promise<void>;
  get(tenantId: string): Promise<Tenant | null>;
  update(tenantId: string, change: (current: Tenant) => Tenant): Promise<Tenant | null>;
  /** By creation. */
  list(): Promise<Tenant[]>;
}

export function createTenantStore(table: AuthTable): TenantStore {
  const tenants = recordsIn(table, tenantSchema);
  const listed = recordsIn(table, z.object({ tenantId: z.string() }));
  const keyOf = (tenantId: string) => ({ pk: tenantPartition(tenantId), sk: 'TENANT' });

  return {
    async create(tenant) {
      await listed.create({ pk: 'TENANTS', sk: tenant.tenantId }, { tenantId: tenant.tenantId });
      await tenants.create(keyOf(tenant.tenantId), tenant);
    },
    get: (tenantId) => tenants.get(keyOf(tenantId)),
    update: (tenantId, change) => tenants.update(keyOf(tenantId), change),
    async list() {
      const found: Tenant[] = [];
      for (const { tenantId } of await listed.list('TENANTS')) {
        const tenant = await tenants.get(keyOf(tenantId));
        if (tenant !== null) found.push(tenant);
      }
      return found;
    },
  };
}
