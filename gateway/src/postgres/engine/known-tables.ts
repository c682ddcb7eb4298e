/** Tables of tenants, for the system catalogs: as the registry knows them, a few seconds old at most. */
import { createHash } from 'node:crypto';
import { boundedCache } from '@penstock/common/caching/bounded-cache.ts';
import { knownTable, type KnownTable } from '../../clients/catalog-tables.ts';
import type { GatewayClients } from '../../clients/gateway-clients.ts';
import { answered, onBehalfOf } from '../../clients/service-call.ts';
import { SCHEMAS_PER_PAGE_MAX } from '../../limits.ts';
import type { CatalogTables } from '../servers/tables/catalog-tables.ts';
import { TABLES_AGE_MS, TABLES_MAX, TABLES_PER_CALL, TABLES_TENANTS_MAX } from '../limits.ts';
import type { SessionCall } from './descriptions.ts';

export interface KnownTables {
  /** Rejects with PenstockError. */
  of(call: Omit<SessionCall, 'signal'>): Promise<CatalogTables>;
}

async function schemasOf(clients: GatewayClients, call: SessionCall): Promise<readonly string[]> {
  const names: string[] = [];
  for (let nextToken: string | undefined; ;) {
    const page = await answered(
      clients.schemas.listSchemas(
        { limit: SCHEMAS_PER_PAGE_MAX, ...(nextToken === undefined ? {} : { nextToken }) },
        onBehalfOf(call, call.token),
      ),
    );
    for (const { schemaName, status } of page.items) if (status === 'active') names.push(schemaName);
    nextToken = page.nextToken;
    if (nextToken === undefined) return names;
  }
}

async function tablesOf(clients: GatewayClients, call: SessionCall): Promise<readonly KnownTable[]> {
  const tables: KnownTable[] = [];
  for (let nextToken: string | undefined; tables.length < TABLES_MAX;) {
    const page = await answered(
      clients.catalog.listTables(
        { limit: TABLES_PER_CALL, ...(nextToken === undefined ? {} : { nextToken }) },
        onBehalfOf(call, call.token),
      ),
    );
    tables.push(...page.tables.map(knownTable));
    nextToken = page.nextToken;
    if (nextToken === undefined) break;
  }
  return tables.slice(0, TABLES_MAX);
}

const versionOf = (parts: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(parts, (_, value: unknown) => (value instanceof Map ? [...value] : value)))
    .digest('base64url');

export function createKnownTables(clients: GatewayClients): KnownTables {
  const kept = boundedCache<{ readonly tables: Promise<CatalogTables>; readonly untilMs: number }>(
    TABLES_TENANTS_MAX,
  );
  const ask = async (call: SessionCall): Promise<CatalogTables> => {
    const [schemas, all] = await Promise.all([schemasOf(clients, call), tablesOf(clients, call)]);
    const active = new Set(schemas);
    const tables = all.filter(({ schemaName }) => active.has(schemaName));
    // What queries learned changes all the time, and no catalog shows it.
    const shown = tables.map(({ details, ...table }) => ({
      ...table,
      details: details === null ? null : { ...details, learned: undefined },
    }));
    return { version: versionOf([schemas, shown]), schemas, tables };
  };
  return {
    of(call) {
      const known = kept.get(call.tenantId);
      if (known !== undefined && performance.now() < known.untilMs) return known.tables;
      // Others wait for the same answer: it does not end with the statement that asked first.
      const tables = ask({ ...call, signal: new AbortController().signal });
      kept.set(call.tenantId, { tables, untilMs: performance.now() + TABLES_AGE_MS });
      tables.catch(() => kept.delete(call.tenantId));
      return tables;
    },
  };
}
