/** Tables as the registry knows them, as plain data that can be shown to a caller. */
import {
  AttributeType,
  IndexCoverage,
  Projection,
  type Attribute,
  type EstimateRange as RangeMessage,
  type KeySchema,
  type LearnedStatistics as LearnedMessage,
  type ListedTable,
  type SecondaryIndex,
} from '@penstock/common/gen/penstock/schema/v1/catalog_pb.js';

/** DynamoDB's attribute types by their own names. */
export type DynamoDbType = 'S' | 'N' | 'B' | 'BOOL' | 'NULL' | 'M' | 'L' | 'SS' | 'NS' | 'BS';

export interface KeyColumn {
  readonly name: string;
  readonly type: 'S' | 'N' | 'B';
}

export interface TableKey {
  readonly partitionKey: KeyColumn;
  readonly sortKey?: KeyColumn;
}

/** The key of an index: attributes in the order in which they are declared; a global index may have up to four of each kind. */
export interface IndexKey {
  readonly partitionKeys: readonly KeyColumn[];
  readonly sortKeys: readonly KeyColumn[];
}

export interface TableIndex extends IndexKey {
  readonly name: string;
  readonly kind: 'global' | 'local';
  readonly projection: 'all' | 'keys' | 'include';
  readonly nonKeyAttributes: readonly string[];
  readonly itemCount: number;
  readonly sizeBytes: number;
  /** Whether it holds every item that has its key attributes. */
  readonly coverage: 'complete' | 'assumed' | 'lacking';
}

/** What a figure is likely to be, and what it may be as far as a sample tells. */
export interface EstimateRange {
  readonly low: number;
  readonly estimate: number;
  readonly high: number;
}

export interface TableAttribute {
  readonly name: string;
  /** How many sampled items hold each type. */
  readonly types: ReadonlyMap<DynamoDbType, number>;
  /** The most digits that a number of the sample has before the point; `scale`: after it. */
  readonly integerDigits: number;
  readonly scale: number;
  readonly distinctValues: number;
  /** In all items of the table; absent where no sample told. */
  readonly distinct?: EstimateRange;
  readonly nested: readonly TableAttribute[];
}

/** What queries found by keys: of the table where no index is named. */
export interface LearnedKeys {
  readonly index?: string;
  readonly columns: readonly string[];
  readonly itemsPerKey: number;
  readonly unitsPerKey: number;
  /** Of a hundred keys that were looked for, those without any item. */
  readonly missingPercent: number;
}

/** What passed a filter of queries: of the table where no index is named. */
export interface LearnedFilter {
  readonly index?: string;
  /** Without its values. */
  readonly filter: string;
  readonly passedPercent: number;
}

/** What executed queries saw of a table, the latest ones most of all. */
export interface LearnedStatistics {
  readonly keys: readonly LearnedKeys[];
  readonly filters: readonly LearnedFilter[];
}

/** What is known of a table that has been described. */
export interface TableDetails {
  readonly key: TableKey;
  readonly indexes: readonly TableIndex[];
  readonly itemCount: number;
  readonly sizeBytes: number;
  readonly attributes: readonly TableAttribute[];
  /** 0: never sampled. */
  readonly sampledItems: number;
  /** ISO 8601, UTC. */
  readonly describedAt: string;
  /** ISO 8601, UTC; absent: never sampled. */
  readonly sampledAt?: string;
  /** Provisioned, units a second; absent: on demand, or not known. */
  readonly readCapacity?: number;
  /** Items of a partition on average; absent where no sample told. */
  readonly itemsPerKey?: EstimateRange;
  /** Absent where no query has told. */
  readonly learned?: LearnedStatistics;
}

export interface KnownTable {
  readonly schemaName: string;
  readonly tableName: string;
  /** Null where the table has not been described yet. */
  readonly details: TableDetails | null;
}

const TYPES: Readonly<Record<AttributeType, DynamoDbType | null>> = Object.freeze({
  [AttributeType.UNSPECIFIED]: null,
  [AttributeType.S]: 'S',
  [AttributeType.N]: 'N',
  [AttributeType.B]: 'B',
  [AttributeType.BOOL]: 'BOOL',
  [AttributeType.NULL]: 'NULL',
  [AttributeType.M]: 'M',
  [AttributeType.L]: 'L',
  [AttributeType.SS]: 'SS',
  [AttributeType.NS]: 'NS',
  [AttributeType.BS]: 'BS',
});

