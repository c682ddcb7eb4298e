import {
  BatchGetItemCommand,
  DeleteItemCommand,
  DescribeTableCommand,
  GetItemCommand,
  ListTablesCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { expect } from 'chai';
import {
  createOrders,
  CUSTOMER_ACCOUNT,
  REGION,
  rejection,
  SERVICE_ACCOUNT,
  startLocalAws,
  type LocalAws,
} from '../aws/support/local-aws.ts';
import {
  passesRules,
  readTemplate,
  resourceProperties,
  type Template,
  type Values,
} from './support/cloudformation.ts';

const TEMPLATE = new URL('../../../customer-role/cloudformation.yaml', import.meta.url);
const EXTERNAL_ID = '8f14e45f-ceea-467f-a0e6-b7d3f5a2c001';
const arnOf = (table: string) => `arn:aws:dynamodb:${REGION}:${CUSTOMER_ACCOUNT}:table/${table}`;

const GIVEN: Values = {
  'AWS::Partition': 'aws',
  'AWS::AccountId': CUSTOMER_ACCOUNT,
  PenstockAccountId: SERVICE_ACCOUNT,
  ExternalId: EXTERNAL_ID,
  TableArns: [arnOf('customers'), arnOf('orders')],
};

interface Role {
  readonly RoleName: string;
  readonly AssumeRolePolicyDocument: unknown;
  readonly Policies: readonly { readonly PolicyName: string; readonly PolicyDocument: unknown }[];
}

describe('the CloudFormation template of the access role', () => {
  let template: Template;
  let aws: LocalAws;
  const orderKey = { pk: { S: 'C1' }, sk: { N: '1' } };

  before(async () => {
    template = await readTemplate(TEMPLATE);
    aws = await startLocalAws();
    await createOrders(aws.dynamo(CUSTOMER_ACCOUNT));
  });
  after(() => aws.remove());

  /** Creates the role as the stack would. */
  async function deploy(given: Values): Promise<string> {
    const role = resourceProperties(template, 'AccessRole', given) as Role;
    const iam = aws.iam(CUSTOMER_ACCOUNT);
    await iam('CreateRole', {
      RoleName: role.RoleName,
      AssumeRolePolicyDocument: JSON.stringify(role.AssumeRolePolicyDocument),
    });
    for (const { PolicyName, PolicyDocument } of role.Policies)
      await iam('PutRolePolicy', {
        RoleName: role.RoleName,
        PolicyName,
        PolicyDocument: JSON.stringify(PolicyDocument),
      });
    return `arn:aws:iam::${CUSTOMER_ACCOUNT}:role/${role.RoleName}`;
  }

  async function reader(RoleArn: string): Promise<DynamoDBClient> {
    const credentials = await aws.assume({ RoleArn, ExternalId: EXTERNAL_ID });
    return aws.dynamo(CUSTOMER_ACCOUNT, { credentials });
  }

  describe('as most customers deploy it', () => {
    let roleArn: string;
    let client: DynamoDBClient;
    before(async () => {
      roleArn = await deploy(GIVEN);
      client = await reader(roleArn);
    });

    it('allows every read that Penstock does, on the table and on its indexes', async () => {
      const TableName = 'orders';
      await client.send(new DescribeTableCommand({ TableName }));
      await client.send(new GetItemCommand({ TableName, Key: orderKey }));
      await client.send(new BatchGetItemCommand({ RequestItems: { orders: { Keys: [orderKey] } } }));
      await client.send(new ScanCommand({ TableName }));
      await client.send(new ScanCommand({ TableName, IndexName: 'by-g' }));
      await client.send(
        new QueryCommand({
          TableName,
          IndexName: 'by-g',
          KeyConditionExpression: 'g = :v',
          ExpressionAttributeValues: { ':v': { S: 'x' } },
        }),
      );
    });

    it('allows no write, no other table and no listing', async () => {
      for (const refused of [
        client.send(new PutItemCommand({ TableName: 'orders', Item: orderKey })),
        client.send(new DeleteItemCommand({ TableName: 'orders', Key: orderKey })),
        client.send(new ScanCommand({ TableName: 'salaries' })),
        client.send(new ListTablesCommand({})),
      ])
        expect((await rejection(refused)).name).to.equal('AccessDeniedException');
    });

    it('is closed to whoever does not know the external ID', async () => {
      for (const ExternalId of [undefined, 'another-external-id'])
        expect((await rejection(aws.assume({ RoleArn: roleArn, ExternalId }))).name).to.equal('AccessDenied');
    });
  });

  it('takes any number of tables by their tag, which no parameter bounds, and asks for one of the two forms', () => {
    const { TableArns: _, ...unnamed } = GIVEN;
    const role = resourceProperties(template, 'AccessRole', { ...unnamed, TaggedTables: 'true' }) as Role;
    const { Statement } = role.Policies[0]?.PolicyDocument as { Statement: unknown[] };
    expect(Statement).to.deep.equal([
      {
        Sid: 'ReadTaggedTables',
        Effect: 'Allow',
        Action: ['BatchGetItem', 'DescribeTable', 'GetItem', 'Query', 'Scan'].map(
          (name) => `dynamodb:${name}`,
        ),
        Resource: `arn:aws:dynamodb:*:${CUSTOMER_ACCOUNT}:table/*`,
        Condition: { StringEquals: { 'aws:ResourceTag/penstock': 'read' } },
      },
    ]);
    expect(passesRules(template, { ...unnamed, TaggedTables: 'true' })).to.equal(true);
    expect(passesRules(template, GIVEN)).to.equal(true);
    expect(passesRules(template, unnamed)).to.equal(false);
  });

  it('allows listing the tables where that is asked for', async () => {
    const client = await reader(await deploy({ ...GIVEN, RoleName: 'lister', ListTables: 'true' }));
    expect((await client.send(new ListTablesCommand({}))).TableNames).to.deep.equal(['orders']);
  });

  it('names the keys, through DynamoDB only, where tables are encrypted under keys of the customer’s own', () => {
    const keys = [`arn:aws:kms:${REGION}:${CUSTOMER_ACCOUNT}:key/1`];
    const role = resourceProperties(template, 'AccessRole', { ...GIVEN, KmsKeyArns: keys }) as Role;
    const { Statement } = role.Policies[0]?.PolicyDocument as { Statement: { Sid: string }[] };
    expect(Statement.find(({ Sid }) => Sid === 'DecryptThroughDynamoDB')).to.deep.equal({
      Sid: 'DecryptThroughDynamoDB',
      Effect: 'Allow',
      Action: 'kms:Decrypt',
      Resource: keys,
      Condition: { StringLike: { 'kms:ViaService': 'dynamodb.*' } },
    });
    expect(Statement.map(({ Sid }) => Sid)).to.deep.equal([
      'ReadTables',
      'ReadIndexes',
      'DecryptThroughDynamoDB',
    ]);
  });
});
