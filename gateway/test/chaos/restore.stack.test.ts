/**
 * A control plane that is lost with all it ran on, and put back from copies of its three tables.
 *
 * Takes turns: two stacks are started, and services of one of them once more.
 */
import { copyFile, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import {
  DeleteItemCommand,
  DynamoDBClient,
  paginateScan,
  PutItemCommand,
  type AttributeValue,
} from '@aws-sdk/client-dynamodb';
import { expect } from 'chai';
import { admin } from '../../../deploy/local/src/seed/admin.ts';
import { createAccessRole, customerAccount } from '../../../deploy/local/src/seed/customer-account.ts';
import type { RunningStack } from '../../../deploy/local/src/stack/stack.ts';
import { until } from '../../../services/common/test/support/until.ts';
import { http } from '../e2e/support/http.ts';
import {
  discardStack,
  leaveScratch,
  scratchStack,
  STACK_START_TIMEOUT_MS,
  startTestStack,
} from '../e2e/support/stack.ts';
import { newAccount, newTenant, registerSchema, tenantWith, type Envelope } from '../e2e/support/tenant.ts';
import { STACK_FOLDER } from '../lanes/logged-errors.ts';
import { openMeter } from './metered.ts';
import { customerId, customerName, seedTables } from './tenants.ts';

type Item = Record<string, AttributeValue>;

/** The tables of the control plane, by their keys: all there is to back up (deploy/operations/backup.md). */
const TABLES: Readonly<Record<string, readonly string[]>> = {
  'penstock-auth': ['pk', 'sk'],
  'penstock-schemas': ['pk', 'sk'],
  'penstock-usage': ['tenantId', 'day'],
};
const SERVICES = ['auth', 'schema-registry', 'schema-worker', 'usage-metering', 'usage-worker', 'gateway'];
const POINT = `SELECT name FROM shop.customers WHERE id = '${customerId(1)}'`;
const NAME = [[customerName('ada', 1)]];

const controlPlane = (stack: RunningStack): DynamoDBClient =>
  new DynamoDBClient({
    endpoint: stack.awsEndpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: stack.serviceAccountId, secretAccessKey: 'test' },
  });

async function items(client: DynamoDBClient, TableName: string): Promise<readonly Item[]> {
  const found: Item[] = [];
  for await (const { Items = [] } of paginateScan({ client }, { TableName, ConsistentRead: true }))
    found.push(...Items);
  return found;
}

async function backUp(stack: RunningStack): Promise<ReadonlyMap<string, readonly Item[]>> {
  const client = controlPlane(stack);
  const copies = new Map<string, readonly Item[]>();
  for (const name of Object.keys(TABLES)) copies.set(name, await items(client, name));
  client.destroy();
  return copies;
}

/** What the new stack made for itself goes: its signing keys, above all. */
async function restore(stack: RunningStack, copies: ReadonlyMap<string, readonly Item[]>): Promise<void> {
  const client = controlPlane(stack);
  for (const [TableName, copied] of copies) {
    for (const item of await items(client, TableName)) {
      const Key = Object.fromEntries((TABLES[TableName] ?? []).map((name) => [name, item[name]!]));
      await client.send(new DeleteItemCommand({ TableName, Key }));
    }
    for (const Item of copied) await client.send(new PutItemCommand({ TableName, Item }));
  }
  client.destroy();
}

/** Services read what was restored when they start; tokens name the address that they were signed at. */
async function restartServices(stack: RunningStack, { baseUrl, mcpUrl }: RunningStack): Promise<void> {
  const change = { env: { PENSTOCK_BASE_URL: baseUrl, PENSTOCK_MCP_URL: mcpUrl } };
  await Promise.all([...SERVICES, 'query-engine-1'].map((name) => stack.restart(name, change)));
  const isReady = async (): Promise<boolean> => (await http('GET', `${stack.baseUrl}/readyz`)).status === 200;
  await until(isReady, { what: 'readiness of the restored stack' });
}

