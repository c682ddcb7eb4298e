/** The tables that statements name, as the planner knows them. */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { systemClock, type Clock } from '@penstock/common/time/clock.ts';
import type { CatalogTable, LearnedStatistics } from '../catalog/table.ts';
import type { NewAttributes } from '../execution/loading/new-attributes.ts';
import type { SeenReads } from '../execution/loading/seen-reads.ts';
import { CATALOG_STALE_MS_MAX } from '../limits.ts';
import type { CatalogCall, CatalogClient, TableReference } from './catalog-client.ts';
import { createCheckedTables } from './checked-tables.ts';
import { createHeldFindings } from './held-findings.ts';

/** A table, or the error to throw where the statement names it. */
export type Resolved = CatalogTable | PenstockError;

export interface Catalog {
  /** As CheckedTables has it. */
  resolve(
    call: CatalogCall,
    references: readonly TableReference[],
    maySample: boolean,
    outdated?: string | null,
  ): Promise<readonly Resolved[]>;
  /** Tells the registry; nobody waits, and failing is no harm. */
  report(call: CatalogCall, found: readonly NewAttributes[], seen: readonly SeenReads[]): void;
}

const NOTHING_SEEN: LearnedStatistics = Object.freeze({ keys: [], filters: [] });

export function createCatalog(
  client: Pick<CatalogClient<CatalogTable>, 'resolve' | 'report'>,
  clock: Clock = systemClock,
  freshMs?: number,
): Catalog {
  const tables = createCheckedTables(client, clock, freshMs);
  const held = createHeldFindings(clock);
  return Object.freeze({
    async resolve(call, references, maySample, outdated = null) {
      const checked = await tables.resolve(call, references, maySample, outdated);
      return checked.map((one) => (one instanceof PenstockError ? one : one.table));
    },
    report(call, found, seen) {
      const attributesOf = new Map(found.map(({ table, attributes }) => [table, attributes]));
      const readsOf = new Map(seen.map((one) => [one.table, one.seen]));
      for (const table of new Set([...attributesOf.keys(), ...readsOf.keys()])) {
        const { schemaName, tableName } = table;
        const attributes = (attributesOf.get(table) ?? []).map(({ name, types }) => ({
          name,
          types: [...types],
        }));
        const reads = readsOf.get(table) ?? NOTHING_SEEN;
        if (attributes.length + reads.keys.length + reads.filters.length === 0) continue;
        const told = held.add(call.tenantId, { schemaName, tableName, attributes, seen: reads });
        if (told === null) continue;
        // The query's own end must not end it.
        const signal = AbortSignal.timeout(CATALOG_STALE_MS_MAX);
        void client.report({ ...call, signal }, told).catch(() => undefined);
      }
    },
  } satisfies Catalog);
}
