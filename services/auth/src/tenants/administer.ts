import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { Clock } from '@penstock/common/time/clock.ts';
import { newTenantId } from '../ids.ts';
import type { TenantStore } from '../store/tenants.ts';
import type { Tenant } from './tenant.ts';

/** The tenant; throws `NOT_FOUND`. */
export async function requireTenant(tenants: TenantStore, tenantId: string): Promise<Tenant> {
  const tenant = await tenants.get(tenantId);
  if (tenant === null) throw new PenstockError('NOT_FOUND', `Tenant not found: ${tenantId}`);
  return tenant;
}

export interface TenantAdministration {
  create(name: string): Promise<Tenant>;
  list(): Promise<Tenant[]>;
  /** Null: back to the deployment's own. In force with the next token. */
  setLimits(tenantId: string, limits: Pick<Tenant, 'rateLimitRps' | 'rateLimitBurst'>): Promise<Tenant>;
}

export function createTenantAdministration(tenants: TenantStore, clock: Clock): TenantAdministration {
  return {
    async create(name) {
      const createdAt = new Date(clock.now()).toISOString();
      const tenant: Tenant = {
        tenantId: newTenantId(),
        name,
        createdAt,
        rateLimitRps: null,
        rateLimitBurst: null,
      };
      await tenants.create(tenant);
      return tenant;
    },
    list: () => tenants.list(),
    async setLimits(tenantId, limits) {
      const changed = await tenants.update(tenantId, (current) => ({ ...current, ...limits }));
      if (changed === null) throw new PenstockError('NOT_FOUND', `Tenant not found: ${tenantId}`);
      return changed;
    },
  };
}
