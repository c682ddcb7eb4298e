/** A tenant's tables, as the registry would tell of them: of every type, with and without indexes. */
import type {
  DynamoDbType,
  KeyColumn,
  KnownTable,
  TableAttribute,
  TableIndex,
} from '../../../../src/clients/catalog-tables.ts';
import type { CatalogTables } from '../../../../src/postgres/catalog/catalog.ts';

const attribute = (name: string, types: Partial<Record<DynamoDbType, number>>): TableAttribute => ({
  name,
  types: new Map(Object.entries(types) as [DynamoDbType, number][]),
  integerDigits: 3,
  scale: 0,
  distinctValues: 3,
  nested: [],
});

const index = (
  name: string,
  partitionKeys: readonly KeyColumn[],
  sortKeys: readonly KeyColumn[],
): TableIndex => ({
  name,
  kind: 'global',
  partitionKeys,
  sortKeys,
  projection: 'all',
  nonKeyAttributes: [],
  itemCount: 100,
  sizeBytes: 20_000,
  coverage: 'complete',
});

interface TableParts {
  readonly partitionKey: KeyColumn;
  readonly sortKey?: KeyColumn;
  readonly attributes?: readonly TableAttribute[];
  readonly indexes?: readonly TableIndex[];
}

export const knownTable = (schemaName: string, tableName: string, parts: TableParts): KnownTable => ({
  schemaName,
  tableName,
  details: {
    key: {
      partitionKey: parts.partitionKey,
      ...(parts.sortKey === undefined ? {} : { sortKey: parts.sortKey }),
    },
    indexes: parts.indexes ?? [],
    attributes: parts.attributes ?? [],
    itemCount: 0,
    sizeBytes: 0,
    sampledItems: 50,
    describedAt: '2026-01-01T00:00:00.000Z',
  },
});

const customers = knownTable('shop', 'customers', {
  partitionKey: { name: 'customer_id', type: 'S' },
  attributes: [
    attribute('customer_id', { S: 50 }),
    attribute('name', { S: 50 }),
    attribute('city', { S: 40, NULL: 3 }),
  ],
});

const orders = knownTable('shop', 'orders', {
  partitionKey: { name: 'customer_id', type: 'S' },
  sortKey: { name: 'number', type: 'N' },
  indexes: [index('by-status', [{ name: 'status', type: 'S' }], [{ name: 'placed', type: 'S' }])],
  attributes: [
    attribute('customer_id', { S: 50 }),
    attribute('number', { N: 50 }),
    attribute('total', { N: 50 }),
    attribute('tags', { L: 50 }),
    attribute('labels', { SS: 5 }),
    attribute('status', { S: 40 }),
    attribute('odd', { S: 3, N: 4 }),
    attribute('paid', { BOOL: 4 }),
    attribute('raw', { B: 4 }),
    attribute('address', { M: 4 }),
  ],
});

const odd = knownTable('lab', 'Orders-2.old', { partitionKey: { name: 'Id', type: 'B' } });

export const SAMPLE_TABLES: CatalogTables = Object.freeze({
  version: '1',
  schemas: ['shop', 'lab'],
  tables: [customers, orders, odd],
});
