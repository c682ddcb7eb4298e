import { expect } from 'chai';
import type { CustomerAccount } from '../../../../deploy/local/src/seed/customer-account.ts';
import { refusal, startTestStack, type TestStack } from '../support/registry.ts';
import { schemaOf, simpleTable } from '../support/tables.ts';

describe('describing a table', () => {
  let stack: TestStack;
  let account: CustomerAccount;

  before(async function () {
    this.timeout(60_000);
    stack = await startTestStack();
    account = stack.account('111111111111');
    await stack.role(account);
    await simpleTable(account, 'orders', [{ id: { S: '1' }, total: { N: '7' } }, { id: { S: '2' } }]);
  });
  after(() => stack.close());

  it('samples it at first, and says nothing of the role', async () => {
    const calls = stack.as('t-describe');
    await calls.create(schemaOf(account, 'Shop'));
    const described = await calls.describe({ schemaName: 'SHOP', tableName: 'orders' });
    expect(described.schemaName).to.equal('Shop');
    expect(described.metadata).to.include({ tableName: 'orders', sampledItems: 2 });
    expect(described.metadata?.attributes.map(({ name }) => name)).to.deep.equal(['id', 'total']);
    expect(Object.keys(described)).to.not.include('access');
  });

  it('needs schemas:read, which a token to query with may lack', async () => {
    const calls = stack.as('t-describe', { scopes: ['query'] });
    const error = await refusal(calls.describe({ schemaName: 'shop', tableName: 'orders' }));
    expect(error.code).to.equal('INSUFFICIENT_SCOPE');
  });

  it('refuses an unknown table with the nearest names, and the table of another tenant like an unknown one', async () => {
    const own = await refusal(stack.as('t-describe').describe({ schemaName: 'shop', tableName: 'ordrs' }));
    expect(own).to.include({ code: 'TABLE_NOT_FOUND', message: 'Table not found: shop.ordrs' });
    expect(own.detail).to.contain('orders');
    const foreign = await refusal(stack.as('t-other').describe({ schemaName: 'shop', tableName: 'orders' }));
    expect(foreign).to.include({ code: 'SCHEMA_NOT_FOUND', message: 'Schema not found: shop' });
  });
});
