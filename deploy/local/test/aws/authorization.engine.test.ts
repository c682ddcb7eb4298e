import {
  BatchGetItemCommand,
  DescribeTableCommand,
  GetItemCommand,
  ListTablesCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { expect } from 'chai';
import {
  allow,
  createAccessRole,
  createOrders,
  CUSTOMER_ACCOUNT,
  REGION,
  rejection,
  startLocalAws,
  type LocalAws,
} from './support/local-aws.ts';

const TABLES = `arn:aws:dynamodb:${REGION}:${CUSTOMER_ACCOUNT}:table`;
const SESSION = `arn:aws:sts::${CUSTOMER_ACCOUNT}:assumed-role/penstock-access/session`;
const KEY = { pk: { S: 'a' }, sk: { N: '1' } };

describe('Permissions on DynamoDB', () => {
  let aws: LocalAws;
  before(async () => {
    aws = await startLocalAws();
    await createOrders(aws.dynamo(CUSTOMER_ACCOUNT));
    await createAccessRole(aws, allow(['dynamodb:GetItem']));
  });
  after(() => aws.remove());

  const setPolicy = (policy: string) =>
    aws.iam(CUSTOMER_ACCOUNT)('PutRolePolicy', {
      RoleName: 'penstock-access',
      PolicyName: 'read',
      PolicyDocument: policy,
    });
  const assumed = async (policy?: string) =>
    aws.dynamo(CUSTOMER_ACCOUNT, {
      credentials: await aws.assume(policy === undefined ? {} : { Policy: policy }),
    });
  const get = () => new GetItemCommand({ TableName: 'orders', Key: KEY });
  const query = (index?: string) =>
    new QueryCommand({
      TableName: 'orders',
      ...(index !== undefined && { IndexName: index }),
      KeyConditionExpression: index === undefined ? 'pk = :v' : 'g = :v',
      ExpressionAttributeValues: { ':v': { S: 'a' } },
    });

  it('allows what the role allows and refuses the rest in the words of AWS', async () => {
    await setPolicy(allow(['dynamodb:GetItem', 'dynamodb:Desc*']));
    const client = await assumed();
    await client.send(get());
    await client.send(new DescribeTableCommand({ TableName: 'orders' }));
    const error = await rejection(client.send(new ScanCommand({ TableName: 'orders' })));
    expect(error.name).to.equal('AccessDeniedException');
    expect(error.message).to.equal(
      `User: ${SESSION} is not authorized to perform: dynamodb:Scan on resource: ${TABLES}/orders because no identity-based policy allows the dynamodb:Scan action`,
    );
  });

  it('follows the policies as they are now, not as they were when the session began', async () => {
    await setPolicy(allow(['dynamodb:GetItem']));
    const client = await assumed();
    await client.send(get());
    await setPolicy(allow(['dynamodb:Scan']));
    expect((await rejection(client.send(get()))).name).to.equal('AccessDeniedException');
    await client.send(new ScanCommand({ TableName: 'orders' }));
  });

  it('narrows a session by its session policy, and never widens it', async () => {
    await setPolicy(allow(['dynamodb:*']));
    const client = await assumed(allow(['dynamodb:GetItem', 'iam:*'], `${TABLES}/orders`));
    await client.send(get());
    const error = await rejection(client.send(new ScanCommand({ TableName: 'orders' })));
    expect(error.message).to.match(/because no session policy allows the dynamodb:Scan action$/);
    await setPolicy(allow(['dynamodb:Scan']));
    expect((await rejection(client.send(get()))).message).to.contain('no identity-based policy');
  });

  it('lets Deny win and understands NotAction', async () => {
    const statement = (fields: object) => JSON.stringify({ Version: '2012-10-17', Statement: fields });
    await setPolicy(
      statement([
        { Effect: 'Allow', NotAction: 'dynamodb:Query', Resource: '*' },
        { Effect: 'Deny', Action: 'dynamodb:Scan', NotResource: `${TABLES}/other` },
      ]),
    );
    const client = await assumed();
    await client.send(get());
    expect((await rejection(client.send(query()))).message).to.contain('because no identity-based policy');
    const denied = await rejection(client.send(new ScanCommand({ TableName: 'orders' })));
    expect(denied.message).to.match(/with an explicit deny in an identity-based policy$/);
  });

  it('asks for an index by its own ARN', async () => {
    await setPolicy(allow(['dynamodb:Query'], `${TABLES}/orders`));
    const client = await assumed();
    await client.send(query());
    expect((await rejection(client.send(query('by-g')))).message).to.contain(`${TABLES}/orders/index/by-g `);
    await setPolicy(allow(['dynamodb:Query'], `${TABLES}/orders/index/*`));
    await client.send(query('by-g'));
    expect((await rejection(client.send(query()))).name).to.equal('AccessDeniedException');
  });

  it('asks for every table of a batch or a transaction', async () => {
    await setPolicy(allow(['dynamodb:BatchGetItem', 'dynamodb:PutItem'], `${TABLES}/orders`));
    const client = await assumed();
    const batch = (tables: string[]) =>
      new BatchGetItemCommand({
        RequestItems: Object.fromEntries(tables.map((name) => [name, { Keys: [KEY] }])),
      });
    await client.send(batch(['orders']));
    expect((await rejection(client.send(batch(['orders', 'secrets'])))).message).to.contain(
      `${TABLES}/secrets`,
    );
    const put = (name: string) => ({ Put: { TableName: name, Item: KEY } });
    const transact = new TransactWriteItemsCommand({ TransactItems: [put('orders'), put('secrets')] });
    expect((await rejection(client.send(transact))).message).to.contain('dynamodb:PutItem');
  });

  it('asks for all tables to list them', async () => {
    await setPolicy(allow(['dynamodb:*'], `${TABLES}/orders`));
    const client = await assumed();
    expect((await rejection(client.send(new ListTablesCommand({})))).message).to.contain(
      `${TABLES}/* because`,
    );
    await setPolicy(allow(['dynamodb:ListTables']));
    expect((await client.send(new ListTablesCommand({}))).TableNames).to.deep.equal(['orders']);
  });

  it('gives nothing to the sessions of a role that was deleted and made again', async () => {
    const iam = aws.iam(CUSTOMER_ACCOUNT);
    await setPolicy(allow(['dynamodb:*']));
    const client = await assumed();
    await iam('DeleteRolePolicy', { RoleName: 'penstock-access', PolicyName: 'read' });
    await iam('DeleteRole', { RoleName: 'penstock-access' });
    await createAccessRole(aws, allow(['dynamodb:*']));
    expect((await rejection(client.send(get()))).name).to.equal('AccessDeniedException');
    await (await assumed()).send(get());
  });

  it('takes a table by its full ARN, and none of another account', async () => {
    const client = aws.dynamo(CUSTOMER_ACCOUNT);
    await client.send(new GetItemCommand({ TableName: `${TABLES}/orders`, Key: KEY }));
    const foreign = `arn:aws:dynamodb:${REGION}:444455556666:table/orders`;
    const error = await rejection(client.send(new GetItemCommand({ TableName: foreign, Key: KEY })));
    expect(error.name).to.equal('AccessDeniedException');
  });
});
