import { expect } from 'chai';
import { admin } from '../../../deploy/local/src/seed/admin.ts';
import type { CustomerAccount } from '../../../deploy/local/src/seed/customer-account.ts';
import type { RunningStack } from '../../../deploy/local/src/stack/stack.ts';
import { clearRequests, requestsOf } from './support/request-log.ts';
import { seedShop } from './support/shop.ts';
import { sharedStack, STACK_START_TIMEOUT_MS } from './support/stack.ts';
import { takesEffect } from './support/takes-effect.ts';
import {
  newAccount,
  newTenant,
  registerSchema,
  type RegisteredSchema,
  type TestTenant,
} from './support/tenant.ts';

/** Two tenants with the same schema and table names, in accounts of their own. */
describe('two tenants who use the same names', function () {
  this.timeout(STACK_START_TIMEOUT_MS);
  let stack: RunningStack;
  const sides: { tenant: TestTenant; account: CustomerAccount; schema: RegisteredSchema; marker: string }[] =
    [];

  before(async () => {
    stack = await sharedStack();
    for (const marker of ['left', 'right']) {
      const tenant = await newTenant(stack);
      const account = newAccount(stack);
      await seedShop(account, marker);
      const schema = await registerSchema(stack, tenant, account, { schemaName: 'shop' });
      sides.push({ tenant, account, schema, marker });
    }
  });
  after(() => sides.forEach((side) => side.account.close()));

  /** Whatever identifies the other side must not be in an answer. */
  function expectNothingOf(text: string, other: (typeof sides)[number]): void {
    for (const secret of [
      other.marker,
      other.account.accountId,
      other.schema.roleArn,
      other.schema.externalId,
      other.tenant.tenantId,
    ]) {
      expect(text).to.not.include(secret);
    }
  }

  it('see only their own rows, in turn and at once', async () => {
    const sql = 'SELECT name FROM shop.customers ORDER BY name';
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, i) => ({ i, answer: await sides[i % 2]!.tenant.query(sql) })),
    );
    for (const { i, answer } of answers) {
      const [own, other] = [sides[i % 2]!, sides[(i + 1) % 2]!];
      expect(answer.body.data!.data).to.deep.equal(
        ['Ada', 'Bob', 'Cyd'].map((name) => [`${name} ${own.marker}`]),
      );
      expectNothingOf(answer.text, other);
    }
  });

  it('never cause a read in the other’s account', async () => {
    const [left, right] = [sides[0]!, sides[1]!];
    await clearRequests(stack, right.account);
    await left.tenant.query('SELECT * FROM shop.customers');
    await left.tenant.query('SELECT * FROM shop.orders', undefined, 'plan');
    await left.tenant.call('POST', '/v1/schemas/shop/validate-role');
    await left.tenant.call('POST', '/v1/schemas/shop/refresh-metadata');
    expect(await requestsOf(stack, right.account)).to.deep.equal([]);
  });

  it('cannot borrow the other’s role: its external ID is unknown, and stolen names change nothing of the other', async () => {
    const [left, right] = [sides[0]!, sides[1]!];
    const stolen = {
      schemaName: 'stolen',
      region: 'eu-west-1',
      accountId: right.account.accountId,
      roleArn: right.schema.roleArn,
      externalId: left.schema.externalId,
    };
    await left.tenant.call('POST', '/v1/schemas', { json: stolen });
    const answer = await left.tenant.query('SELECT * FROM stolen.customers');
    expect(answer.body.success).to.equal(false);
    expect(answer.body.error).to.match(/^Access denied/);
    expect(answer.text).to.not.include('right');
    const validated = await left.tenant.call('POST', '/v1/schemas/stolen/validate-role');
    expect(validated.body.data!['ok']).to.equal(false);
    await left.tenant.call('DELETE', '/v1/schemas/stolen');
  });

  it('cannot borrow the other’s role with its external ID either, unless an operator lends it', async () => {
    const [left, right] = [sides[0]!, sides[1]!];
    const used = await right.tenant.query('SELECT COUNT(*) FROM shop.customers');
    expect(used.body.data!.data).to.deep.equal([[3]]);
    const { roleArn, externalId } = right.schema;
    const { accountId } = right.account;
    const stolen = { schemaName: 'stolen', region: 'eu-west-1', accountId, roleArn, externalId };
    const created = await left.tenant.call('POST', '/v1/schemas', { json: stolen });
    expect([created.status, created.body.error!.code]).to.deep.equal([409, 'ROLE_NOT_ASSUMABLE']);
    expectNothingOf(created.text, right);
    const patched = await left.tenant.call('PATCH', '/v1/schemas/shop', {
      json: { accountId, roleArn, externalId },
    });
    expect([patched.status, patched.body.error!.code]).to.deep.equal([409, 'ROLE_NOT_ASSUMABLE']);
    const flags = ['--tenant', left.tenant.tenantId];
    const { claims } = await admin<{ claims: { claimId: string; roleArn: string; tenantId: string }[] }>(
      stack.dataDir,
      ...['claim', 'list', '--refused', ...flags],
    );
    const claim = claims.find((found) => found.roleArn === roleArn)!;
    expect(claim.tenantId).to.equal(right.tenant.tenantId);
    await admin(stack.dataDir, 'claim', 'lend', '--claim', claim.claimId, ...flags);
    const lent = await left.tenant.call('POST', '/v1/schemas', { json: stolen });
    expect(lent.status, lent.text).to.equal(201);
    const read = await left.tenant.query('SELECT COUNT(*) FROM stolen.customers');
    expect(read.body.data?.data, read.text).to.deep.equal([[3]]);
    await admin(stack.dataDir, 'claim', 'end-loan', '--claim', claim.claimId, ...flags);
    const isRefused = async (): Promise<boolean> => {
      const { body } = await left.tenant.query('SELECT COUNT(*) FROM stolen.customers');
      return !body.success && /^Access denied/.test(body.error ?? '');
    };
    await takesEffect(isRefused, 'the loan has ended');
    const ended = await left.tenant.query('SELECT COUNT(*) FROM stolen.customers');
    expect(ended.body.error).to.match(/^Access denied: the role cannot be assumed/);
    expectNothingOf(ended.text, right);
    await left.tenant.call('DELETE', '/v1/schemas/stolen');
    await expectRefused('claim', 'move', '--claim', claim.claimId, '--tenant', 'tnt_nobody');
    const { externalId: proposed } = await admin<{ externalId: string }>(
      stack.dataDir,
      ...['claim', 'propose', '--tenant', right.tenant.tenantId],
    );
    expect(proposed).to.match(new RegExp(`^penstock-${right.tenant.tenantId}-[0-9a-f-]{36}$`));
    const early = await left.tenant.call('POST', '/v1/schemas', {
      json: { ...stolen, externalId: proposed },
    });
    expect([early.status, early.body.error!.code]).to.deep.equal([400, 'VALIDATION_ERROR']);
  });

  async function expectRefused(...command: string[]): Promise<void> {
    const said = await admin(stack.dataDir, ...command).catch((error: unknown) => String(error));
    expect(said).to.match(/Tenant not found: tnt_nobody/);
  }

  it('get nothing by saying another tenant’s ID anywhere', async () => {
    const [left, right] = [sides[0]!, sides[1]!];
    const other = right.tenant.tenantId;
    const headers = { 'x-tenant-id': other, 'x-tenant': other, tenantid: other, 'penstock-usage-id': other };
    for (const answer of [
      await left.tenant.call('GET', `/v1/schemas?tenantId=${other}`),
      await left.tenant.call('GET', '/v1/schemas', { headers }),
      await left.tenant.call('GET', `/v1/schemas/${encodeURIComponent(`${other}/shop`)}`),
      await left.tenant.call('GET', '/v1/schemas/..%2Fshop'),
      await left.tenant.call('GET', `/v1/usage/summary?tenantId=${other}`),
      await left.tenant.call('POST', '/v1/query', { json: { sql: 'SELECT * FROM shop.customers' }, headers }),
      await left.tenant.call('PATCH', '/v1/schemas/shop', { json: { tenantId: other, status: 'disabled' } }),
    ]) {
      const echoed = answer.text.replaceAll(other, '');
      for (const secret of [right.marker, right.account.accountId, right.schema.externalId])
        expect(echoed).to.not.include(secret);
    }
    const mismatch = await left.tenant.call('POST', '/v1/query', {
      json: { sql: 'SELECT 1', tenantId: other },
    });
    expect(mismatch.status).to.equal(403);
    const kept = await right.tenant.query('SELECT COUNT(*) FROM shop.customers');
    expect(kept.body.data!.data).to.deep.equal([[3]]);
  });

  it('keep schemas and usage apart: what one deletes or disables stays with the other', async () => {
    const [left, right] = [sides[0]!, sides[1]!];
    const used = async (side: typeof left) =>
      (await side.tenant.call('GET', '/v1/usage/summary')).body.data!['totals'] as { requests: number };
    const before = (await used(right)).requests;
    await left.tenant.query('SELECT 1');
    expect((await used(right)).requests).to.equal(before);
    await left.tenant.call('PATCH', '/v1/schemas/shop', { json: { status: 'disabled' } });
    expect(
      (await right.tenant.query("SELECT name FROM shop.customers WHERE id = 'c1'")).body.data!.data,
    ).to.deep.equal([['Ada right']]);
    await left.tenant.call('DELETE', '/v1/schemas/shop');
    expect((await right.tenant.call('GET', '/v1/schemas/shop')).status).to.equal(200);
    expect((await left.tenant.call('GET', '/v1/schemas/shop')).status).to.equal(404);
  });
});