describe('a control plane that is restored from copies of its tables', function () {
  this.timeout(4 * STACK_START_TIMEOUT_MS);
  /** Whose tables are copied. It need not really go: nothing of it is asked any more. */
  let lost: RunningStack;
  /** A stack of its own: a control plane with nothing in it but what is restored. */
  let made: RunningStack;
  before(async () => {
    lost = await scratchStack('one engine');
  });
  after(async () => {
    if (made !== undefined) await discardStack(made);
    await leaveScratch(lost);
  });

  it('knows tenants, clients, users, tokens, signing keys, schemas and usage as before', async () => {
    const tenant = await newTenant(lost);
    const account = newAccount(lost);
    await seedTables(account, 'ada');
    const { roleArn, externalId } = await registerSchema(lost, tenant, account, { schemaName: 'shop' });
    await admin(
      lost.dataDir,
      'user',
      'create',
      ...['--tenant', tenant.tenantId],
      '--email',
      'a@b.example',
      '--role',
      'member',
    );
    for (let i = 0; i < 3; i += 1) expect((await tenant.query(POINT)).body.data?.data).to.deep.equal(NAME);
    const { clientId, clientSecret } = tenant.credentials;
    const issued = await http<Envelope>('POST', `${lost.baseUrl}/v1/auth/token`, {
      json: { clientId, clientSecret },
    });
    const told = {
      keys: await admin(lost.dataDir, 'key', 'list'),
      users: await admin(lost.dataDir, 'user', 'list', '--tenant', tenant.tenantId),
      clients: await admin(lost.dataDir, 'client', 'list', '--tenant', tenant.tenantId),
      schemas: (await tenant.call('GET', '/v1/schemas')).body.data,
    };
    const meter = openMeter(lost);
    await meter.settled([{ marker: 'ada', tenant, account }]);
    meter.close();
    const usage = (await tenant.call('GET', '/v1/usage/summary')).body.data;
    const copies = await backUp(lost);

    // What is not in the tables: the key that opens what is sealed in them, and the address that tokens name.
    const dataDir = await mkdtemp(STACK_FOLDER);
    await copyFile(join(lost.dataDir, 'secrets.json'), join(dataDir, 'secrets.json'));
    made = await startTestStack({ dataDir });
    const theirs = customerAccount({ ...account, endpoint: made.awsEndpoint });
    try {
      // The customer's own account was never lost; here it has to be made again.
      await seedTables(theirs, 'ada');
      await createAccessRole(theirs, {
        roleName: roleArn.split('/').at(-1) ?? '',
        serviceAccountId: made.serviceAccountId,
        externalId,
        tableNames: '*',
      });
      await restore(made, copies);
      await restartServices(made, lost);

      const old = await tenantWith(made, tenant.tenantId, tenant.credentials);
      expect(await admin(dataDir, 'key', 'list')).to.deep.equal(told.keys);
      expect(await admin(dataDir, 'user', 'list', '--tenant', tenant.tenantId)).to.deep.equal(told.users);
      expect(await admin(dataDir, 'client', 'list', '--tenant', tenant.tenantId)).to.deep.equal(told.clients);
      expect((await old.call('GET', '/v1/schemas')).body.data).to.deep.equal(told.schemas);
      expect((await old.call('GET', '/v1/usage/summary')).body.data).to.deep.equal(usage);

      // A token that was signed before the loss, and one from a refresh token that was given out before it.
      const { accessToken, refreshToken } = issued.body.data as Record<string, string>;
      const refreshed = await http<Envelope>('POST', `${made.baseUrl}/v1/auth/refresh`, {
        json: { refreshToken },
      });
      for (const token of [accessToken, refreshed.body.data?.['accessToken'] as string]) {
        const answer = await old.call('POST', '/v1/query', { token, json: { sql: POINT } });
        expect(answer.body.data?.['data'], answer.text).to.deep.equal(NAME);
      }
      const { requests } = usage?.['totals'] as { requests: number };
      const later = (await old.call('GET', '/v1/usage/summary')).body.data;
      expect(later?.['totals']).to.include({ requests: requests + 2 });
    } finally {
      theirs.close();
      account.close();
    }
  });
});
