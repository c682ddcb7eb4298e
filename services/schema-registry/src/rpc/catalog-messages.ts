import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  AttributeType as WireType,
  IndexCoverage as WireCoverage,
  Projection as WireProjection,
  type Attribute,
  type AttributeSchema,
  type KeyAttributeSchema,
  type KeySchemaSchema,
  type ListedTableSchema,
  type ResolvedTableSchema,
  type SchemaAccessSchema,
  type SecondaryIndexSchema,
  type TableMetadataSchema,
} from '@penstock/common/gen/penstock/schema/v1/catalog_pb.js';
import type { AttributeType } from '../metadata/item-value.ts';
import { NOTHING_LEARNED, type LearnedStatistics } from '../metadata/learned/learned-statistics.ts';
import type { ListedTable } from '../metadata/list-tables.ts';
import type { Resolution } from '../metadata/resolve-tables.ts';
import {
  singleKey,
  type AttributeStatistics,
  type IndexCoverage,
  type KeyAttribute,
  type KeySchema,
  type Projection,
  type SecondaryIndex,
  type TableMetadata,
} from '../metadata/table-metadata.ts';
import { limitsOfTable } from '../schemas/read-limits.ts';
import type { SchemaRecord } from '../schemas/schema-record.ts';
import { isEmpty, toLearnedMessage } from './learned-messages.ts';

const WIRE_TYPES: Readonly<Record<AttributeType, WireType>> = Object.freeze({
  S: WireType.S,
  N: WireType.N,
  B: WireType.B,
  BOOL: WireType.BOOL,
  NULL: WireType.NULL,
  M: WireType.M,
  L: WireType.L,
  SS: WireType.SS,
  NS: WireType.NS,
  BS: WireType.BS,
});

const TYPES = new Map(Object.entries(WIRE_TYPES).map(([type, wire]) => [wire, type as AttributeType]));

const WIRE_PROJECTIONS: Readonly<Record<Projection, WireProjection>> = Object.freeze({
  ALL: WireProjection.ALL,
  KEYS_ONLY: WireProjection.KEYS_ONLY,
  INCLUDE: WireProjection.INCLUDE,
});

const WIRE_COVERAGES: Readonly<Record<IndexCoverage, WireCoverage>> = Object.freeze({
  complete: WireCoverage.COMPLETE,
  assumed: WireCoverage.ASSUMED,
  lacking: WireCoverage.LACKING,
});

/** One answer of a resolution. */
export function toResolvedMessage(resolution: Resolution): MessageInitShape<typeof ResolvedTableSchema> {
  switch (resolution.kind) {
    case 'unchanged':
      return { result: { case: 'unchanged', value: {} } };
    case 'error': {
      const { code, message, detail } = resolution.error;
      return {
        result: { case: 'error', value: { code, message, ...(detail === undefined ? {} : { detail }) } },
      };
    }
    case 'found': {
      const { version, record, metadata, learned } = resolution;
      const readLimits = limitsOfTable(record.readLimits, metadata.tableName);
      const value = {
        version,
        access: toAccessMessage(record),
        metadata: toMetadataMessage(metadata, learned),
        ...(readLimits === null ? {} : { readLimits }),
      };
      return { result: { case: 'table', value } };
    }
  }
}

/** A table of a list; only its name where nothing else is known. */
export function toListedMessage(
  { schemaName, tableName, metadata }: ListedTable,
  learned = NOTHING_LEARNED,
): MessageInitShape<typeof ListedTableSchema> {
  return { schemaName, metadata: metadata === null ? { tableName } : toMetadataMessage(metadata, learned) };
}

/** An attribute that a caller reports. Types that this service does not know are left out. */
export function fromAttributeMessage(attribute: Attribute): AttributeStatistics {
  const { name, types, integerDigits, scale, nested, distinctValues } = attribute;
  return Object.freeze({
    name,
    types: types.flatMap(({ type, count }) => {
      const known = TYPES.get(type);
      return known === undefined ? [] : [{ type: known, count }];
    }),
    integerDigits,
    scale,
    nested: nested.map(fromAttributeMessage),
    distinctValues,
  });
}

function toAccessMessage(record: SchemaRecord): MessageInitShape<typeof SchemaAccessSchema> {
  const { schemaName, roleArn, externalId, region, tableAllowlist } = record;
  return { schemaName, roleArn, externalId, region, tableAllowlist: [...tableAllowlist] };
}

function toMetadataMessage(
  metadata: TableMetadata,
  learned: LearnedStatistics,
): MessageInitShape<typeof TableMetadataSchema> {
  return {
    tableName: metadata.tableName,
    key: toKeyMessage(metadata.key),
    indexes: metadata.indexes.filter(({ key }) => singleKey(key) !== null).map(toIndexMessage),
    multiAttributeIndexes: metadata.indexes.filter(({ key }) => singleKey(key) === null).map(toIndexMessage),
    itemCount: BigInt(metadata.itemCount),
    sizeBytes: BigInt(metadata.sizeBytes),
    attributes: metadata.attributes.map(toAttributeMessage),
    sampledItems: metadata.sampledItems,
    describedAt: metadata.describedAt,
    sampledAt: metadata.sampledAt ?? '',
    ...capacity(metadata),
    ...(isEmpty(learned) ? {} : { learned: toLearnedMessage(learned) }),
    ...(metadata.itemsPerKey == null ? {} : { itemsPerKey: { ...metadata.itemsPerKey } }),
  };
}

function capacity({ readCapacity }: { readonly readCapacity?: number }): { readCapacity?: bigint } {
  return readCapacity === undefined ? {} : { readCapacity: BigInt(readCapacity) };
}

function toIndexMessage(index: SecondaryIndex): MessageInitShape<typeof SecondaryIndexSchema> {
  const single = singleKey(index.key);
  return {
    name: index.name,
    global: index.global,
    ...(single === null ? {} : { key: toKeyMessage(single) }),
    partitionKeys: index.key.partitionKeys.map(toKeyAttributeMessage),
    sortKeys: index.key.sortKeys.map(toKeyAttributeMessage),
    projection: WIRE_PROJECTIONS[index.projection],
    nonKeyAttributes: [...index.nonKeyAttributes],
    itemCount: BigInt(index.itemCount),
    sizeBytes: BigInt(index.sizeBytes),
    coverage: WIRE_COVERAGES[index.coverage],
    ...capacity(index),
  };
}

function toKeyMessage({ partitionKey, sortKey }: KeySchema): MessageInitShape<typeof KeySchemaSchema> {
  return {
    partitionKey: toKeyAttributeMessage(partitionKey),
    ...(sortKey === null ? {} : { sortKey: toKeyAttributeMessage(sortKey) }),
  };
}

function toKeyAttributeMessage({ name, type }: KeyAttribute): MessageInitShape<typeof KeyAttributeSchema> {
  return { name, type: WIRE_TYPES[type] };
}

function toAttributeMessage(attribute: AttributeStatistics): MessageInitShape<typeof AttributeSchema> {
  return {
    name: attribute.name,
    types: attribute.types.map(({ type, count }) => ({ type: WIRE_TYPES[type], count })),
    integerDigits: attribute.integerDigits,
    scale: attribute.scale,
    nested: attribute.nested.map(toAttributeMessage),
    distinctValues: attribute.distinctValues,
    ...(attribute.distinct === undefined ? {} : { distinct: { ...attribute.distinct } }),
    ...(attribute.metSince === undefined ? {} : { metSince: attribute.metSince }),
  };
}
