import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateTableCommand,
  DynamoDBClient,
  ListTablesCommand,
  PutItemCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { expect } from 'chai';
import { pino } from 'pino';
import { createIamClient } from '../../../../deploy/local/test/aws/support/iam-client.ts';
import { startAwsEndpoint } from '../../../../deploy/local/src/aws/server.ts';
import { createRoleSessions, type RoleAccess } from '../../src/aws/assumed-role.ts';
import { toPenstockError } from '../../src/dynamodb/errors.ts';
import { sendRaw } from '../../src/dynamodb/raw-reads.ts';
import { createTenantClients } from '../../src/dynamodb/tenant-client.ts';
import type { PenstockError } from '../../src/errors/penstock-error.ts';

const SERVICE = '999988887777';
const CUSTOMER = '111122223333';
const access: RoleAccess = {
  roleArn: `arn:aws:iam::${CUSTOMER}:role/penstock`,
  externalId: 'right-id',
  region: 'eu-west-1',
  tableAllowlist: ['orders'],
};

describe('reading through a role', function () {
  this.timeout(90_000);
  const logger = pino({ enabled: false });
  const ends: (() => unknown)[] = [];
  let sessions: ReturnType<typeof createRoleSessions>;
  let clients: ReturnType<typeof createTenantClients>;

  before(async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'role-access-'));
    const aws = await startAwsEndpoint({ port: 0, host: '127.0.0.1', dataDir });
    ends.push(
      () => rm(dataDir, { recursive: true, force: true }),
      () => aws.close(),
    );
    const owner = { accessKeyId: CUSTOMER, secretAccessKey: 'test' };
    const tables = new DynamoDBClient({ endpoint: aws.url, region: access.region, credentials: owner });
    ends.push(() => tables.destroy());
    for (const TableName of ['orders', 'secrets']) {
      await tables.send(
        new CreateTableCommand({
          TableName,
          BillingMode: 'PAY_PER_REQUEST',
          KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
          AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
        }),
      );
      await tables.send(new PutItemCommand({ TableName, Item: { id: { S: TableName } } }));
    }
    const iam = createIamClient({ endpoint: aws.url, ...owner });
    await iam('CreateRole', {
      RoleName: 'penstock',
      AssumeRolePolicyDocument: JSON.stringify({
        Version: '2012-10-17',
        Statement: {
          Effect: 'Allow',
          Principal: { AWS: `arn:aws:iam::${SERVICE}:root` },
          Action: 'sts:AssumeRole',
          Condition: { StringEquals: { 'sts:ExternalId': 'right-id' } },
        },
      }),
    });
    await iam('PutRolePolicy', {
      RoleName: 'penstock',
      PolicyName: 'read',
      PolicyDocument: JSON.stringify({
        Version: '2012-10-17',
        Statement: { Effect: 'Allow', Action: 'dynamodb:*', Resource: '*' },
      }),
    });
    sessions = createRoleSessions({
      stsEndpoint: aws.url,
      region: 'us-east-1',
      logger,
      credentials: { accessKeyId: SERVICE, secretAccessKey: 'test' },
    });
    clients = createTenantClients({ endpoint: aws.url, sessions });
    ends.push(
      () => sessions.close(),
      () => clients.close(),
    );
  });
  after(async () => {
    for (const end of ends.reverse()) await end();
  });

  const scan = async (tableName: string, role: RoleAccess) => {
    const client = await clients.clientFor('t1', role, 'r1');
    return (await sendRaw(client, new ScanCommand({ TableName: tableName }))).toString();
  };
  const thrown = async (promise: Promise<unknown>): Promise<unknown> =>
    promise.then(
      () => undefined,
      (error: unknown) => error,
    );

  it('reads a table of the allowlist', async () => {
    expect(await scan('orders', access)).to.include('"id":{"S":"orders"}');
  });

  it('cannot read another one, write, or list, whatever the role allows', async () => {
    const error = toPenstockError(await thrown(scan('secrets', access)), {
      schemaName: 'shop',
      tableName: 'secrets',
    });
    expect(error.message).to.equal('Access denied: the role may not perform dynamodb:Scan on shop.secrets');
    const client = await clients.clientFor('t1', access, 'r1');
    for (const command of [
      client.send(new PutItemCommand({ TableName: 'orders', Item: { id: { S: 'x' } } })),
      client.send(new ListTablesCommand({})),
    ])
      expect(String(await thrown(command))).to.include('AccessDenied');
  });

  it('reads and lists every table, without writing, where there is no allowlist', async () => {
    const open = { ...access, tableAllowlist: [] };
    expect(await scan('secrets', open)).to.include('"id":{"S":"secrets"}');
    const client = await clients.clientFor('t1', open, 'r1');
    expect((await client.send(new ListTablesCommand({}))).TableNames).to.have.length(2);
    const put = client.send(new PutItemCommand({ TableName: 'orders', Item: { id: { S: 'x' } } }));
    expect(String(await thrown(put))).to.include('AccessDenied');
  });

  it('is refused with the wrong external ID', async () => {
    const error = (await thrown(scan('orders', { ...access, externalId: 'wrong-id' }))) as PenstockError;
    expect([error.code, error.message]).to.deep.equal([
      'ACCESS_DENIED',
      'Access denied: the role cannot be assumed (check that it exists, and its trust policy and external ID)',
    ]);
  });
});
