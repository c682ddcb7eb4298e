import { GetItemCommand, ListTablesCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { expect } from 'chai';
import { createOrders, startLocalAws, type LocalAws } from './support/local-aws.ts';

describe('Accounts and regions', () => {
  let aws: LocalAws;
  before(async () => {
    aws = await startLocalAws();
  });
  after(() => aws.remove());

  it('have tables of their own, also under the same name', async () => {
    const places = [
      aws.dynamo('111122223333', { region: 'eu-west-1' }),
      aws.dynamo('111122223333', { region: 'us-east-1' }),
      aws.dynamo('444455556666', { region: 'eu-west-1' }),
    ];
    const key = { pk: { S: 'a' }, sk: { N: '1' } };
    await Promise.all(
      places.map(async (client, place) => {
        await createOrders(client);
        await client.send(
          new PutItemCommand({ TableName: 'orders', Item: { ...key, v: { N: String(place) } } }),
        );
      }),
    );
    const seen = await Promise.all(
      places.map(async (client) => {
        const { Item } = await client.send(new GetItemCommand({ TableName: 'orders', Key: key }));
        return Item?.['v']?.N;
      }),
    );
    expect(seen).to.deep.equal(['0', '1', '2']);
  });

  it('are empty until something is made in them', async () => {
    const { TableNames } = await aws.dynamo('777788889999').send(new ListTablesCommand({}));
    expect(TableNames).to.deep.equal([]);
  });

  it('are asked over connections that stay open while a client keeps them', async () => {
    const answer = await fetch(`${aws.url}/_requests?accountId=777788889999`);
    await answer.arrayBuffer();
    expect(answer.headers.get('keep-alive')).to.equal('timeout=65');
  });
});