const COVERAGES: Readonly<Record<IndexCoverage, TableIndex['coverage']>> = Object.freeze({
  [IndexCoverage.UNSPECIFIED]: 'assumed',
  [IndexCoverage.ASSUMED]: 'assumed',
  [IndexCoverage.COMPLETE]: 'complete',
  [IndexCoverage.LACKING]: 'lacking',
});

function keyColumn({ name, type }: { readonly name: string; readonly type: AttributeType }): KeyColumn {
  const known = TYPES[type];
  return { name, type: known === 'N' || known === 'B' ? known : 'S' };
}

function tableKey(key: KeySchema | undefined): TableKey | null {
  if (key?.partitionKey === undefined) return null;
  const partitionKey = keyColumn(key.partitionKey);
  return key.sortKey === undefined ? { partitionKey } : { partitionKey, sortKey: keyColumn(key.sortKey) };
}

/** An older registry sends the key alone, which has one attribute of each kind then. */
function indexKey({ key, partitionKeys, sortKeys }: SecondaryIndex): IndexKey {
  if (partitionKeys.length > 0)
    return { partitionKeys: partitionKeys.map(keyColumn), sortKeys: sortKeys.map(keyColumn) };
  const { partitionKey, sortKey } = tableKey(key) ?? {};
  return {
    partitionKeys: partitionKey === undefined ? [] : [partitionKey],
    sortKeys: sortKey === undefined ? [] : [sortKey],
  };
}

function tableIndex(index: SecondaryIndex): readonly TableIndex[] {
  const key = indexKey(index);
  if (key.partitionKeys.length === 0) return [];
  const { name, global, nonKeyAttributes } = index;
  return [
    {
      name,
      kind: global ? 'global' : 'local',
      ...key,
      projection:
        index.projection === Projection.ALL
          ? 'all'
          : index.projection === Projection.INCLUDE
            ? 'include'
            : 'keys',
      nonKeyAttributes,
      itemCount: Number(index.itemCount),
      sizeBytes: Number(index.sizeBytes),
      coverage: COVERAGES[index.coverage],
    },
  ];
}

function tableAttribute(attribute: Attribute): TableAttribute {
  const { name, integerDigits, scale, distinctValues } = attribute;
  const types = attribute.types.flatMap(({ type, count }) => {
    const known = TYPES[type];
    return known === null || count === 0 ? [] : [[known, count] as const];
  });
  return {
    name,
    types: new Map(types),
    integerDigits,
    scale,
    distinctValues,
    ...(attribute.distinct === undefined ? {} : { distinct: range(attribute.distinct) }),
    nested: attribute.nested.map(tableAttribute),
  };
}

function learned({ keys, filters }: LearnedMessage): LearnedStatistics {
  const named = (index: string): { readonly index?: string } => (index === '' ? {} : { index });
  return {
    keys: keys.map(({ index, keyColumns, keys: count, missing, items, units }) => ({
      ...named(index),
      columns: keyColumns,
      itemsPerKey: rounded(items / count),
      unitsPerKey: rounded(units / count),
      missingPercent: rounded((100 * missing) / count),
    })),
    filters: filters.map(({ index, form, read, passed }) => ({
      ...named(index),
      filter: form,
      passedPercent: rounded((100 * passed) / read),
    })),
  };
}

function rounded(figure: number): number {
  return Number(figure.toPrecision(3));
}

function range({ low, estimate, high }: RangeMessage): EstimateRange {
  return { low, estimate, high };
}

/** A table of the registry's answer. */
export function knownTable({ schemaName, metadata }: ListedTable): KnownTable {
  const key = tableKey(metadata?.key);
  const tableName = metadata?.tableName ?? '';
  if (metadata === undefined || key === null) return { schemaName, tableName, details: null };
  const details = {
    key,
    indexes: [...metadata.indexes, ...metadata.multiAttributeIndexes]
      .flatMap(tableIndex)
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
    itemCount: Number(metadata.itemCount),
    sizeBytes: Number(metadata.sizeBytes),
    attributes: metadata.attributes.map(tableAttribute),
    sampledItems: metadata.sampledItems,
    describedAt: metadata.describedAt,
    ...(metadata.sampledAt === '' ? {} : { sampledAt: metadata.sampledAt }),
    ...(metadata.readCapacity === undefined ? {} : { readCapacity: Number(metadata.readCapacity) }),
    ...(metadata.learned === undefined ? {} : { learned: learned(metadata.learned) }),
    ...(metadata.itemsPerKey === undefined ? {} : { itemsPerKey: range(metadata.itemsPerKey) }),
  };
  return { schemaName, tableName, details };
}
