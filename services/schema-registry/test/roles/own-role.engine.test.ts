/** An attack: a tenant names a role of the account that the service itself runs in, one that would even let itself be assumed. */
import { expect } from 'chai';
import {
  refusal,
  resolutionError,
  resolvedTable,
  SERVICE_ACCOUNT,
  startTestStack,
  type TestStack,
} from '../support/registry.ts';
import { schemaOf, simpleTable } from '../support/tables.ts';

const REFUSED =
  /^roleArn must not be a role of the account that this service runs in: create the role in the account/;

describe('a schema that names a role of the service’s own account', function () {
  this.timeout(90_000);
  let stack: TestStack;
  let own: ReturnType<TestStack['account']>;

  async function start(options: Parameters<typeof startTestStack>[0] = {}): Promise<void> {
    stack = await startTestStack(options);
    own = stack.account(SERVICE_ACCOUNT);
    await stack.role(own);
    await simpleTable(own, 'secrets', [{ id: { S: '1' } }]);
    await fetch(`${stack.endpoint}/_requests?accountId=${SERVICE_ACCOUNT}`, { method: 'DELETE' });
  }
  const stsAway = () =>
    stack.faults([
      { accountId: SERVICE_ACCOUNT, operation: 'GetCallerIdentity', error: 'ServiceUnavailable' },
    ]);

  afterEach(() => stack.close());

  it('is not created', async () => {
    await start();
    const calls = stack.as('thief');
    const error = await refusal(calls.create(schemaOf(own, 's', { tables: ['secrets'] })));
    expect(error.code).to.equal('VALIDATION_ERROR');
    expect(error.message).to.match(REFUSED);
    expect(error.message).to.not.match(/arn:|\d{12}/);
    expect((await refusal(calls.get('s'))).code).to.equal('SCHEMA_NOT_FOUND');
    expect(stack.jobs).to.deep.equal([]);
  });

  it('is not made of another by a change, and other changes go on', async () => {
    await start();
    const other = stack.account('200000000777');
    await stack.role(other);
    const calls = stack.as('thief');
    await calls.create(schemaOf(other, 's'));
    const { accountId, roleArn } = schemaOf(own, 's');
    const error = await refusal(calls.update({ schemaName: 's', accountId, roleArn }));
    expect(error.code).to.equal('VALIDATION_ERROR');
    expect(error.message).to.match(REFUSED);
    expect((await calls.get('s')).accountId).to.equal(other.accountId);
    await calls.update({ schemaName: 's', externalId: 'another-one' });
  });

  it('opens nothing where it was created while STS did not say whose it is', async () => {
    await start();
    await stsAway();
    const calls = stack.as('thief');
    const started = Date.now();
    await calls.create(schemaOf(own, 's', { tables: ['secrets'] }));
    expect(Date.now() - started).to.be.below(9_000);
    expect(await calls.validate('s')).to.include({ ok: false });
    expect((await calls.validate('s')).message).to.match(/^The role could not be checked: .*try again$/);
    expect((await resolutionError(calls, { schema: 's', table: 'secrets' })).code).to.equal('UNAVAILABLE');
    await stack.faults([]);
    const { ok, message } = await calls.validate('s');
    expect(ok).to.equal(false);
    expect(message).to.match(REFUSED);
    const resolved = await resolutionError(calls, { schema: 's', table: 'secrets' });
    expect(resolved.code).to.equal('ACCESS_DENIED');
    expect((await calls.refresh('s')).ok).to.equal(false);
    const asked = await stack.requests(SERVICE_ACCOUNT);
    expect(asked.filter(({ tableName }) => tableName === 'secrets')).to.deep.equal([]);
    await calls.update({ schemaName: 's', status: 'disabled' });
    await calls.remove('s');
  });

  it('refuses no other role while STS is away', async () => {
    await start();
    await stsAway();
    const other = stack.account('200000000778');
    await stack.role(other);
    await simpleTable(other, 'one', [{ id: { S: '1' } }]);
    const calls = stack.as('honest');
    await calls.create(schemaOf(other, 's', { tables: ['one'] }));
    await stack.faults([]);
    expect(await calls.validate('s')).to.include({ ok: true });
    await resolvedTable(calls, { schema: 's', table: 'one' });
  });

  it('works where the operator lets service and tenants share an account', async () => {
    await start({ allowsOwnAccount: true });
    const calls = stack.as('only-tenant');
    await calls.create(schemaOf(own, 's', { tables: ['secrets'] }));
    expect(await calls.validate('s')).to.include({ ok: true });
    await resolvedTable(calls, { schema: 's', table: 'secrets' });
  });
});
