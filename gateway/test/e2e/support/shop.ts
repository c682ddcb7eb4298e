/** Tables that most e2e tests read: small, with known sizes and answers. */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import {
  createTable,
  putItems,
  type CustomerAccount,
} from '../../../../deploy/local/src/seed/customer-account.ts';
import type { RunningStack } from '../../../../deploy/local/src/stack/stack.ts';
import { newAccount, newTenant, registerSchema, type TestTenant } from './tenant.ts';

/** A tenant with a schema `shop`: all tables that are made in an account of its own, which is to be closed. */
export async function newShop(
  stack: RunningStack,
  seed: (account: CustomerAccount) => Promise<unknown> = (account) => seedShop(account),
): Promise<{ readonly tenant: TestTenant; readonly account: CustomerAccount }> {
  const tenant = await newTenant(stack);
  const account = newAccount(stack);
  try {
    await seed(account);
    await registerSchema(stack, tenant, account, { schemaName: 'shop' });
  } catch (error) {
    account.close();
    throw error;
  }
  return { tenant, account };
}

export async function seedShop(account: CustomerAccount, marker = 'm'): Promise<void> {
  await createTable(account, {
    TableName: 'customers',
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    AttributeDefinitions: [
      { AttributeName: 'id', AttributeType: 'S' },
      { AttributeName: 'city', AttributeType: 'S' },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'by_city',
        KeySchema: [{ AttributeName: 'city', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'ALL' },
      },
    ],
  });
  await createTable(account, {
    TableName: 'orders',
    KeySchema: [
      { AttributeName: 'customer_id', KeyType: 'HASH' },
      { AttributeName: 'no', KeyType: 'RANGE' },
    ],
    AttributeDefinitions: [
      { AttributeName: 'customer_id', AttributeType: 'S' },
      { AttributeName: 'no', AttributeType: 'N' },
    ],
  });
  await putItems(account, 'customers', [
    { id: { S: 'c1' }, name: { S: `Ada ${marker}` }, city: { S: 'Lyon' }, vip: { BOOL: true } },
    { id: { S: 'c2' }, name: { S: `Bob ${marker}` }, city: { S: 'Porto' } },
    { id: { S: 'c3' }, name: { S: `Cyd ${marker}` }, address: { M: { zip: { S: '1000' } } } },
  ]);
  await putItems(account, 'orders', [
    order('c1', 1, '10.50', 'NEW'),
    order('c1', 2, '20', 'PAID'),
    order('c2', 1, '12345678901234567890.5', 'PAID'),
    order('c9', 1, '7', 'NEW'),
  ]);
}

function order(customer: string, no: number, total: string, status: string): Record<string, AttributeValue> {
  return { customer_id: { S: customer }, no: { N: String(no) }, total: { N: total }, status: { S: status } };
}

/** A table of `count` items of about `bytes` each under one key attribute `id`. */
export async function seedWide(
  account: CustomerAccount,
  tableName: string,
  count: number,
  bytes: number,
): Promise<void> {
  await createTable(account, {
    TableName: tableName,
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
  });
  const filler = 'x'.repeat(bytes);
  await putItems(
    account,
    tableName,
    Array.from({ length: count }, (_, i) => ({
      id: { S: `k${String(i).padStart(6, '0')}` },
      n: { N: String(i) },
      filler: { S: filler },
    })),
  );
}
