/** Tenants and customers' accounts as test fixtures, made the way operators and customers make them. */
import { randomUUID } from 'node:crypto';
import { admin } from '../../../../deploy/local/src/seed/admin.ts';
import {
  createAccessRole,
  customerAccount,
  type CustomerAccount,
} from '../../../../deploy/local/src/seed/customer-account.ts';
import type { RunningStack } from '../../../../deploy/local/src/stack/stack.ts';
import { http, type HttpAnswer, type HttpRequest } from './http.ts';

const REGION = 'eu-west-1';
export const ALL_SCOPES = 'query schemas:read schemas:write usage:read';

export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface TestTenant {
  readonly tenantId: string;
  readonly token: string;
  readonly credentials: Credentials;
  /** A request with this tenant's token. */
  call<Body = Envelope>(method: string, path: string, request?: HttpRequest): Promise<HttpAnswer<Body>>;
  query(sql: string, options?: Record<string, unknown>, mode?: string): Promise<HttpAnswer<QueryEnvelope>>;
}

export interface Envelope {
  readonly success: boolean;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly message: string; readonly code: string; readonly requestId: string };
}

export interface QueryEnvelope {
  readonly success: boolean;
  readonly data?: {
    readonly data: readonly (readonly unknown[])[];
    readonly columns: readonly string[];
    readonly columnTypes: readonly string[];
    readonly firstRowIdx: number;
    readonly resumeIdx?: number;
    readonly planTime: number;
    readonly execTime: number;
    readonly readUnits: number;
    readonly warnings?: readonly string[];
    readonly plan?: string;
    readonly weight?: number;
    readonly estimatedReadUnits?: { readonly low: number; readonly high: number };
    readonly normalizedSql?: string;
  };
  readonly error?: string;
  readonly detailedError?: string;
}

export async function newClient(stack: RunningStack, tenantId: string, scopes: string): Promise<Credentials> {
  const flags = ['--tenant', tenantId, '--name', 'test', '--scopes', scopes];
  return admin<Credentials>(stack.dataDir, 'client', 'create', ...flags);
}

export async function tokenOf(stack: RunningStack, credentials: Credentials): Promise<string> {
  const { clientId, clientSecret } = credentials;
  const answer = await http<{ data: { accessToken: string } }>('POST', `${stack.baseUrl}/v1/auth/token`, {
    json: { clientId, clientSecret },
  });
  if (answer.status !== 200) throw new Error(`no token: ${answer.status} ${answer.text}`);
  return answer.body.data.accessToken;
}

/** Requests that a tenant may send, in place of the stack's own setting. */
export interface RateLimits {
  /** A second. */
  readonly rps: number;
  readonly burst: number;
}

/** A tenant with a client of all scopes and its token. */
export async function newTenant(
  stack: RunningStack,
  scopes = ALL_SCOPES,
  limits?: RateLimits,
): Promise<TestTenant> {
  const { tenantId } = await admin<{ tenantId: string }>(stack.dataDir, 'tenant', 'create', '--name', 'Test');
  if (limits !== undefined) {
    const flags = ['--tenant', tenantId, '--rps', String(limits.rps), '--burst', String(limits.burst)];
    await admin(stack.dataDir, 'tenant', 'set-limits', ...flags);
  }
  const credentials = await newClient(stack, tenantId, scopes);
  return tenantWith(stack, tenantId, credentials);
}

/** The same tenant seen through another client. */
export async function tenantWith(
  stack: RunningStack,
  tenantId: string,
  credentials: Credentials,
): Promise<TestTenant> {
  const token = await tokenOf(stack, credentials);
  const call = <Body>(method: string, path: string, request: HttpRequest = {}): Promise<HttpAnswer<Body>> =>
    http<Body>(method, `${stack.baseUrl}${path}`, { token, ...request });
  return {
    tenantId,
    token,
    credentials,
    call,
    query: (sql, options, mode) =>
      call('POST', '/v1/query', {
        json: { sql, ...(options === undefined ? {} : { options }), ...(mode === undefined ? {} : { mode }) },
      }),
  };
}

let accounts = 0;

/** An account that no other test uses. */
export function newAccount(stack: RunningStack, region = REGION): CustomerAccount {
  accounts += 1;
  const accountId = String(200_000_000_000 + (process.pid % 100_000) * 1_000 + accounts);
  return customerAccount({ accountId, region, endpoint: stack.awsEndpoint });
}

export interface RegisteredSchema {
  readonly schemaName: string;
  readonly roleArn: string;
  readonly externalId: string;
}

/** A role in the account and a schema over it. */
export async function registerSchema(
  stack: RunningStack,
  tenant: TestTenant,
  account: CustomerAccount,
  options: {
    readonly schemaName: string;
    readonly tableNames?: readonly string[] | '*';
    readonly tableAllowlist?: readonly string[];
    readonly actions?: readonly string[];
  },
): Promise<RegisteredSchema> {
  const externalId = randomUUID();
  const roleArn = await createAccessRole(account, {
    roleName: `penstock-${externalId.slice(0, 8)}`,
    serviceAccountId: stack.serviceAccountId,
    externalId,
    tableNames: options.tableNames ?? '*',
    ...(options.actions === undefined ? {} : { actions: options.actions }),
  });
  const answer = await tenant.call('POST', '/v1/schemas', {
    json: {
      schemaName: options.schemaName,
      region: account.region,
      accountId: account.accountId,
      roleArn,
      externalId,
      ...(options.tableAllowlist === undefined ? {} : { tableAllowlist: options.tableAllowlist }),
    },
  });
  if (answer.status !== 201) throw new Error(`no schema: ${answer.status} ${answer.text}`);
  return { schemaName: options.schemaName, roleArn, externalId };
}
