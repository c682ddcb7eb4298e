import type { RoleAccess, RoleCredentials, RoleSessions } from '@penstock/common/aws/assumed-role.ts';
import { roleAccessKey } from '@penstock/common/aws/role-access.ts';
import { accessForTable } from '@penstock/common/aws/session-policy.ts';
import { createTenantClients } from '@penstock/common/dynamodb/tenant-client.ts';
import type { Logger } from '@penstock/common/logging/logger.ts';
import type { Metrics } from '@penstock/common/telemetry/metrics.ts';
import type { RoleClaims } from '../claims/role-claims.ts';
import type { IsAssumable } from '../roles/external-id.ts';
import { openTenantTables, type TenantTables } from './tenant-tables.ts';
import type { SchemaRecord } from '../schemas/schema-record.ts';

/** Tables behind a role that has been assumed just now. */
export interface FreshTables {
  readonly tables: TenantTables;
  close(): void;
}

/**
 * Assumes a schema's role, past every cache. Throws PenstockErrors: ACCESS_DENIED where it cannot be assumed, THROTTLED
 * or UNAVAILABLE where STS did not answer.
 */
export type OpenFreshTables = (
  record: SchemaRecord,
  requestId: string,
  signal: AbortSignal,
) => Promise<FreshTables>;

/** Tables reached by assuming the role again, past every cache, so that the trust policy counts as it is now. */
export function openFreshTables(options: {
  endpoint: string | undefined;
  sessions: RoleSessions;
  hold: RoleClaims['hold'];
  logger: Logger;
  metrics?: Metrics;
}): OpenFreshTables {
  const { endpoint, sessions, hold, ...observers } = options;
  return async (record, requestId, signal) => {
    // A long allowlist is read by several sessions; each is a new one here, and is opened once.
    const opened = new Map<string, Promise<RoleCredentials>>();
    const open = (access: RoleAccess): Promise<RoleCredentials> => {
      const key = roleAccessKey(record.tenantId, access);
      const session = opened.get(key) ?? sessions.assumeOnce(record.tenantId, access, requestId, signal);
      opened.set(key, session);
      return session;
    };
    await open(accessForTable(record, record.tableAllowlist[0] ?? '*'));
    await hold(record);
    const assumed: RoleSessions = Object.freeze({
      ...sessions,
      credentials: (_tenantId: string, access: RoleAccess) => open(access),
      forget: () => undefined,
      // These credentials are new: renewing them would change nothing.
      renew: () => Promise.resolve(false),
    });
    const clients = createTenantClients({ ...observers, endpoint, sessions: assumed, throttling: 'retried' });
    return Object.freeze({
      tables: openTenantTables(clients, hold)(record, requestId),
      close: () => clients.close(),
    });
  };
}

/** Asks STS itself, past every cache. */
export function isAssumableBy(sessions: RoleSessions): IsAssumable {
  return (record, externalId, requestId, signal) =>
    sessions.isAssumable({ tenantId: record.tenantId, access: { ...record, externalId }, requestId, signal });
}
