/**
 * Fills a customer's account as the customer would: tables, items, and the access role that Penstock assumes. The same
 * calls work against the local AWS endpoint, LocalStack and AWS.
 */
import {
  BatchWriteItemCommand,
  CreateTableCommand,
  DynamoDBClient,
  waitUntilTableExists,
  type AttributeValue,
  type CreateTableCommandInput,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import { CreateRoleCommand, IAMClient, PutRolePolicyCommand } from '@aws-sdk/client-iam';

/** BatchWriteItem takes at most so many items (DynamoDB API reference). */
const BATCH_ITEMS_MAX = 25;

const TABLE_WAIT_S = 60;

/** DynamoDB actions that Penstock's access role needs; ListTables only where the allowlist is `*`. */
const READ_ACTIONS = ['BatchGetItem', 'DescribeTable', 'GetItem', 'Query', 'Scan'] as const;

export interface CustomerAccount {
  readonly accountId: string;
  readonly region: string;
  readonly dynamodb: DynamoDBClient;
  readonly iam: IAMClient;
  close(): void;
}

/** Clients that act as the account's root. @param endpoint absent: AWS itself, with the SDK's own credentials */
export function customerAccount(options: {
  readonly accountId: string;
  readonly region: string;
  readonly endpoint?: string;
}): CustomerAccount {
  const { accountId, region, endpoint } = options;
  const settings = {
    region,
    ...(endpoint === undefined
      ? {}
      : { endpoint, credentials: { accessKeyId: accountId, secretAccessKey: 'test' } }),
  };
  const dynamodb = new DynamoDBClient(settings);
  const iam = new IAMClient(settings);
  return {
    accountId,
    region,
    dynamodb,
    iam,
    close: () => {
      dynamodb.destroy();
      iam.destroy();
    },
  };
}

/** Creates a table, on-demand, and waits until it can be used. */
export async function createTable(
  account: CustomerAccount,
  table: Pick<CreateTableCommandInput, 'TableName' | 'KeySchema' | 'AttributeDefinitions'> &
    Partial<CreateTableCommandInput>,
): Promise<void> {
  await account.dynamodb.send(new CreateTableCommand({ BillingMode: 'PAY_PER_REQUEST', ...table }));
  await waitUntilTableExists(
    { client: account.dynamodb, maxWaitTime: TABLE_WAIT_S, minDelay: 1, maxDelay: 2 },
    { TableName: table.TableName },
  );
}

/** Writes items in batches; what DynamoDB leaves unprocessed is sent again. */
export async function putItems(
  account: CustomerAccount,
  tableName: string,
  items: readonly Record<string, AttributeValue>[],
): Promise<void> {
  for (let start = 0; start < items.length; start += BATCH_ITEMS_MAX) {
    const batch = items.slice(start, start + BATCH_ITEMS_MAX);
    let pending: WriteRequest[] = batch.map((Item) => ({ PutRequest: { Item } }));
    while (pending.length > 0) {
      const answer = await account.dynamodb.send(
        new BatchWriteItemCommand({ RequestItems: { [tableName]: pending } }),
      );
      pending = answer.UnprocessedItems?.[tableName] ?? [];
    }
  }
}

/**
 * Creates the access role: trusted by the service's account under the external ID, and allowed to read the tables.
 * @param tableNames `*` for all tables of the account, which also allows listing them
 * @returns the role's ARN
 */
export async function createAccessRole(
  account: CustomerAccount,
  role: {
    readonly roleName: string;
    readonly serviceAccountId: string;
    readonly externalId: string;
    readonly tableNames: readonly string[] | '*';
    readonly actions?: readonly string[];
  },
): Promise<string> {
  const { accountId, region } = account;
  const trust = {
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Principal: { AWS: `arn:aws:iam::${role.serviceAccountId}:root` },
        Action: 'sts:AssumeRole',
        Condition: { StringEquals: { 'sts:ExternalId': role.externalId } },
      },
    ],
  };
  const tables = role.tableNames === '*' ? ['*'] : role.tableNames;
  const actions = role.actions ?? (role.tableNames === '*' ? [...READ_ACTIONS, 'ListTables'] : READ_ACTIONS);
  const resources = tables.map((name) => `arn:aws:dynamodb:${region}:${accountId}:table/${name}`);
  const policy = {
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Action: actions.map((action) => `dynamodb:${action}`),
        Resource: role.tableNames === '*' ? '*' : [...resources, ...resources.map((arn) => `${arn}/index/*`)],
      },
    ],
  };
  const created = await account.iam.send(
    new CreateRoleCommand({ RoleName: role.roleName, AssumeRolePolicyDocument: JSON.stringify(trust) }),
  );
  await account.iam.send(
    new PutRolePolicyCommand({
      RoleName: role.roleName,
      PolicyName: 'penstock-read',
      PolicyDocument: JSON.stringify(policy),
    }),
  );
  const arn = created.Role?.Arn;
  if (arn === undefined) throw new Error(`IAM created ${role.roleName}, but gave no ARN`);
  return arn;
}
