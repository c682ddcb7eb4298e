/** The demo's data: a small shop in a customer's account. */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { createTable, putItems, type CustomerAccount } from '../seed/customer-account.ts';

const CITIES = ['Lyon', 'Porto', 'Graz', 'Turku'];
const STATUSES = ['NEW', 'PAID', 'SHIPPED'];
const CUSTOMERS = 40;
const ORDERS_PER_CUSTOMER = 25;

/** `customers` by customer_id, with an index by city; `orders` by customer_id and order_id. */
export async function seedShop(account: CustomerAccount): Promise<void> {
  await createTable(account, {
    TableName: 'customers',
    KeySchema: [{ AttributeName: 'customer_id', KeyType: 'HASH' }],
    AttributeDefinitions: [
      { AttributeName: 'customer_id', AttributeType: 'S' },
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
      { AttributeName: 'order_id', KeyType: 'RANGE' },
    ],
    AttributeDefinitions: [
      { AttributeName: 'customer_id', AttributeType: 'S' },
      { AttributeName: 'order_id', AttributeType: 'S' },
    ],
  });
  await putItems(account, 'customers', customers());
  await putItems(account, 'orders', orders());
}

const customerId = (i: number): string => `C${String(i + 1).padStart(3, '0')}`;

function customers(): Record<string, AttributeValue>[] {
  return Array.from({ length: CUSTOMERS }, (_, i) => ({
    customer_id: { S: customerId(i) },
    name: { S: `Customer ${i + 1}` },
    city: { S: CITIES[i % CITIES.length]! },
    address: { M: { street: { S: `${i + 1} Mill Lane` }, zip: { S: String(10_000 + i) } } },
  }));
}

function orders(): Record<string, AttributeValue>[] {
  return Array.from({ length: CUSTOMERS * ORDERS_PER_CUSTOMER }, (_, i) => ({
    customer_id: { S: customerId(Math.floor(i / ORDERS_PER_CUSTOMER)) },
    order_id: { S: `O${String(i + 1).padStart(5, '0')}` },
    status: { S: STATUSES[i % STATUSES.length]! },
    total: { N: `${(i * 37) % 500}.${String((i * 13) % 100).padStart(2, '0')}` },
    placed_at: { S: new Date(Date.UTC(2026, 0, 1) + i * 3_600_000).toISOString() },
  }));
}
