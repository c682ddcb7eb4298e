/** A worker's engines: a database of its own for each tenant, so that no mistake of the binder reaches another tenant's. */
import { TENANTS_KEPT_MAX } from '../limits.ts';
import { readSystemObjects } from '../system/objects.ts';
import { physicalFacts } from '../tables/tenant-rows.ts';
import { createCatalogEngine, type CatalogEngine } from './catalog-engine.ts';

export interface TenantEngines {
  readonly systemNames: ReadonlySet<string>;
  /** Makes the tenant's where there is none; the one that was asked for the longest ago gives way. */
  readonly of: (tenantId: string) => Promise<CatalogEngine>;
}

export function createTenantEngines(): TenantEngines {
  const system = readSystemObjects();
  const facts = physicalFacts(system.catalog, system.types);
  const systemNames = new Set(
    system.catalog.relations.flatMap(({ schema, name }) => (schema === 'pg_catalog' ? [name] : [])),
  );
  const engines = new Map<string, CatalogEngine>();
  return {
    systemNames,
    async of(tenantId) {
      const known = engines.get(tenantId);
      if (known !== undefined) {
        engines.delete(tenantId);
        engines.set(tenantId, known);
        return known;
      }
      const [oldest] = engines;
      if (oldest !== undefined && engines.size >= TENANTS_KEPT_MAX) {
        engines.delete(oldest[0]);
        oldest[1].close();
      }
      const engine = await createCatalogEngine({ system, facts, systemNames });
      engines.set(tenantId, engine);
      return engine;
    },
  };
}
