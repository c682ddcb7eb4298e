/** Tables as the registry would tell of them. */
import type {
  DynamoDbType,
  KeyColumn,
  KnownTable,
  TableAttribute,
  TableIndex,
} from '../../../../src/clients/catalog-tables.ts';
import type { CatalogTables } from '../../../../src/postgres/servers/tables/catalog-tables.ts';

export const attribute = (name: string, ...types: readonly DynamoDbType[]): TableAttribute => ({
  name,
  types: new Map(types.map((type) => [type, 3])),
  integerDigits: 1,
  scale: 0,
  distinctValues: 2,
  nested: [],
});

export const key = (name: string, type: KeyColumn['type'] = 'S'): KeyColumn => ({ name, type });

export const index = (name: string, ...columns: readonly KeyColumn[]): TableIndex => ({
  name,
  kind: 'global',
  partitionKeys: columns.slice(0, 1),
  sortKeys: columns.slice(1),
  projection: 'all',
  nonKeyAttributes: [],
  itemCount: 7,
  sizeBytes: 70,
  coverage: 'complete',
});

export interface TableParts {
  readonly schemaName?: string;
  readonly keys?: readonly KeyColumn[];
  readonly indexes?: readonly TableIndex[];
  readonly attributes?: readonly TableAttribute[];
  readonly itemCount?: number;
  readonly describedAt?: string;
}

export function knownTable(tableName: string, parts: TableParts = {}): KnownTable {
  const [partitionKey = key('pk'), sortKey] = parts.keys ?? [key('pk')];
  return {
    schemaName: parts.schemaName ?? 'shop',
    tableName,
    details: {
      key: { partitionKey, ...(sortKey === undefined ? {} : { sortKey }) },
      indexes: parts.indexes ?? [],
      itemCount: parts.itemCount ?? 100,
      sizeBytes: 1_000,
      attributes: parts.attributes ?? [],
      sampledItems: 10,
      describedAt: parts.describedAt ?? '2026-11-29T00:00:00Z',
    },
  };
}

let versions = 0;

/** Each time another version. */
export const catalogTables = (
  tables: readonly KnownTable[],
  schemas: readonly string[] = [...new Set(tables.map(({ schemaName }) => schemaName))],
): CatalogTables => ({ version: String(versions++), schemas, tables });
