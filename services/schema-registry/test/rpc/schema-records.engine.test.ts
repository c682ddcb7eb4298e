import { expect } from 'chai';
import { refusal } from '../support/registry.ts';
import { useTestStack } from '../support/suite.ts';
import { schemaOf } from '../support/tables.ts';

/** Of a tenant. */
const SCHEMAS_MAX = 30;

describe('schema records over RPC', () => {
  const stack = useTestStack({ schemasMax: SCHEMAS_MAX });
  const account = { accountId: '111111111111' } as Parameters<typeof schemaOf>[0];

  it('creates an active record, stored as given, and asks for a background refresh', async () => {
    const calls = stack.as('t-create');
    const made = await calls.create(schemaOf(account, 'Sales', { tables: ['orders', 'items', 'orders'] }));
    expect(made).to.include({
      tenantId: 't-create',
      schemaName: 'Sales',
      status: 'active',
      accountId: '111111111111',
    });
    expect(made.tableAllowlist).to.deep.equal(['orders', 'items']);
    expect(made.createdAt)
      .to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      .and.equal(made.updatedAt);
    const asked = stack.jobs.filter(({ job }) => job.tenantId === 't-create');
    expect(asked.map(({ job }) => [job.schemaName, job.tableName])).to.deep.equal([['Sales', null]]);
    expect(asked[0]?.id).to.not.include(':');
  });

  it('refuses a name that differs from an existing one in case only, and lets another tenant have it', async () => {
    await stack.as('t-twin').create(schemaOf(account, 'Sales'));
    const error = await refusal(stack.as('t-twin').create(schemaOf(account, 'SALES')));
    expect(error).to.include({
      code: 'SCHEMA_ALREADY_EXISTS',
      message: 'A schema with that name already exists',
    });
    await stack.as('t-twin-2').create({ ...schemaOf(account, 'sales'), externalId: 'another' });
    expect((await stack.as('t-twin').get('sALES')).externalId).to.equal('external-1');
    expect((await stack.as('t-twin-2').get('sALES')).externalId).to.equal('another');
  });

  it('creates just one of many at the same time', async () => {
    const calls = stack.as('t-race');
    const names = ['a', 'A'].flatMap((name) => Array<string>(5).fill(name));
    const results = await Promise.allSettled(names.map((name) => calls.create(schemaOf(account, name))));
    expect(results.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
  });

  it('creates as many as a tenant may have, however many are asked for at once, and says how many', async () => {
    const calls = stack.as('t-bound');
    const create = (i: number) => calls.create(schemaOf(account, `s${i}`));
    await Promise.all(Array.from({ length: SCHEMAS_MAX - 3 }, (_, i) => create(i)));
    const results = await Promise.allSettled(Array.from({ length: 8 }, (_, i) => create(SCHEMAS_MAX + i)));
    expect(results.filter(({ status }) => status === 'fulfilled')).to.have.length(3);
    expect((await calls.list({ limit: 100 })).items).to.have.length(SCHEMAS_MAX);
    expect(await refusal(create(99))).to.include({
      code: 'LIMIT_REACHED',
      message: `There are ${SCHEMAS_MAX} schemas, as many as a tenant may have; delete one that is not needed, or ask the operator of the service for more`,
    });
    // A name that is taken is said to be taken; another tenant has places of its own.
    expect((await refusal(create(0))).code).to.equal('SCHEMA_ALREADY_EXISTS');
    await stack.as('t-bound-2').create(schemaOf(account, 'own', { externalId: 'another' }));
    // What is gone gives its place back, all of those that were made at the same time.
    const made = Array.from({ length: SCHEMAS_MAX - 3 }, (_, i) => `s${i}`);
    await Promise.all(made.map((name) => calls.remove(name)));
    for (let i = 0; i < made.length; i++) await create(100 + i);
    expect((await refusal(create(99))).code).to.equal('LIMIT_REACHED');
  });

  it('says which schema is not found, in the words that were asked with', async () => {
    const calls = stack.as('t-none');
    const asked = [
      calls.get('Nope'),
      calls.update({ schemaName: 'Nope', region: 'eu-west-1' }),
      calls.remove('Nope'),
      calls.refresh('Nope'),
      calls.validate('Nope'),
    ];
    for (const call of asked) {
      expect(await refusal(call)).to.include({ code: 'SCHEMA_NOT_FOUND', message: 'Schema not found: Nope' });
    }
  });

  it('refuses what is not valid, naming the field', async () => {
    const calls = stack.as('t-invalid');
    const good = schemaOf(account, 'ok');
    const wrong = [
      [{ ...good, schemaName: '1st' }, /schema_?name/i],
      [{ ...good, region: 'nowhere' }, /region/],
      [{ ...good, accountId: '12' }, /account_?id/i],
      [{ ...good, roleArn: 'arn:aws:iam::222222222222:role/x' }, /roleArn/],
      [{ ...good, roleArn: 'arn:aws:s3:::bucket' }, /role_?arn/i],
      [{ ...good, externalId: 'a b' }, /external_?id/i],
      [{ ...good, tableAllowlist: { tables: ['no'] } }, /table_?allowlist/i],
      [
        { ...good, tableAllowlist: { tables: Array.from({ length: 501 }, (_, i) => `table-${i}`) } },
        /table_?allowlist/i,
      ],
    ] satisfies [Parameters<typeof calls.create>[0], RegExp][];
    for (const [request, field] of wrong) {
      const error = await refusal(calls.create(request));
      expect(error.code).to.equal('VALIDATION_ERROR');
      expect(error.message).to.match(field);
    }
    expect((await calls.list({ limit: 10 })).items).to.deep.equal([]);
  });

  it('changes what is given, and checks the record that results as a whole', async () => {
    const calls = stack.as('t-patch');
    const made = await calls.create(schemaOf(account, 'S', { tables: ['orders'] }));
    const changed = await calls.update({ schemaName: 's', tableAllowlist: { tables: [] } });
    expect(changed).to.include({ schemaName: 'S', region: made.region, createdAt: made.createdAt });
    expect(changed.tableAllowlist).to.deep.equal([]);
    expect(changed.updatedAt >= made.updatedAt).to.equal(true);
    const error = await refusal(calls.update({ schemaName: 'S', accountId: '222222222222' }));
    expect(error).to.include({ code: 'VALIDATION_ERROR' });
    expect((await refusal(calls.update({ schemaName: 'S' }))).code).to.equal('VALIDATION_ERROR');
    const moved = { accountId: '222222222222', roleArn: 'arn:aws:iam::222222222222:role/x' };
    expect(await calls.update({ schemaName: 'S', ...moved })).to.include(moved);
  });

  it('loses none of many changes at the same time', async function () {
    this.timeout(90_000);
    const calls = stack.as('t-concurrent');
    await calls.create(schemaOf(account, 'S'));
    await Promise.all([
      ...['a', 'b', 'c', 'd'].map(() => calls.update({ schemaName: 'S', region: 'us-west-2' })),
      calls.update({ schemaName: 'S', externalId: 'changed' }),
      calls.update({ schemaName: 'S', tableAllowlist: { tables: ['orders'] } }),
      calls.update({ schemaName: 'S', status: 'disabled' }),
    ]);
    const after = await calls.get('S');
    expect(after).to.include({ region: 'us-west-2', externalId: 'changed', status: 'disabled' });
    expect(after.tableAllowlist).to.deep.equal(['orders']);
  });

  it('asks for a background refresh when a schema is enabled again, and not when it is suspended', async () => {
    const calls = stack.as('t-enable');
    await calls.create(schemaOf(account, 'S'));
    const count = () => stack.jobs.filter(({ job }) => job.tenantId === 't-enable').length;
    expect((await calls.update({ schemaName: 'S', status: 'disabled' })).status).to.equal('disabled');
    expect(count()).to.equal(1);
    expect((await calls.update({ schemaName: 'S', status: 'active' })).status).to.equal('active');
    expect(count()).to.equal(2);
  });

  it('removes a schema whatever the case, and says how it was spelled', async () => {
    const calls = stack.as('t-remove');
    await calls.create(schemaOf(account, 'Sales'));
    expect((await calls.remove('sales')).schemaName).to.equal('Sales');
    expect((await refusal(calls.remove('Sales'))).code).to.equal('SCHEMA_NOT_FOUND');
  });

  it('pages by name, with no cursor after an exactly full last page', async () => {
    const calls = stack.as('t-pages');
    for (const name of ['delta', 'Alpha', 'charlie', 'Bravo']) await calls.create(schemaOf(account, name));
    const first = await calls.list({ limit: 2 });
    expect(first.items.map(({ schemaName }) => schemaName)).to.deep.equal(['Alpha', 'Bravo']);
    const second = await calls.list({ limit: 2, nextToken: first.nextToken! });
    expect(second.items.map(({ schemaName }) => schemaName)).to.deep.equal(['charlie', 'delta']);
    expect(second.nextToken).to.equal(undefined);
    expect((await calls.list({ limit: 1000 })).items).to.have.length(4);
  });

  it('refuses cursors that were made up, changed or made for another tenant', async () => {
    const calls = stack.as('t-cursor');
    for (const name of ['a', 'b']) await calls.create(schemaOf(account, name));
    const { nextToken } = await calls.list({ limit: 1 });
    const foreign = [
      refusal(stack.as('t-cursor-2').list({ limit: 1, nextToken: nextToken! })),
      refusal(calls.list({ limit: 1, nextToken: `${nextToken}x` })),
      refusal(calls.list({ limit: 1, nextToken: 'abc' })),
      refusal(calls.list({ limit: 1, nextToken: '' })),
      refusal(calls.tables({ limit: 1, nextToken: nextToken! })),
    ];
    for (const error of await Promise.all(foreign)) expect(error.code).to.equal('VALIDATION_ERROR');
  });

  it('keeps a page of long allowlists within a message', async function () {
    this.timeout(90_000);
    const calls = stack.as('t-long');
    const tables = Array.from({ length: 500 }, (_, i) => `t${String(i).padStart(4, '0')}`.padEnd(255, 'x'));
    for (let i = 0; i < 20; i++)
      await calls.create(schemaOf(account, `s${String(i).padStart(2, '0')}`, { tables }));
    const names: string[] = [];
    for (let token: string | undefined, pages = 0; pages < 20; pages++) {
      const page = await calls.list({ limit: 100, ...(token === undefined ? {} : { nextToken: token }) });
      names.push(...page.items.map(({ schemaName }) => schemaName));
      token = page.nextToken;
      if (token === undefined) break;
    }
    expect(names).to.have.length(20);
    expect(new Set(names).size).to.equal(20);
  });

  it('needs the right scope for each call, and an admin for writing', async () => {
    await stack.as('t-scopes').create(schemaOf(account, 'S'));
    const reader = stack.as('t-scopes', { scopes: ['schemas:read', 'query'] });
    const writer = stack.as('t-scopes', { scopes: ['schemas:write'] });
    const member = stack.as('t-scopes', { principalType: 'user', role: 'member', scopes: [] });
    expect((await reader.get('S')).schemaName).to.equal('S');
    expect((await member.list({ limit: 1 })).items).to.have.length(1);
    const refused = [
      reader.create(schemaOf(account, 'x')),
      reader.update({ schemaName: 'S', status: 'disabled' }),
      reader.remove('S'),
      reader.refresh('S'),
      reader.validate('S'),
      writer.get('S'),
      writer.list({ limit: 1 }),
      writer.tables({ limit: 1 }),
      writer.resolve({ tables: [{ table: 'x' }] }),
      writer.report({ schemaName: 'S', tableName: 'x', attributes: [{ name: 'a' }] }),
    ];
    for (const call of refused) expect((await refusal(call)).code).to.equal('INSUFFICIENT_SCOPE');
    expect(await refusal(member.remove('S'))).to.include({
      code: 'TENANT_ADMIN_REQUIRED',
      message: 'Tenant admin access required',
    });
  });
});
