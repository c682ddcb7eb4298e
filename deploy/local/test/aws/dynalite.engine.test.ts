import { DescribeTableCommand, GetItemCommand, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { expect } from 'chai';
import {
  allow,
  createAccessRole,
  createOrders,
  CUSTOMER_ACCOUNT,
  REGION,
  startLocalAws,
} from './support/local-aws.ts';

const KEY = { pk: { S: 'a' }, sk: { N: '1' } };

describe('Where the platform has no dynoxide', () => {
  it('dynalite answers through the same endpoint and keeps its data over a restart', async () => {
    const first = await startLocalAws({ emulator: 'dynalite' });
    await createOrders(first.dynamo(CUSTOMER_ACCOUNT));
    await createAccessRole(first, allow(['dynamodb:*']));
    await first.dynamo(CUSTOMER_ACCOUNT).send(new PutItemCommand({ TableName: 'orders', Item: KEY }));
    await first.close();

    const second = await startLocalAws({ emulator: 'dynalite', dataDir: first.dataDir });
    const client = second.dynamo(CUSTOMER_ACCOUNT, { credentials: await second.assume() });
    const { Item } = await client.send(new GetItemCommand({ TableName: 'orders', Key: KEY }));
    expect(Item).to.deep.equal(KEY);
    const { Table } = await client.send(new DescribeTableCommand({ TableName: 'orders' }));
    expect(Table?.TableArn).to.equal(`arn:aws:dynamodb:${REGION}:${CUSTOMER_ACCOUNT}:table/orders`);
    const query = { KeyConditionExpression: 'pk = :p', ExpressionAttributeValues: { ':p': KEY.pk } };
    const page = await client.send(new QueryCommand({ TableName: 'orders', ...query }));
    expect([page.Items, page.Count, page.ConsumedCapacity]).to.deep.equal([[KEY], 1, undefined]);
    const log = await second.requests(CUSTOMER_ACCOUNT);
    expect(log.map((entry) => entry['consumedUnits'])).to.deep.equal([0.5, 0, 0.5]);
    await second.remove();
  });
});
