/** Tenants whose every answer is known: the same tables for each, with values that say whose they are. */
import { createTable, putItems } from '../../../deploy/local/src/seed/customer-account.ts';
import type { CustomerAccount } from '../../../deploy/local/src/seed/customer-account.ts';
import type { RunningStack } from '../../../deploy/local/src/stack/stack.ts';
import { newAccount, newTenant, registerSchema, type TestTenant } from '../e2e/support/tenant.ts';

export const CUSTOMERS = 24;
export const ORDERS_EACH = 3;

export interface ChaosTenant {
  /** In every text value of its tables: a row of another tenant is told apart from its own. */
  readonly marker: string;
  readonly tenant: TestTenant;
  readonly account: CustomerAccount;
}

export const customerId = (no: number): string => `c${String(no).padStart(2, '0')}`;
export const customerName = (marker: string, no: number): string => `${marker} ${no}`;
/** Halves, so that a sum that went through floating point shows. */
export const orderTotal = (customer: number, no: number): number => customer * 10 + no + 0.5;

/** A tenant, an account of its own with both tables, and a schema `shop` over it. */
export async function seedTenant(stack: RunningStack, marker: string): Promise<ChaosTenant> {
  const tenant = await newTenant(stack);
  const account = newAccount(stack);
  await seedTables(account, marker);
  await registerSchema(stack, tenant, account, { schemaName: 'shop' });
  return { marker, tenant, account };
}

export async function seedTables(account: CustomerAccount, marker: string): Promise<void> {
  await createTable(account, {
    TableName: 'customers',
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
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
  const customers = Array.from({ length: CUSTOMERS }, (_, c) => c);
  await putItems(
    account,
    'customers',
    customers.map((c) => ({ id: { S: customerId(c) }, name: { S: customerName(marker, c) } })),
  );
  await putItems(
    account,
    'orders',
    customers.flatMap((c) =>
      Array.from({ length: ORDERS_EACH }, (_, no) => ({
        customer_id: { S: customerId(c) },
        no: { N: String(no) },
        total: { N: String(orderTotal(c, no)) },
        // Several pages' worth of bytes, so that a scan costs more than a lookup and takes a while.
        note: { S: `${marker} `.repeat(400) },
      })),
    ),
  );
}
