import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import {
  createTable,
  putItems,
  type CustomerAccount,
} from '../../../../deploy/local/src/seed/customer-account.ts';
import { EXTERNAL_ID, REGION } from './registry.ts';

/** A table with a string partition key `id`, holding the items. */
export async function simpleTable(
  account: CustomerAccount,
  tableName: string,
  items: readonly Record<string, AttributeValue>[] = [],
): Promise<void> {
  await createTable(account, {
    TableName: tableName,
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
  });
  await putItems(account, tableName, items);
}

/** What a schema of the account is created with. */
export function schemaOf(
  account: CustomerAccount,
  schemaName: string,
  more: { tables?: string[]; roleName?: string; externalId?: string } = {},
) {
  return {
    schemaName,
    region: REGION,
    accountId: account.accountId,
    roleArn: `arn:aws:iam::${account.accountId}:role/${more.roleName ?? 'penstock-read'}`,
    externalId: more.externalId ?? EXTERNAL_ID,
    ...(more.tables === undefined ? {} : { tableAllowlist: { tables: more.tables } }),
  };
}
