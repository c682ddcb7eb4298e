import { expect } from 'chai';
import { EXTERNAL_ID, refusal, resolutionError, resolveOne } from '../support/registry.ts';
import { useTestStack } from '../support/suite.ts';
import { schemaOf, simpleTable } from '../support/tables.ts';

const NOT_ASSUMABLE =
  'Access denied: the role cannot be assumed (check that it exists, and its trust policy and external ID)';
const TENANT_A = 'tnt_0190aaaaaaaa70008000aaaaaaaaaaaa';
const TENANT_B = 'tnt_0190bbbbbbbb70008000bbbbbbbbbbbb';

describe('a role and external ID that served one tenant', () => {
  const stack = useTestStack();
  let next = 1;

  /** An account with a role and a table. */
  async function victim(externalId = EXTERNAL_ID) {
    const account = stack.account(String(300000000000 + next++));
    await stack.role(account, { externalId });
    await simpleTable(account, 'orders', [{ id: { S: '1' }, secret: { S: 'of the first' } }]);
    return account;
  }
  const reads = async (accountId: string) =>
    (await stack.requests(accountId)).filter(({ operation }) =>
      ['DescribeTable', 'Scan', 'ListTables'].includes(operation),
    ).length;

  it('is refused to another: create and PATCH as a role that cannot be assumed', async () => {
    const account = await victim();
    const [a, b] = [stack.as('first'), stack.as('second')];
    await a.create(schemaOf(account, 's'));
    await resolveOne(a, { schema: 's', table: 'orders' });
    const created = await refusal(b.create(schemaOf(account, 'mine')));
    expect(created).to.include({ code: 'ROLE_NOT_ASSUMABLE', message: NOT_ASSUMABLE });
    const other = await victim();
    await b.create(schemaOf(other, 'mine'));
    const { accountId, roleArn, externalId } = schemaOf(account, 'mine');
    const patched = await refusal(b.update({ schemaName: 'mine', accountId, roleArn, externalId }));
    expect(patched).to.include({ code: 'ROLE_NOT_ASSUMABLE', message: NOT_ASSUMABLE });
    expect((await b.get('mine')).roleArn).to.equal(schemaOf(other, 'mine').roleArn);
  });

  it('is refused to another that had registered it before: validate-role, refresh and queries read nothing', async () => {
    const account = await victim();
    const [a, b] = [stack.as('owner'), stack.as('thief')];
    await a.create(schemaOf(account, 's', { tables: ['orders'] }));
    await b.create(schemaOf(account, 's', { tables: ['orders'] }));
    expect((await resolveOne(a, { schema: 's', table: 'orders' })).case).to.equal('table');
    const before = await reads(account.accountId);
    const refused = await resolutionError(b, { schema: 's', table: 'orders' });
    expect(refused).to.include({ code: 'ACCESS_DENIED', message: NOT_ASSUMABLE });
    const wrong = stack.as('wrong');
    await wrong.create(schemaOf(account, 's', { tables: ['orders'], externalId: 'not-the-one' }));
    // Word for word what a role that cannot be assumed gives.
    expect(await resolutionError(wrong, { schema: 's', table: 'orders' })).to.deep.equal(refused);
    expect(await b.validate('s')).to.deep.equal(await wrong.validate('s'));
    expect((await b.validate('s')).ok).to.equal(false);
    const { refreshedAt: _b, ...refreshB } = await b.refresh('s');
    const { refreshedAt: _w, ...refreshWrong } = await wrong.refresh('s');
    expect(refreshB).to.deep.equal(refreshWrong);
    expect(await reads(account.accountId)).to.equal(before);
    expect((await resolveOne(a, { schema: 's', table: 'orders' })).case).to.equal('table');
  });

  it('has one owner where two assume it at the same moment, and the other reads nothing', async () => {
    const account = await victim();
    const tenants = ['racer-1', 'racer-2', 'racer-3', 'racer-4'].map((name) => stack.as(name));
    for (const tenant of tenants) await tenant.create(schemaOf(account, 's'));
    const answers = await Promise.all(
      tenants.map((calls) => resolveOne(calls, { schema: 's', table: 'orders' })),
    );
    expect(answers.filter((answer) => answer.case === 'table')).to.have.length(1);
    expect(answers.filter((answer) => answer.case === 'error')).to.have.length(3);
  });

  it('is the same in another spelling: case, and the path before the role’s name', async () => {
    const account = await victim();
    const [a, b] = [stack.as('speller-a'), stack.as('speller-b')];
    await a.create(schemaOf(account, 's'));
    await resolveOne(a, { schema: 's', table: 'orders' });
    for (const roleName of ['PENSTOCK-read', 'a/path/penstock-read'])
      for (const externalId of [EXTERNAL_ID, EXTERNAL_ID.toUpperCase()]) {
        const { code } = await refusal(b.create(schemaOf(account, 'mine', { roleName, externalId })));
        expect(code, `${roleName} ${externalId}`).to.equal('ROLE_NOT_ASSUMABLE');
      }
  });

  it('is free again with the deletion of its last schema, and with a PATCH to another pair', async () => {
    const account = await victim();
    const [a, b] = [stack.as('leaver'), stack.as('comer')];
    await a.create(schemaOf(account, 's1'));
    await a.create(schemaOf(account, 's2'));
    await resolveOne(a, { schema: 's1', table: 'orders' });
    await a.remove('s1');
    expect((await refusal(b.create(schemaOf(account, 's')))).code).to.equal('ROLE_NOT_ASSUMABLE');
    await a.update({ schemaName: 's2', externalId: 'another-one' });
    await b.create(schemaOf(account, 's'));
    expect((await resolveOne(b, { schema: 's', table: 'orders' })).case).to.equal('table');
  });

  it('cannot be taken before its owner came, where the external ID carries the owner’s ID', async () => {
    const externalId = `penstock-${TENANT_A}-5f2c0a8e-7c3d-4d5e-9f00-112233445566`;
    const account = await victim(externalId);
    const [a, b] = [stack.as(TENANT_A), stack.as(TENANT_B)];
    for (const spelled of [externalId, externalId.toUpperCase()]) {
      const error = await refusal(b.create(schemaOf(account, 's', { externalId: spelled })));
      expect(error.code).to.equal('VALIDATION_ERROR');
      expect(error.message).to.match(/^externalId carries the ID of another tenant: .*penstock-tnt_0190bbbb/);
    }
    await b.create(schemaOf(account, 's'));
    expect((await refusal(b.update({ schemaName: 's', externalId }))).code).to.equal('VALIDATION_ERROR');
    await a.create(schemaOf(account, 's', { externalId }));
    expect((await resolveOne(a, { schema: 's', table: 'orders' })).case).to.equal('table');
  });
});
