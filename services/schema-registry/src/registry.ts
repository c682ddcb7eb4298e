import { createRoleSessions } from '@penstock/common/aws/assumed-role.ts';
import { createTenantClients } from '@penstock/common/dynamodb/tenant-client.ts';
import { uuidV7 } from '@penstock/common/ids/uuid.ts';
import type { Logger } from '@penstock/common/logging/logger.ts';
import type { Metrics } from '@penstock/common/telemetry/metrics.ts';
import { systemClock, type Clock } from '@penstock/common/time/clock.ts';
import { createClaimAdministration, type ClaimAdministration } from './claims/administer.ts';
import { createRoleClaims } from './claims/role-claims.ts';
import { isAssumableBy, openFreshTables } from './dynamodb/fresh-tables.ts';
import { openTenantTables } from './dynamodb/tenant-tables.ts';
import {
  createBackgroundRefresh,
  type RefreshJobs,
  type BackgroundRefresh,
} from './jobs/background-refresh.ts';
import { createRunRefreshJob, type RunRefreshJob } from './jobs/run-refresh-job.ts';
import { createReportReads, type ReportReads } from './metadata/learned/report-reads.ts';
import { TENANT_SCHEMAS_MAX } from './limits.ts';
import { createListTables, type ListTables } from './metadata/list-tables.ts';
import { createReadTable } from './metadata/read-table.ts';
import { createRefreshSchema, type RefreshSchema } from './metadata/refresh-schema.ts';
import { createReportAttributes, type ReportAttributes } from './metadata/report-attributes.ts';
import { createResolveTables, type ResolveTables } from './metadata/resolve-tables.ts';
import { refuseOwnRoles, type IsOwnRole } from './roles/own-role.ts';
import { createValidateRole, type ValidateRole } from './roles/validate-role.ts';
import { createCheckCapacity } from './schemas/check-capacity.ts';
import { createSchemaDirectory, type SchemaDirectory } from './schemas/schema-directory.ts';
import { openStores } from './store/open-stores.ts';

/** What the registry can do, for RPCs and jobs alike. */
export interface Registry {
  readonly directory: SchemaDirectory;
  readonly refreshSchema: RefreshSchema;
  readonly background: BackgroundRefresh;
  readonly validateRole: ValidateRole;
  readonly resolveTables: ResolveTables;
  readonly reportAttributes: ReportAttributes;
  readonly reportReads: ReportReads;
  readonly listTables: ListTables;
  readonly runRefreshJob: RunRefreshJob;
  readonly claims: ClaimAdministration;
  /** What is wrong with the registry's own table, in a sentence; null where nothing is known to be. */
  problem(): string | null;
  /** Ends connections. */
  close(): void;
}

/** Builds the registry from its settings and a queue. */
export async function openRegistry(options: {
  settings: {
    readonly PENSTOCK_AWS_ENDPOINT?: string | undefined;
    readonly PENSTOCK_CONTROL_REGION: string;
    readonly PENSTOCK_TABLE_PREFIX: string;
    readonly PENSTOCK_CREATE_TABLES: boolean;
    readonly PENSTOCK_STS_CHECKS_EXTERNAL_ID: boolean;
    readonly PENSTOCK_ALLOW_OWN_ACCOUNT_ROLES: boolean;
    /** Absent where no schema is made. */
    readonly PENSTOCK_TENANT_SCHEMAS_MAX?: number;
  };
  jobs: RefreshJobs;
  logger: Logger;
  metrics?: Metrics;
  clock?: Clock;
}): Promise<Registry> {
  const { settings, jobs, logger, clock = systemClock } = options;
  const observers = { logger, ...(options.metrics === undefined ? {} : { metrics: options.metrics }) };
  const endpoint = settings.PENSTOCK_AWS_ENDPOINT;
  const region = settings.PENSTOCK_CONTROL_REGION;
  const { PENSTOCK_TABLE_PREFIX: tablePrefix, PENSTOCK_CREATE_TABLES: createTables } = settings;
  const stores = await openStores({
    endpoint,
    region,
    tablePrefix,
    createTables,
    clock,
    metrics: options.metrics,
    logger,
  });
  const sessions = createRoleSessions({
    ...observers,
    stsEndpoint: endpoint,
    region,
    clock,
    allowsOwnAccount: settings.PENSTOCK_ALLOW_OWN_ACCOUNT_ROLES,
  });
  const isOwnRole: IsOwnRole = (roleArn, signal) => sessions.isOwnRole(roleArn, signal);
  const clients = createTenantClients({ ...observers, endpoint, sessions, throttling: 'retried' });
  const claims = createRoleClaims({ ...stores, clock, logger });
  const openTables = openTenantTables(clients, (record) => claims.hold(record));
  const background = createBackgroundRefresh(jobs, logger);
  const readTable = createReadTable({ ...stores, clock, logger });
  const refreshSchema = createRefreshSchema({ ...stores, openTables, readTable, clock, newId: uuidV7 });
  return Object.freeze({
    directory: createSchemaDirectory({
      store: stores.schemas,
      checkRole: refuseOwnRoles(isOwnRole, logger),
      checkClaim: (tenantId, fields) => claims.check(tenantId, fields),
      checkCapacity: createCheckCapacity({ ...stores, openTables }),
      effects: {
        releaseRole: (record) => claims.releaseUnused(record.tenantId, record),
        refreshSoon: (record, requestId) => background.schema(record, requestId),
        // The record is gone or moved by then, so what was asked for is done: what stays behind is never read, and
        // DynamoDB's TTL removes it.
        forgetMetadata: (record) =>
          stores.metadata.removeAll(record).catch((error: unknown) => {
            const { tenantId, schemaName, incarnation } = record;
            logger.error({ err: error, tenantId, schemaName, incarnation }, 'metadata could not be removed');
          }),
      },
      schemasMax: settings.PENSTOCK_TENANT_SCHEMAS_MAX ?? TENANT_SCHEMAS_MAX,
      clock,
      newId: uuidV7,
    }),
    refreshSchema,
    background,
    validateRole: createValidateRole(
      openFreshTables({ ...observers, endpoint, sessions, hold: (record) => claims.hold(record) }),
      isOwnRole,
      settings.PENSTOCK_STS_CHECKS_EXTERNAL_ID ? isAssumableBy(sessions) : null,
    ),
    resolveTables: createResolveTables({ ...stores, claims, openTables, readTable, background, clock }),
    reportAttributes: createReportAttributes({ ...stores, clock }),
    reportReads: createReportReads(stores),
    listTables: createListTables({ ...stores, claims, background, clock }),
    runRefreshJob: createRunRefreshJob({ ...stores, refreshSchema, readTable, openTables, logger }),
    claims: createClaimAdministration(stores.claims, clock),
    problem: () => stores.problem(),
    close() {
      clients.close();
      sessions.close();
      stores.close();
    },
  });
}
