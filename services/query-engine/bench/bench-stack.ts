/** A stack whose AWS endpoint is the canned one, with a tenant and a schema to query. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postJson } from '../../../deploy/local/src/demo/post-json.ts';
import { admin } from '../../../deploy/local/src/seed/admin.ts';
import { createAccessRole, customerAccount } from '../../../deploy/local/src/seed/customer-account.ts';
import { freePorts } from '../../../deploy/local/src/stack/ports.ts';
import { startStack } from '../../../deploy/local/src/stack/stack.ts';
import { startCannedEndpoint } from './canned/start.ts';
import { createRestClient, type RestClient } from './rest-client.ts';

export const SCHEMA = 'bench';
export const REGION = 'eu-west-1';
const ACCOUNT_ID = '111122223333';

export interface BenchStack {
  /** As the tenant that most cases are of. */
  readonly rest: RestClient;
  /** As another tenant, with a schema of the same tables. */
  readonly neighbor: RestClient;
  /** As the same tenant, by PostgreSQL's protocol. */
  readonly postgresUrl: string;
  readonly endpoint: string;
  /** Process IDs of the engines. */
  readonly engines: readonly number[];
  readonly gateway: number;
  /** Where its processes keep what they keep. */
  readonly dataDir: string;
  stop(): Promise<void>;
}

export async function startBenchStack(queryEngines: number): Promise<BenchStack> {
  const [awsPort = 0, cannedPort = 0] = await freePorts(2);
  const canned = await startCannedEndpoint(cannedPort, awsPort);
  const dataDir = await mkdtemp(join(tmpdir(), 'penstock-bench-'));
  const stack = await startStack({
    dataDir,
    port: 0,
    awsPort,
    redisPort: 0,
    queryEngines,
    // The benchmark is not to be limited.
    rateLimitRps: 100_000,
    rateLimitBurst: 100_000,
    logLevel: 'warn',
    awsEndpoint: canned.url,
  }).catch(async (error: unknown) => {
    await canned.stop();
    throw error;
  });
  const stop = async (): Promise<void> => {
    await stack.stop();
    await canned.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const account = customerAccount({ accountId: ACCOUNT_ID, region: REGION, endpoint: stack.awsEndpoint });
    const newTenant = async (name: string): Promise<RestClient & { readonly postgresUrl: string }> => {
      const { tenantId } = await admin<{ tenantId: string }>(dataDir, 'tenant', 'create', '--name', name);
      const credentials = await admin<{ clientId: string; clientSecret: string }>(
        dataDir,
        ...['client', 'create', '--tenant', tenantId, '--name', 'bench'],
        ...['--scopes', 'query schemas:read schemas:write usage:read'],
      );
      const issued = await postJson<{ data: { accessToken: string } }>(
        `${stack.baseUrl}/v1/auth/token`,
        null,
        { clientId: credentials.clientId, clientSecret: credentials.clientSecret },
      );
      const { accessToken } = issued.data;
      // A role of its own: one that was assumed for a tenant is not for others.
      const externalId = randomUUID();
      const roleArn = await createAccessRole(account, {
        roleName: `penstock-bench-${name}`,
        serviceAccountId: stack.serviceAccountId,
        externalId,
        tableNames: '*',
      });
      await postJson(`${stack.baseUrl}/v1/schemas`, accessToken, {
        schemaName: SCHEMA,
        region: REGION,
        accountId: ACCOUNT_ID,
        roleArn,
        externalId,
      });
      const url = new URL(stack.postgresUrl);
      const { clientId, clientSecret } = credentials;
      const postgresUrl = `postgresql://${clientId}:${clientSecret}@${url.host}${url.pathname}`;
      return { ...createRestClient(stack.baseUrl, accessToken), postgresUrl };
    };
    const rest = await newTenant('Bench');
    const neighbor = await newTenant('Neighbor');
    account.close();
    const engines = Array.from({ length: queryEngines }, (_, i) => {
      const pid = stack.pid(`query-engine-${i + 1}`);
      if (pid === undefined) throw new Error('an engine does not run');
      return pid;
    });
    const gateway = stack.pid('gateway');
    if (gateway === undefined) throw new Error('the gateway does not run');
    const { postgresUrl } = rest;
    return { rest, neighbor, postgresUrl, endpoint: canned.url, engines, gateway, dataDir, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
