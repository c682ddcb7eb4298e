/**
 * Control tables that are deleted under a running service.
 *
 * Takes turns: all services are started again.
 */
import { CreateTableCommand, DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect } from 'chai';
import { admin } from '../../../deploy/local/src/seed/admin.ts';
import type { CustomerAccount } from '../../../deploy/local/src/seed/customer-account.ts';
import type { RunningStack } from '../../../deploy/local/src/stack/stack.ts';
import { until } from '../../../services/common/test/support/until.ts';
import { http } from './support/http.ts';
import { seedShop } from './support/shop.ts';
import { leaveScratch, scratchStack, STACK_START_TIMEOUT_MS } from './support/stack.ts';
import { newAccount, newTenant, registerSchema, type Envelope, type TestTenant } from './support/tenant.ts';
import { wholeAgain } from './support/whole-again.ts';

const SQL = "SELECT name FROM shop.customers WHERE id = 'c1'";

const KEYS: Readonly<Record<string, readonly string[]>> = {
  'penstock-auth': ['pk', 'sk'],
  'penstock-schemas': ['pk', 'sk'],
  'penstock-usage': ['tenantId', 'day'],
};
const TABLES = Object.keys(KEYS);

/** Whose table it is. */
const PROCESSES: Readonly<Record<string, readonly string[]>> = {
  'penstock-auth': ['auth'],
  'penstock-schemas': ['schema-registry', 'schema-worker'],
  'penstock-usage': ['usage-metering', 'usage-worker'],
};

describe('with its control tables deleted under it', function () {
  this.timeout(STACK_START_TIMEOUT_MS);
  let stack: RunningStack;
  let account: CustomerAccount;
  let client: DynamoDBClient;

  before(async () => {
    stack = await scratchStack('one engine');
    client = new DynamoDBClient({
      endpoint: stack.awsEndpoint,
      region: 'us-east-1',
      credentials: { accessKeyId: stack.serviceAccountId, secretAccessKey: 'test' },
    });
    account = newAccount(stack);
  });
  after(async () => {
    client?.destroy();
    account?.close();
    await leaveScratch(stack);
  });

  /** A tenant with a schema, a query of whose has been counted. */
  async function newQueryingTenant(): Promise<TestTenant> {
    const tenant = await newTenant(stack);
    await registerSchema(stack, tenant, account, { schemaName: 'shop' });
    const answer = await tenant.query(SQL);
    expect(answer.body.data?.data, answer.text).to.deep.equal([['Ada m']]);
    expect(await requestsOf(tenant)).to.equal(1);
    return tenant;
  }
  /** Services ask for keys that they do not know every two seconds at most. */
  const querySoon = () =>
    eventually(() =>
      newQueryingTenant().then(
        () => true,
        (error: Error) => {
          if (/unauthorized/i.test(error.message)) return false;
          throw error;
        },
      ),
    );
  async function requestsOf(tenant: TestTenant): Promise<number> {
    const answer = await tenant.call('GET', '/v1/usage/summary');
    expect(answer.status, answer.text).to.equal(200);
    return (answer.body.data!['totals'] as { requests: number }).requests;
  }
  const drop = (table: string) => client.send(new DeleteTableCommand({ TableName: table }));
  const make = (table: string) =>
    client.send(
      new CreateTableCommand({
        TableName: table,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: KEYS[table]!.map((name) => ({ AttributeName: name, AttributeType: 'S' })),
        KeySchema: KEYS[table]!.map((name, i) => ({
          AttributeName: name,
          KeyType: i === 0 ? 'HASH' : 'RANGE',
        })),
      }),
    );
  const readiness = async (name: string) => {
    const answer = await fetch(new URL('/readyz', stack.metricsUrls[name]));
    return { status: answer.status, text: await answer.text() };
  };
  async function signingKeyIds(): Promise<readonly string[]> {
    const answer = await fetch(`${stack.baseUrl}/.well-known/jwks.json`);
    const { keys } = (await answer.json()) as { keys: readonly { kid: string }[] };
    return keys.map(({ kid }) => kid);
  }
  async function eventually(check: () => Promise<boolean>): Promise<void> {
    await until(check, { timeoutMs: 60_000 });
  }

  it('makes them again, new signing keys too, and works for new tenants', async () => {
    await seedShop(account);
    await newQueryingTenant();
    const before = await signingKeyIds();
    await Promise.all(TABLES.map(drop));
    // Until auth looks again it signs with the old keys, which services take.
    await eventually(async () => (await signingKeyIds()).every((id) => !before.includes(id)));
    await querySoon();
  });

  it('makes each again by itself, for those who are there already', async () => {
    const tenant = await newQueryingTenant();
    await drop('penstock-usage');
    // What was not added up yet when the table went is not lost with it.
    const left = await requestsOf(tenant);
    expect(left).to.be.oneOf([0, 1]);
    expect((await tenant.query(SQL)).body.success).to.equal(true);
    expect(await requestsOf(tenant)).to.equal(left + 1);
    await drop('penstock-schemas');
    const schemas = await tenant.call('GET', '/v1/schemas');
    expect(schemas.status, schemas.text).to.equal(200);
    await registerSchema(stack, tenant, account, { schemaName: 'again' });
    const again = await tenant.query(SQL.replace('shop.', 'again.'));
    expect(again.body.data?.data, again.text).to.deep.equal([['Ada m']]);
  });

  it('where it may not make them, says which is missing: REST, admin CLI, /readyz', async () => {
    await Promise.all(
      Object.values(PROCESSES)
        .flat()
        .map((name) => stack.restart(name, { env: { PENSTOCK_CREATE_TABLES: 'false' } })),
    );
    account.close();
    account = newAccount(stack);
    await seedShop(account);
    await wholeAgain(stack, 1, STACK_START_TIMEOUT_MS);
    const tenant = await newQueryingTenant();
    const token = () =>
      http<Envelope>('POST', `${stack.baseUrl}/v1/auth/token`, { json: tenant.credentials });
    const calls = {
      'penstock-auth': token,
      'penstock-schemas': () => tenant.call('GET', '/v1/schemas'),
      'penstock-usage': () => tenant.call('GET', '/v1/usage/summary'),
    };
    for (const [table, call] of Object.entries(calls)) {
      expect((await call()).status).to.equal(200);
      await drop(table);
      const answer = await call();
      expect(answer.status, answer.text).to.equal(503);
      expect(answer.body.error).to.have.property('code', 'UNAVAILABLE');
      expect(answer.body.error?.message).to.match(new RegExp(`table ${table}, .* is missing: .*create it`));
      expect(Number(answer.headers.get('retry-after'))).to.be.greaterThan(0);
      for (const name of PROCESSES[table]!) {
        await eventually(async () => (await readiness(name)).text.includes(`${table}, `));
        // What it can answer is still asked of it.
        expect((await readiness(name)).status).to.equal(200);
      }
    }
    const refusal = await admin(stack.dataDir, 'tenant', 'create', '--name', 'Late').then(
      () => expect.fail('a tenant was created'),
      (error: Error) => error.message,
    );
    expect(refusal).to.match(/^The table penstock-auth, .* is missing/);
    await Promise.all(TABLES.map(make));
    await querySoon();
    for (const name of Object.values(PROCESSES).flat())
      await eventually(async () => (await readiness(name)).text === 'ready\n');
  });
});
