/**
 * The registry as it runs: RPC server and clients, the local AWS endpoint, and for the queue either a list of what was
 * asked for or a real one.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@connectrpc/connect';
import { ClaimService } from '@penstock/common/gen/penstock/schema/v1/claim_pb.js';
import { CatalogService } from '@penstock/common/gen/penstock/schema/v1/catalog_pb.js';
import { SchemaService } from '@penstock/common/gen/penstock/schema/v1/schema_pb.js';
import type { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { uuidV7 } from '@penstock/common/ids/uuid.ts';
import { createLogger } from '@penstock/common/logging/logger.ts';
import { callOptions, createRpcClient } from '@penstock/common/rpc/client.ts';
import { fromConnectError } from '@penstock/common/rpc/error-mapping.ts';
import { startRpcServer } from '@penstock/common/rpc/server.ts';
import { createMetrics } from '@penstock/common/telemetry/metrics.ts';
import type { Clock } from '@penstock/common/time/clock.ts';
import type { Principal } from '@penstock/common/token/principal.ts';
import { startAwsEndpoint } from '../../../../deploy/local/src/aws/server.ts';
import {
  createAccessRole,
  customerAccount,
  type CustomerAccount,
} from '../../../../deploy/local/src/seed/customer-account.ts';
import type { RefreshJobs } from '../../src/jobs/background-refresh.ts';
import type { RefreshJob } from '../../src/jobs/refresh-job.ts';
import { openRegistry, type Registry } from '../../src/registry.ts';
import { operatorServices, registryRoutes } from '../../src/rpc/routes.ts';
import { principal, tokenOf } from './principals.ts';

export const SERVICE_ACCOUNT = '000000000000';
const OPERATOR_TOKEN = 'the-operator-of-this-test';
export const REGION = 'eu-west-1';

/** Quiet: what is logged on the way is not what the tests are about. */
export const logger = createLogger({ service: 'test', level: 'fatal' });

/** A clock that runs with the machine's, and can be set forward. */
interface SteppedClock extends Clock {
  forward(ms: number): void;
}

function steppedClock(): SteppedClock {
  let ahead = 0;
  return { now: () => Date.now() + ahead, forward: (ms) => void (ahead += ms) };
}

/** Every part, and how to end it. */
export interface TestStack {
  readonly endpoint: string;
  /** The registry's RPC address. */
  readonly target: string;
  readonly clock: SteppedClock;
  readonly registry: Registry;
  /** What was asked of the background, oldest first; empty where a queue of its own was given. */
  readonly jobs: { readonly job: RefreshJob; readonly id: string }[];
  as(tenantId: string, overrides?: Partial<Principal>): TenantCalls;
  /** The operator's RPCs. */
  readonly claims: Client<typeof ClaimService>;
  /** A call's options with the operator's token. */
  operator(): ReturnType<typeof callOptions>;
  account(accountId: string): CustomerAccount;
  role(
    account: CustomerAccount,
    options?: {
      name?: string;
      tableNames?: readonly string[] | '*';
      actions?: string[];
      externalId?: string;
    },
  ): Promise<string>;
  faults(list: readonly object[]): Promise<void>;
  requests(accountId: string): Promise<{ operation: string; tableName: string; segment?: number | null }[]>;
  close(): Promise<void>;
}

/** The services as one tenant calls them. */
type TenantCalls = ReturnType<typeof tenantCalls>;

export const EXTERNAL_ID = 'external-1';

const verifier = {
  verify: async (token: string) => JSON.parse(Buffer.from(token, 'base64url').toString()) as Principal,
};

