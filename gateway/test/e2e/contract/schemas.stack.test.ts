import { expect } from 'chai';
import { UpdateAssumeRolePolicyCommand } from '@aws-sdk/client-iam';
import { DeleteTableCommand } from '@aws-sdk/client-dynamodb';
import type { CustomerAccount } from '../../../../deploy/local/src/seed/customer-account.ts';
import type { RunningStack } from '../../../../deploy/local/src/stack/stack.ts';
import { seedShop } from '../support/shop.ts';
import { sharedStack, STACK_START_TIMEOUT_MS } from '../support/stack.ts';
import { takesEffect } from '../support/takes-effect.ts';
import { newAccount, newTenant, registerSchema, type TestTenant } from '../support/tenant.ts';

const RECORD_KEYS = ['tenantId', 'schemaName', 'region', 'accountId', 'roleArn', 'externalId', 'tableAllowlist', 'status', 'createdAt']; // oxfmt-ignore
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const ACCOUNT_ID = '123456789012';
const BODY = {
  schemaName: 'Sales',
  region: 'eu-west-1',
  accountId: ACCOUNT_ID,
  roleArn: `arn:aws:iam::${ACCOUNT_ID}:role/access`,
  externalId: 'b0a7ff2e-6a5c-4a58-9a9e-0c7e1b0b1d11',
};

