/** Tables as the registry knows them, as plain data that can be shown to a caller. */
import {
  AttributeType,
  Projection,
  type Attribute,
  type KeySchema,
  type ListedTable,
  type SecondaryIndex,
  type UnusedIndex as UnusedIndexMessage,
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

export interface TableIndex extends TableKey {
  readonly name: string;
  readonly kind: 'global' | 'local';
  readonly projection: 'all' | 'keys' | 'include';
  readonly nonKeyAttributes: readonly string[];
  readonly itemCount: number;
  readonly sizeBytes: number;
}

/** An index that no query uses, since one of its keys has several attributes. */
interface UnusedIndex {
  readonly name: string;
  readonly partitionKeys: readonly KeyColumn[];
  readonly sortKeys: readonly KeyColumn[];
}

export interface TableAttribute {
  readonly name: string;
  /** How many sampled items hold each type. */
  readonly types: ReadonlyMap<DynamoDbType, number>;
  /** The most digits that a number of the sample has before the point; `scale`: after it. */
  readonly integerDigits: number;
  readonly scale: number;
  readonly distinctValues: number;
  readonly nested: readonly TableAttribute[];
}

/** What is known of a table that has been described. */
export interface TableDetails {
  readonly key: TableKey;
  readonly indexes: readonly TableIndex[];
  readonly unusedIndexes: readonly UnusedIndex[];
  readonly itemCount: number;
  readonly sizeBytes: number;
  readonly attributes: readonly TableAttribute[];
  /** 0: never sampled. */
  readonly sampledItems: number;
  /** ISO 8601, UTC. */
  readonly describedAt: string;
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

function keyColumn({ name, type }: { readonly name: string; readonly type: AttributeType }): KeyColumn {
  const known = TYPES[type];
  return { name, type: known === 'N' || known === 'B' ? known : 'S' };
}

function tableKey(key: KeySchema | undefined): TableKey | null {
  if (key?.partitionKey === undefined) return null;
  const partitionKey = keyColumn(key.partitionKey);
  return key.sortKey === undefined ? { partitionKey } : { partitionKey, sortKey: keyColumn(key.sortKey) };
}

function tableIndex(index: SecondaryIndex): readonly TableIndex[] {
  const key = tableKey(index.key);
  if (key === null) return [];
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
    },
  ];
}

function unusedIndex({ name, partitionKeys, sortKeys }: UnusedIndexMessage): UnusedIndex {
  return { name, partitionKeys: partitionKeys.map(keyColumn), sortKeys: sortKeys.map(keyColumn) };
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
    nested: attribute.nested.map(tableAttribute),
  };
}

/** A table of the registry's answer. */
export function knownTable({ schemaName, metadata }: ListedTable): KnownTable {
  const key = tableKey(metadata?.key);
  const tableName = metadata?.tableName ?? '';
  if (metadata === undefined || key === null) return { schemaName, tableName, details: null };
  const details = {
    key,
    indexes: metadata.indexes.flatMap(tableIndex),
    unusedIndexes: metadata.unusedIndexes.map(unusedIndex),
    itemCount: Number(metadata.itemCount),
    sizeBytes: Number(metadata.sizeBytes),
    attributes: metadata.attributes.map(tableAttribute),
    sampledItems: metadata.sampledItems,
    describedAt: metadata.describedAt,
  };
  return { schemaName, tableName, details };
}
