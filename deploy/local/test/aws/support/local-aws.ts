import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateTableCommand,
  DynamoDBClient,
  type CreateTableCommandInput,
  type DynamoDBClientConfig,
} from '@aws-sdk/client-dynamodb';
import {
  AssumeRoleCommand,
  STSClient,
  type AssumeRoleCommandInput,
  type Credentials,
} from '@aws-sdk/client-sts';
import { createIamClient } from './iam-client.ts';
import { startAwsEndpoint, type AwsEndpointOptions } from '../../../src/aws/server.ts';

/** The account of the service that assumes roles. */
export const SERVICE_ACCOUNT = '999988887777';
export const CUSTOMER_ACCOUNT = '111122223333';
export const ROLE_ARN = `arn:aws:iam::${CUSTOMER_ACCOUNT}:role/penstock-access`;
export const REGION = 'eu-west-1';

export type LocalAws = Awaited<ReturnType<typeof startLocalAws>>;

/** Starts an endpoint on a free port and a data directory of its own, with clients for it. */
export async function startLocalAws(options: Partial<AwsEndpointOptions> = {}) {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'local-aws-')));
  const endpoint = await startAwsEndpoint({ port: 0, dataDir, ...options });
  return {
    ...clientsOf(endpoint.url),
    dataDir,
    close: () => endpoint.close(),
    remove: async () => {
      await endpoint.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Clients for an endpoint, which may be another process's. */
export function clientsOf(url: string) {
  const owner = (accountId: string) => ({ accessKeyId: accountId, secretAccessKey: 'test' });
  const dynamo = (accountId: string, config: DynamoDBClientConfig = {}) =>
    new DynamoDBClient({
      endpoint: url,
      region: REGION,
      credentials: owner(accountId),
      maxAttempts: 1,
      ...config,
    });
  const sts = (credentials = owner(SERVICE_ACCOUNT)) =>
    new STSClient({ endpoint: url, region: REGION, credentials, maxAttempts: 1 });
  return {
    url,
    dynamo,
    sts,
    iam: (accountId: string) => createIamClient({ endpoint: url, ...owner(accountId) }),
    /** Temporary credentials of the customer's role, for SDK clients. */
    assume: async (input: Partial<AssumeRoleCommandInput> = {}) => {
      const { Credentials } = await sts().send(
        new AssumeRoleCommand({
          RoleArn: ROLE_ARN,
          RoleSessionName: 'session',
          ExternalId: 'secret-id',
          ...input,
        }),
      );
      return sdkCredentials(Credentials);
    },
    requests: async (accountId: string) =>
      (await (await fetch(`${url}/_requests?accountId=${accountId}`)).json()) as Record<string, unknown>[],
    clearRequests: async (accountId: string) => {
      await fetch(`${url}/_requests?accountId=${accountId}`, { method: 'DELETE' });
    },
    setFaults: (rules: unknown) => fetch(`${url}/_faults`, { method: 'PUT', body: JSON.stringify(rules) }),
  };
}

function sdkCredentials(credentials: Credentials | undefined) {
  return {
    accessKeyId: credentials?.AccessKeyId ?? '',
    secretAccessKey: credentials?.SecretAccessKey ?? '',
    sessionToken: credentials?.SessionToken ?? '',
  };
}

/** A trust policy for the service's account with the external ID `secret-id`. */
export function trustPolicy(
  condition: unknown = { StringEquals: { 'sts:ExternalId': 'secret-id' } },
): string {
  return JSON.stringify({
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Principal: { AWS: `arn:aws:iam::${SERVICE_ACCOUNT}:root` },
        Action: 'sts:AssumeRole',
        ...(condition === undefined ? {} : { Condition: condition }),
      },
    ],
  });
}

/** A policy with one Allow statement. */
export function allow(actions: readonly string[], resource: string | readonly string[] = '*'): string {
  return JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: actions, Resource: resource }],
  });
}

/** Makes the customer's role with one inline policy. */
export async function createAccessRole(aws: Pick<LocalAws, 'iam'>, policy: string): Promise<void> {
  const iam = aws.iam(CUSTOMER_ACCOUNT);
  await iam('CreateRole', { RoleName: 'penstock-access', AssumeRolePolicyDocument: trustPolicy() });
  await iam('PutRolePolicy', { RoleName: 'penstock-access', PolicyName: 'read', PolicyDocument: policy });
}

/** A table with the key `pk` (S) and `sk` (N), a full index on `g` and a keys-only index on `g`. */
export const ORDERS: CreateTableCommandInput = {
  TableName: 'orders',
  AttributeDefinitions: [
    { AttributeName: 'pk', AttributeType: 'S' },
    { AttributeName: 'sk', AttributeType: 'N' },
    { AttributeName: 'g', AttributeType: 'S' },
  ],
  KeySchema: [
    { AttributeName: 'pk', KeyType: 'HASH' },
    { AttributeName: 'sk', KeyType: 'RANGE' },
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: 'by-g',
      KeySchema: [{ AttributeName: 'g', KeyType: 'HASH' }],
      Projection: { ProjectionType: 'ALL' },
    },
    {
      IndexName: 'by-g-keys',
      KeySchema: [{ AttributeName: 'g', KeyType: 'HASH' }],
      Projection: { ProjectionType: 'KEYS_ONLY' },
    },
  ],
  BillingMode: 'PAY_PER_REQUEST',
};

export async function createOrders(client: DynamoDBClient): Promise<void> {
  await client.send(new CreateTableCommand(ORDERS));
}

/** The error a promise rejects with; fails when it does not reject. */
export async function rejection(promise: Promise<unknown>): Promise<Error & { readonly code?: string }> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('Expected a refusal.');
}