/** Starts everything on free ports, with a data directory of its own. */
export async function startTestStack(
  options: {
    jobs?: RefreshJobs;
    emulator?: 'dynalite';
    allowsOwnAccount?: boolean;
    schemasMax?: number;
  } = {},
): Promise<TestStack> {
  process.env['AWS_ACCESS_KEY_ID'] = SERVICE_ACCOUNT;
  process.env['AWS_SECRET_ACCESS_KEY'] = 'test';
  const dataDir = await mkdtemp(join(tmpdir(), 'penstock-registry-'));
  const aws = await startAwsEndpoint({
    port: 0,
    host: '127.0.0.1',
    dataDir,
    ...(options.emulator === undefined ? {} : { emulator: options.emulator }),
  });
  const clock = steppedClock();
  const jobs: TestStack['jobs'] = [];
  const listed: RefreshJobs = { add: async (job, id) => void jobs.push({ job, id }) };
  const registry = await openRegistry({
    settings: {
      PENSTOCK_AWS_ENDPOINT: aws.url,
      PENSTOCK_CONTROL_REGION: 'us-east-1',
      PENSTOCK_TABLE_PREFIX: 'penstock',
      PENSTOCK_CREATE_TABLES: true,
      PENSTOCK_STS_CHECKS_EXTERNAL_ID: true,
      PENSTOCK_ALLOW_OWN_ACCOUNT_ROLES: options.allowsOwnAccount ?? false,
      ...(options.schemasMax === undefined ? {} : { PENSTOCK_TENANT_SCHEMAS_MAX: options.schemasMax }),
    },
    jobs: options.jobs ?? listed,
    logger,
    clock,
  });
  const metrics = createMetrics('test');
  const server = await startRpcServer({
    host: '127.0.0.1',
    port: 0,
    routes: registryRoutes(registry),
    verifier,
    operatorServices,
    operatorToken: OPERATOR_TOKEN,
    logger,
    metrics,
    isReady: () => true,
  });
  const target = `ipv4:127.0.0.1:${server.port}`;
  const schemas = createRpcClient(SchemaService, { target, defaultTimeoutMs: 20_000 });
  const catalog = createRpcClient(CatalogService, { target, defaultTimeoutMs: 20_000 });
  const claims = createRpcClient(ClaimService, { target, defaultTimeoutMs: 20_000 });
  const accounts: CustomerAccount[] = [];
  return {
    endpoint: aws.url,
    target,
    clock,
    registry,
    jobs,
    claims: claims.client,
    operator: () => callOptions({ token: OPERATOR_TOKEN, requestId: uuidV7() }),
    as: (tenantId, overrides = {}) =>
      tenantCalls(schemas.client, catalog.client, principal(tenantId, overrides)),
    account(accountId) {
      const account = customerAccount({ accountId, region: REGION, endpoint: aws.url });
      accounts.push(account);
      return account;
    },
    role: (account, { name = 'penstock-read', tableNames = '*', actions, externalId = EXTERNAL_ID } = {}) =>
      createAccessRole(account, {
        roleName: name,
        serviceAccountId: SERVICE_ACCOUNT,
        externalId,
        tableNames,
        ...(actions === undefined ? {} : { actions }),
      }),
    async faults(list) {
      await fetch(`${aws.url}/_faults`, { method: 'PUT', body: JSON.stringify(list) });
    },
    async requests(accountId) {
      const answer = await fetch(`${aws.url}/_requests?accountId=${accountId}`);
      return (await answer.json()) as { operation: string; tableName: string }[];
    },
    async close() {
      for (const account of accounts) account.close();
      schemas.close();
      catalog.close();
      claims.close();
      await server.close();
      registry.close();
      await aws.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

type SchemaClient = ReturnType<typeof createRpcClient<typeof SchemaService>>['client'];
type CatalogClient = ReturnType<typeof createRpcClient<typeof CatalogService>>['client'];

function tenantCalls(schemas: SchemaClient, catalog: CatalogClient, caller: Principal) {
  const options = () => callOptions({ token: tokenOf(caller), requestId: uuidV7() });
  type Init<F extends (...args: never[]) => unknown> = Parameters<F>[0];
  return {
    create: (request: Init<SchemaClient['createSchema']>) => schemas.createSchema(request, options()),
    get: (schemaName: string) => schemas.getSchema({ schemaName }, options()),
    list: (request: Init<SchemaClient['listSchemas']>) => schemas.listSchemas(request, options()),
    update: (request: Init<SchemaClient['updateSchema']>) => schemas.updateSchema(request, options()),
    remove: (schemaName: string) => schemas.deleteSchema({ schemaName }, options()),
    refresh: (schemaName: string) => schemas.refreshMetadata({ schemaName }, options()),
    validate: (schemaName: string) => schemas.validateRole({ schemaName }, options()),
    resolve: (request: Init<CatalogClient['resolveTables']>) => catalog.resolveTables(request, options()),
    report: (request: Init<CatalogClient['reportAttributes']>) =>
      catalog.reportAttributes(request, options()),
    reportReads: (request: Init<CatalogClient['reportReads']>) => catalog.reportReads(request, options()),
    tables: (request: Init<CatalogClient['listTables']>) => catalog.listTables(request, options()),
    describe: (request: Init<CatalogClient['describeTable']>) => catalog.describeTable(request, options()),
  };
}

/** What a call was refused with; fails where it was not. */
export async function refusal(call: Promise<unknown>): Promise<PenstockError> {
  try {
    await call;
  } catch (error) {
    return fromConnectError(error);
  }
  throw new Error('the call was not refused');
}

/** The one table, or why there is none, of a resolution of one table. */
export async function resolveOne(
  calls: TenantCalls,
  table: { schema?: string; table: string; knownVersion?: string; outdated?: boolean },
  maySample = true,
) {
  const { tables } = await calls.resolve({ tables: [table], maySample });
  const result = tables[0]?.result;
  if (result === undefined) throw new Error('no answer');
  return result;
}

/** The table that a resolution found; fails where it found none. */
export async function resolvedTable(...args: Parameters<typeof resolveOne>) {
  const result = await resolveOne(...args);
  if (result.case !== 'table') throw new Error(`not a table: ${JSON.stringify(result.value)}`);
  const { metadata, access, version, readLimits } = result.value;
  if (metadata === undefined || access === undefined) throw new Error('an incomplete table');
  return { metadata, access, version, readLimits };
}

/** Why a resolution found nothing; fails where it found something. */
export async function resolutionError(...args: Parameters<typeof resolveOne>) {
  const result = await resolveOne(...args);
  if (result.case !== 'error') throw new Error(`no error, but ${String(result.case)}`);
  return result.value;
}
