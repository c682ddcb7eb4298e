import type { CatalogTable, Column, TableDetails } from '../../../../src/console/api/catalog.ts';
import type { SchemaRecord } from '../../../../src/console/web/pages/common/schemas.ts';
import { before, HOSTILE, TENANT } from './session.ts';

export const schemaOf = (change: Partial<SchemaRecord> = {}): SchemaRecord => ({
  tenantId: TENANT,
  schemaName: 'shop',
  region: 'eu-west-1',
  accountId: '111122223333',
  roleArn: 'arn:aws:iam::111122223333:role/penstock-access',
  externalId: `penstock-${TENANT}-b0a7ff2e-6a5c-4a58-9a9e-0c7e1b0b1d11`,
  tableAllowlist: ['customers', 'orders', 'order_events'],
  status: 'active',
  createdAt: '2026-10-02T08:00:00.000Z',
  ...change,
});

const column = (name: string, sqlType: string, change: Partial<Column> = {}): Column => ({
  name,
  sqlName: /^[a-z_]+$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`,
  sqlType,
  types: [{ type: 'S', items: 1_000 }],
  filled: 1,
  distinctValues: 980,
  nested: [],
  ...change,
});

const orders: TableDetails = {
  key: { partitionKeys: [{ name: 'customer_id', type: 'S' }], sortKeys: [{ name: 'order_no', type: 'N' }] },
  indexes: [
    {
      name: 'by_status',
      sqlName: 'shop.orders.by_status',
      partitionKeys: [{ name: 'status', type: 'S' }],
      sortKeys: [{ name: 'ordered_at', type: 'S' }],
      kind: 'global',
      projection: 'include',
      nonKeyAttributes: ['total', 'currency'],
      itemCount: 1_180_204,
      sizeBytes: 143_000_000,
      filled: 0.956,
      coverage: 'lacking',
    },
    {
      name: 'by_region',
      sqlName: 'shop.orders.by_region',
      partitionKeys: [
        { name: 'region', type: 'S' },
        { name: 'warehouse', type: 'S' },
      ],
      sortKeys: [],
      kind: 'global',
      projection: 'all',
      nonKeyAttributes: [],
      itemCount: 1_234_567,
      sizeBytes: 612_000_000,
      filled: 1,
      coverage: 'complete',
    },
    {
      name: 'latest',
      sqlName: 'shop.orders.latest',
      partitionKeys: [{ name: 'customer_id', type: 'S' }],
      sortKeys: [{ name: 'updated_at', type: 'S' }],
      kind: 'local',
      projection: 'keys',
      nonKeyAttributes: [],
      itemCount: 20_310,
      sizeBytes: 1_900_000,
      filled: 0.016,
      coverage: 'assumed',
    },
  ],
  itemCount: 1_234_567,
  sizeBytes: 612_000_000,
  describedAt: before(3),
  sampledAt: before(27),
  sampledItems: 1_000,
  itemsPerKey: { low: 11, estimate: 14, high: 19 },
  columns: [
    column('customer_id', 'VARCHAR', { distinct: { low: 80_000, estimate: 91_200, high: 104_000 } }),
    column('order_no', 'BIGINT', { types: [{ type: 'N', items: 1_000 }], distinctValues: 74 }),
    column('address', 'JSON', {
      types: [
        { type: 'M', items: 903 },
        { type: 'NULL', items: 4 },
      ],
      filled: 0.903,
      distinctValues: 0,
      nested: [
        column('city', 'VARCHAR', { types: [{ type: 'S', items: 903 }], distinctValues: 212 }),
        column('geo', 'JSON', {
          types: [{ type: 'M', items: 300 }],
          distinctValues: 0,
          nested: [
            column('lat', 'DECIMAL(8,6)', { types: [{ type: 'N', items: 300 }], distinctValues: 291 }),
          ],
        }),
      ],
    }),
    column('coupon', 'VARCHAR', { types: [{ type: 'S', items: 7 }], filled: 0.007, distinctValues: 3 }),
    column('status', 'VARCHAR', { distinctValues: 5 }),
    column('total', 'MIXED', {
      types: [
        { type: 'N', items: 981 },
        { type: 'S', items: 19 },
      ],
      distinctValues: 870,
    }),
  ],
};

const tableOf = (tableName: string, details: TableDetails | null, schemaName = 'shop'): CatalogTable => ({
  schemaName,
  tableName,
  sqlName: `${schemaName}.${tableName}`,
  details,
});

const small: TableDetails = {
  ...orders,
  indexes: [],
  itemCount: 91_204,
  sizeBytes: 21_000_000,
  sampledItems: 600,
};

export const ORDERS = tableOf('orders', orders);
export const TABLES: readonly CatalogTable[] = [
  tableOf('customers', small),
  tableOf('order_events', null),
  ORDERS,
  tableOf('invoices', { ...small, itemCount: 12, sizeBytes: 4_100 }, 'billing'),
];

/** A table whose names are made by somebody who wants to do harm. */
export const HOSTILE_TABLE: CatalogTable = {
  schemaName: 'shop',
  tableName: 'orders',
  sqlName: 'shop.orders',
  details: {
    ...orders,
    key: { partitionKeys: [{ name: HOSTILE, type: 'S' }], sortKeys: [] },
    indexes: orders.indexes.map((index) => ({ ...index, nonKeyAttributes: [HOSTILE, 'x'.repeat(255)] })),
    columns: [
      column(HOSTILE, 'VARCHAR'),
      column('y'.repeat(300), 'VARCHAR'),
      column('\u05d0\u05d1\u05d2 abc', 'JSON'),
    ],
  },
};
