import type { RoleSessions } from '@penstock/common/aws/assumed-role.ts';
import { createTenantClients } from '@penstock/common/dynamodb/tenant-client.ts';
import type { Logger } from '@penstock/common/logging/logger.ts';
import type { Metrics } from '@penstock/common/telemetry/metrics.ts';
import type { IsAssumable } from '../roles/external-id.ts';
import type { OpenFreshTables } from '../roles/fresh-tables.ts';
import { openTenantTables } from './tenant-tables.ts';

/** Tables reached by assuming the role anew, past every cache: the trust policy counts as it is now. */
export function openFreshTables(options: {
  endpoint: string | undefined;
  sessions: RoleSessions;
  logger: Logger;
  metrics?: Metrics;
}): OpenFreshTables {
  const { endpoint, sessions, ...observers } = options;
  return async (record, requestId, signal) => {
    const credentials = await sessions.assumeOnce(record.tenantId, record, requestId, signal);
    const assumed: RoleSessions = Object.freeze({
      ...sessions,
      credentials: () => Promise.resolve(credentials),
      forget: () => undefined,
    });
    const clients = createTenantClients({ ...observers, endpoint, sessions: assumed, throttling: 'retried' });
    return Object.freeze({
      tables: openTenantTables(clients)(record, requestId),
      close: () => clients.close(),
    });
  };
}

/** Asks STS itself, past every cache. */
export function isAssumableBy(sessions: RoleSessions): IsAssumable {
  return (record, externalId, requestId, signal) =>
    sessions.isAssumable({ tenantId: record.tenantId, access: { ...record, externalId }, requestId, signal });
}