describe('contract: schemas', function () {
  this.timeout(STACK_START_TIMEOUT_MS);
  let stack: RunningStack;
  let tenant: TestTenant;

  before(async () => {
    stack = await sharedStack();
  });
  beforeEach(async () => {
    tenant = await newTenant(stack);
  });

  it('creates, gets, lists, changes and deletes a schema in the contract’s shapes', async () => {
    const created = await tenant.call('POST', '/v1/schemas', { json: BODY });
    expect(created.status).to.equal(201);
    expect(Object.keys(created.body)).to.deep.equal(['success', 'data']);
    expect(Object.keys(created.body.data!)).to.have.members([...RECORD_KEYS, 'updatedAt']);
    expect(created.body.data).to.deep.include({
      ...BODY,
      tenantId: tenant.tenantId,
      status: 'active',
      tableAllowlist: [],
    });
    expect(created.body.data!['createdAt']).to.match(ISO);
    expect(created.body.data!['updatedAt']).to.match(ISO);

    const got = await tenant.call('GET', '/v1/schemas/sALES');
    expect(got.status).to.equal(200);
    expect(Object.keys(got.body.data!)).to.have.members(RECORD_KEYS);
    expect(got.body.data!['schemaName']).to.equal('Sales');

    const listed = await tenant.call('GET', '/v1/schemas');
    expect(listed.body.data).to.deep.equal({ items: [got.body.data] });

    const changed = await tenant.call('PATCH', '/v1/schemas/Sales', {
      json: { tableAllowlist: ['orders'], status: 'disabled' },
    });
    expect(changed.status).to.equal(200);
    expect(changed.body.data).to.deep.include({ ...BODY, tableAllowlist: ['orders'], status: 'disabled' });
    expect(changed.body.data!['updatedAt']).to.match(ISO);

    const deleted = await tenant.call('DELETE', '/v1/schemas/Sales');
    expect(deleted.status).to.equal(200);
    expect(deleted.body).to.deep.equal({ success: true, data: { schemaName: 'Sales', deleted: true } });
    expect((await tenant.call('GET', '/v1/schemas')).body.data).to.deep.equal({ items: [] });
  });

  it('refuses a second schema of the same name in any case with 409', async () => {
    await tenant.call('POST', '/v1/schemas', { json: BODY });
    const again = await tenant.call('POST', '/v1/schemas', { json: { ...BODY, schemaName: 'SALES' } });
    expect(again.status).to.equal(409);
    expect(again.body.error).to.include({
      code: 'SCHEMA_ALREADY_EXISTS',
      message: 'A schema with that name already exists',
    });
  });

  it('answers 404 with the name on every route of an unknown schema', async () => {
    for (const [method, path, json] of [
      ['GET', '/v1/schemas/Nope', undefined],
      ['PATCH', '/v1/schemas/Nope', { status: 'active' }],
      ['DELETE', '/v1/schemas/Nope', undefined],
      ['POST', '/v1/schemas/Nope/refresh-metadata', undefined],
      ['POST', '/v1/schemas/Nope/validate-role', undefined],
    ] as const) {
      const answer = await tenant.call(method, path, json === undefined ? {} : { json });
      expect(answer.status, `${method} ${path}`).to.equal(404);
      expect(answer.body.success).to.equal(false);
      expect(answer.body.error).to.deep.equal({
        message: 'Schema not found: Nope',
        code: 'SCHEMA_NOT_FOUND',
        requestId: answer.headers.get('x-request-id'),
      });
    }
  });

  it('names each field that is missing or wrong', async () => {
    const wrong: readonly [string, Record<string, unknown>][] = [
      ['schemaName', { ...BODY, schemaName: '1sales' }],
      ['schemaName', { ...BODY, schemaName: 'x'.repeat(65) }],
      ['region', { ...BODY, region: 'Europe' }],
      ['accountId', { ...BODY, accountId: '12345' }],
      ['roleArn', { ...BODY, roleArn: 'arn:aws:iam::123456789012:user/x' }],
      ['roleArn', { ...BODY, roleArn: 'arn:aws:iam::999999999999:role/access' }],
      ['externalId', { ...BODY, externalId: 'x' }],
      ['externalId', { ...BODY, externalId: 'has space' }],
      ['tableAllowlist', { ...BODY, tableAllowlist: ['a'] }],
      ['tableAllowlist', { ...BODY, tableAllowlist: 'orders' }],
      ['tableAllowlist', { ...BODY, tableAllowlist: Array.from({ length: 501 }, (_, i) => `table-${i}`) }],
      ['tableAllowList', { ...BODY, tableAllowList: [] }],
      ...Object.keys(BODY).map((key): [string, Record<string, unknown>] => [
        key,
        { ...BODY, [key]: undefined },
      ]),
    ];
    for (const [field, json] of wrong) {
      const answer = await tenant.call('POST', '/v1/schemas', { json });
      expect(answer.status, `${field}: ${answer.text}`).to.equal(400);
      expect(answer.body.error!.code).to.equal('VALIDATION_ERROR');
      expect(answer.body.error!.message).to.include(field);
    }
  });

  it('validates a PATCH as a whole and wants at least one field', async () => {
    await tenant.call('POST', '/v1/schemas', { json: BODY });
    for (const json of [
      {},
      { accountId: '999999999999' },
      { status: 'paused' },
      { schemaName: 'Other' },
      { region: 7 },
    ]) {
      const answer = await tenant.call('PATCH', '/v1/schemas/Sales', { json });
      expect(answer.status, JSON.stringify(json)).to.equal(400);
      expect(answer.body.error!.code).to.equal('VALIDATION_ERROR');
    }
    const both = { accountId: '999999999999', roleArn: 'arn:aws:iam::999999999999:role/access' };
    expect((await tenant.call('PATCH', '/v1/schemas/Sales', { json: both })).status).to.equal(200);
    const lifted = await tenant.call('PATCH', '/v1/schemas/Sales', { json: { tableAllowlist: [] } });
    expect(lifted.body.data!['tableAllowlist']).to.deep.equal([]);
  });

  it('pages the list, without a token after an exactly full last page', async () => {
    for (const name of ['a', 'b', 'c', 'd']) {
      await tenant.call('POST', '/v1/schemas', { json: { ...BODY, schemaName: name } });
    }
    const names: unknown[] = [];
    let next: string | undefined;
    let pages = 0;
    do {
      const suffix = next === undefined ? '' : `&nextToken=${encodeURIComponent(next)}`;
      const page = await tenant.call('GET', `/v1/schemas?limit=2${suffix}`);
      names.push(...(page.body.data!['items'] as { schemaName: string }[]).map((item) => item.schemaName));
      next = page.body.data!['nextToken'] as string | undefined;
      pages += 1;
    } while (next !== undefined);
    expect(names).to.deep.equal(['a', 'b', 'c', 'd']);
    expect(pages).to.equal(2);
    expect((await tenant.call('GET', '/v1/schemas?limit=1000000')).status).to.equal(200);
    for (const bad of ['limit=0', 'limit=x', 'limit=-1', 'nextToken=invented', 'order=name']) {
      const answer = await tenant.call('GET', `/v1/schemas?${bad}`);
      expect(answer.status, bad).to.equal(400);
      expect(answer.body.error!.code).to.equal('VALIDATION_ERROR');
    }
  });

  it('refuses another tenant’s cursor', async () => {
    for (const name of ['a', 'b'])
      await tenant.call('POST', '/v1/schemas', { json: { ...BODY, schemaName: name } });
    const page = await tenant.call('GET', '/v1/schemas?limit=1');
    const other = await newTenant(stack);
    const cursor = encodeURIComponent(String(page.body.data!['nextToken']));
    expect((await other.call('GET', `/v1/schemas?limit=1&nextToken=${cursor}`)).status).to.equal(400);
  });

  describe('with an account', () => {
    let account: CustomerAccount;
    beforeEach(async () => {
      account = newAccount(stack);
      await seedShop(account);
    });
    afterEach(() => account.close());

    it('validates a role in four steps and says what is wrong', async () => {
      const validate = async (name: string) =>
        (await tenant.call('POST', `/v1/schemas/${name}/validate-role`)).body.data as {
          ok: boolean;
          message: string;
        };

      await registerSchema(stack, tenant, account, {
        schemaName: 'named',
        tableNames: ['customers', 'orders'],
        tableAllowlist: ['customers', 'orders'],
      });
      expect((await validate('named')).ok).to.equal(true);
      await registerSchema(stack, tenant, account, {
        schemaName: 'every',
        tableNames: '*',
        tableAllowlist: ['*'],
      });
      expect((await validate('every')).ok).to.equal(true);
      await registerSchema(stack, tenant, account, { schemaName: 'open' });
      expect((await validate('open')).ok).to.equal(true);

      const missing = ['t-1', 't-2', 't-3', 't-4', 't-5', 't-6'];
      await registerSchema(stack, tenant, account, {
        schemaName: 'gone',
        tableAllowlist: ['customers', ...missing],
      });
      const gone = await validate('gone');
      expect(gone.ok).to.equal(false);
      expect(missing.filter((name) => gone.message.includes(name))).to.have.length(4);

      await registerSchema(stack, tenant, account, {
        schemaName: 'noscan',
        tableNames: ['orders'],
        tableAllowlist: ['orders'],
        actions: ['DescribeTable'],
      });
      const noscan = await validate('noscan');
      expect(noscan.ok).to.equal(false);
      expect(noscan.message)
        .to.match(/dynamodb:Scan/i)
        .and.include('orders');

      await registerSchema(stack, tenant, account, {
        schemaName: 'nolist',
        tableNames: ['orders'],
        tableAllowlist: ['*'],
      });
      const nolist = await validate('nolist');
      expect(nolist.ok).to.equal(false);
      expect(nolist.message).to.match(/ListTables/i);

      await tenant.call('PATCH', '/v1/schemas/open', { json: { externalId: 'some-other-id' } });
      const wrongId = await validate('open');
      expect(wrongId.ok).to.equal(false);
      expect(wrongId.message).to.match(/external ID/i);
    });

    it('sees a changed trust policy at once', async () => {
      const schema = await registerSchema(stack, tenant, account, {
        schemaName: 'shop',
        tableAllowlist: ['*'],
      });
      const roleName = schema.roleArn.split('/').at(-1)!;
      const policy = {
        Version: '2012-10-17',
        Statement: [
          { Effect: 'Allow', Principal: { AWS: 'arn:aws:iam::999999999999:root' }, Action: 'sts:AssumeRole' },
        ],
      };
      await account.iam.send(
        new UpdateAssumeRolePolicyCommand({ RoleName: roleName, PolicyDocument: JSON.stringify(policy) }),
      );
      const answer = await tenant.call('POST', '/v1/schemas/shop/validate-role');
      expect(answer.status).to.equal(200);
      expect(answer.body.data!['ok']).to.equal(false);
    });

    it('refreshes metadata: counts, failures, deletions, and a repeat that is skipped', async () => {
      const refresh = async (name: string) =>
        (await tenant.call('POST', `/v1/schemas/${name}/refresh-metadata`)).body.data!;
      await registerSchema(stack, tenant, account, {
        schemaName: 'shop',
        tableAllowlist: ['customers', 'orders', 'missing'],
      });
      // The background refresh after create may just have ended: then this one is skipped and tells of that one.
      const first = await refresh('shop');
      expect(first).to.include({ ok: false, tableCount: 2, failedTableCount: 1, deletedCount: 0 });
      expect(first['message']).to.be.a('string');
      expect(first['refreshedAt']).to.match(ISO);
      expect((await refresh('shop'))['skipped']).to.equal(true);

      await registerSchema(stack, tenant, account, {
        schemaName: 'every',
        tableNames: '*',
        tableAllowlist: ['*'],
      });
      const every = await refresh('every');
      expect(every).to.include({ ok: true, tableCount: 2, failedTableCount: 0 });
      await account.dynamodb.send(new DeleteTableCommand({ TableName: 'customers' }));
      expect((await tenant.query('SELECT COUNT(*) FROM every.orders')).body.success).to.equal(true);
    });

    it('disabling and a new allowlist take effect in queries within five seconds', async () => {
      await registerSchema(stack, tenant, account, { schemaName: 'shop' });
      const sql = "SELECT name FROM shop.customers WHERE id = 'c1'";
      const errs = (error: string): Promise<void> =>
        takesEffect(async () => {
          const { body } = await tenant.query(sql);
          return !body.success && body.error === error;
        }, error);
      expect((await tenant.query(sql)).body.success).to.equal(true);
      await tenant.call('PATCH', '/v1/schemas/shop', { json: { tableAllowlist: ['orders'] } });
      await errs('Table not found: shop.customers');
      await tenant.call('PATCH', '/v1/schemas/shop', { json: { tableAllowlist: [], status: 'disabled' } });
      await errs('Schema is disabled: shop');
      await tenant.call('PATCH', '/v1/schemas/shop', { json: { status: 'active' } });
      await takesEffect(async () => (await tenant.query(sql)).body.success, 'it is answered');
      expect((await tenant.query(sql)).body.data!.data).to.deep.equal([['Ada m']]);
    });
  });
});
