/**
 * Tables without the indexes that DynamoDB has denied a tenant's role: a policy written by hand often lacks
 * `table/…/index/*`, and a query can do without an index. Remembered for some minutes, so that a role that was mended
 * is found out.
 */
import { boundedCache } from '@penstock/common/caching/bounded-cache.ts';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { systemClock, type Clock } from '@penstock/common/time/clock.ts';
import type { CatalogTable } from '../catalog/table.ts';
import { DENIED_INDEX_MS, DENIED_INDEXES_KEPT } from '../limits.ts';
import type { Catalog } from './catalog.ts';

export interface CatalogWithoutDenied extends Catalog {
  /** From now on the tenant's statements are planned without the index. */
  deny(tenantId: string, table: CatalogTable, index: string): void;
}

/** Between a version and the names of the indexes that are left out. */
const WITHOUT = ' without ';

export function withoutDeniedIndexes(catalog: Catalog, clock: Clock = systemClock): CatalogWithoutDenied {
  const deniedUntil = boundedCache<number>(DENIED_INDEXES_KEPT);
  const keyOf = (tenantId: string, { access, tableName }: CatalogTable, index: string): string =>
    JSON.stringify([tenantId, access.roleArn, access.region, tableName, index]);

  const allowed = (tenantId: string, table: CatalogTable): CatalogTable => {
    const now = clock.now();
    const indexes = table.indexes.filter(
      ({ name }) => (deniedUntil.get(keyOf(tenantId, table, name)) ?? 0) <= now,
    );
    if (indexes.length === table.indexes.length) return table;
    const left = new Set(indexes);
    const deniedIndexes = table.indexes.filter((index) => !left.has(index));
    // Plans are kept by version.
    const version = `${table.version}${WITHOUT}${deniedIndexes.map(({ name }) => name).join(' ')}`;
    return Object.freeze({ ...table, indexes, deniedIndexes, version });
  };

  return Object.freeze({
    async resolve(call, references, maySample, outdated = null) {
      const version = outdated?.split(WITHOUT)[0] ?? null;
      const resolved = await catalog.resolve(call, references, maySample, version);
      return resolved.map((one) => (one instanceof PenstockError ? one : allowed(call.tenantId, one)));
    },
    report: (call, found, seen) => catalog.report(call, found, seen),
    deny: (tenantId, table, index) =>
      deniedUntil.set(keyOf(tenantId, table, index), clock.now() + DENIED_INDEX_MS),
  } satisfies CatalogWithoutDenied);
}
