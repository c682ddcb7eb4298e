import { expect } from 'chai';
import { createTable, putItems } from '../../../../deploy/local/src/seed/customer-account.ts';
import { resolvedTable } from '../support/registry.ts';
import { useTestStack } from '../support/suite.ts';
import { schemaOf } from '../support/tables.ts';

describe('the keys of a table that is sampled', () => {
  const stack = useTestStack();

  it('are about a hundred for a hundred customers of fifty items, for no more than was spent before', async function () {
    this.timeout(60_000);
    const account = stack.account('300000000901');
    await stack.role(account);
    await createTable(account, {
      TableName: 'orders',
      KeySchema: [
        { AttributeName: 'customer', KeyType: 'HASH' },
        { AttributeName: 'placed', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: [
        { AttributeName: 'customer', AttributeType: 'S' },
        { AttributeName: 'placed', AttributeType: 'N' },
        { AttributeName: 'status', AttributeType: 'S' },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'byStatus',
          KeySchema: [{ AttributeName: 'status', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
    });
    const items = Array.from({ length: 5000 }, (_, i) => ({
      customer: { S: `c${Math.floor(i / 50)}` },
      placed: { N: String(i % 50) },
      // One of five items, so that the index is sparse.
      ...(i % 5 === 0 ? { status: { S: `s${(i / 5) % 3}` } } : {}),
      note: { S: 'x'.repeat(850) },
    }));
    await putItems(account, 'orders', items);
    const tenant = stack.as('tenant-sampled-keys');
    await tenant.create(schemaOf(account, 'shop'));
    const { metadata } = await resolvedTable(tenant, { schema: 'shop', table: 'orders' });
    expect(Number(metadata.itemCount)).to.equal(5000);
    expect(metadata.itemsPerKey?.estimate).to.be.within(25, 100);
    expect(metadata.itemsPerKey?.low).to.be.at.most(50);
    expect(metadata.itemsPerKey?.high).to.be.at.least(50);
    const distinct = (name: string) => metadata.attributes.find((one) => one.name === name)?.distinct;
    expect(distinct('customer')?.estimate).to.be.within(50, 200);
    expect(distinct('status')?.estimate).to.be.within(3, 4);
    expect(metadata.indexes[0]).to.include({ itemCount: 1000n });
    const refreshed = await tenant.refresh('shop');
    // Four segments of 64 items were 30 units.
    expect(refreshed.readUnits).to.be.greaterThan(5).and.at.most(30);
  });
});
