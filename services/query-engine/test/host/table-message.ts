/** Tables as the registry sends them. */
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import {
  AttributeType as TypeMessage,
  CatalogTableSchema,
  IndexCoverage,
  Projection,
  type AttributeSchema,
  type CatalogTable as TableMessage,
  type KeySchemaSchema,
  type SecondaryIndexSchema,
  type TableReadLimitsSchema,
} from '@penstock/common/gen/penstock/schema/v1/catalog_pb.js';
import { learnedMessage } from '../../src/clients/catalog-table.ts';
import type {
  Attribute,
  AttributeType,
  CatalogTable,
  KeySchema,
  SecondaryIndex,
} from '../../src/catalog/table.ts';

function keyMessage({ partitionKey, sortKey }: KeySchema): MessageInitShape<typeof KeySchemaSchema> {
  return {
    partitionKey: partMessage(partitionKey),
    ...(sortKey === null ? {} : { sortKey: partMessage(sortKey) }),
  };
}

function partMessage({ name, type }: KeySchema['partitionKey']) {
  return { name, type: TypeMessage[type] };
}

function attributeMessage(attribute: Attribute): MessageInitShape<typeof AttributeSchema> {
  const types = Object.entries(attribute.types).map(([type, count]) => ({
    type: TypeMessage[type as AttributeType],
    count,
  }));
  const { distinct, ...rest } = attribute;
  return {
    ...rest,
    types,
    nested: attribute.nested.map(attributeMessage),
    ...(distinct === undefined ? {} : { distinct: { ...distinct } }),
  };
}

const COVERAGES = {
  complete: IndexCoverage.COMPLETE,
  assumed: IndexCoverage.ASSUMED,
  lacking: IndexCoverage.LACKING,
} as const;

function indexMessage(index: SecondaryIndex): MessageInitShape<typeof SecondaryIndexSchema> {
  return {
    name: index.name,
    global: index.global,
    partitionKeys: index.key.partitionKeys.map(partMessage),
    sortKeys: index.key.sortKeys.map(partMessage),
    projection: Projection[index.projection],
    nonKeyAttributes: [...index.nonKeyAttributes],
    itemCount: BigInt(index.itemCount),
    sizeBytes: BigInt(index.sizeBytes),
    coverage: COVERAGES[index.coverage],
    ...capacity(index),
  };
}

function capacity({ readCapacity }: { readonly readCapacity?: number }): { readCapacity?: bigint } {
  return readCapacity === undefined ? {} : { readCapacity: BigInt(readCapacity) };
}

function limitsMessage({ readLimits }: CatalogTable): {
  readLimits?: MessageInitShape<typeof TableReadLimitsSchema>;
} {
  if (readLimits === undefined) return {};
  const { unitsPerSecond, unitsPerQuery } = readLimits;
  return {
    readLimits: {
      ...(unitsPerSecond === null ? {} : { unitsPerSecond }),
      ...(unitsPerQuery === null ? {} : { unitsPerQuery }),
    },
  };
}

const isSingle = ({ key }: SecondaryIndex): boolean =>
  key.partitionKeys.length === 1 && key.sortKeys.length <= 1;

/** What `toCatalogTable` makes the table of again. */
export function tableMessage(table: CatalogTable): TableMessage {
  const { access, schemaName, foundEmpty = false } = table;
  return create(CatalogTableSchema, {
    version: table.version,
    ...limitsMessage(table),
    access: { schemaName, ...access, tableAllowlist: [...access.tableAllowlist] },
    metadata: {
      tableName: table.tableName,
      key: keyMessage(table.key),
      indexes: table.indexes.filter(isSingle).map(indexMessage),
      multiAttributeIndexes: table.indexes.filter((index) => !isSingle(index)).map(indexMessage),
      itemCount: BigInt(table.itemCount),
      sizeBytes: BigInt(table.sizeBytes),
      attributes: table.attributes.map(attributeMessage),
      sampledItems: table.sampledItems,
      ...capacity(table),
      ...(table.itemsPerKey === undefined ? {} : { itemsPerKey: { ...table.itemsPerKey } }),
      ...(table.learned === undefined ? {} : { learned: learnedMessage(table.learned) }),
      sampledAt: foundEmpty || table.sampledItems > 0 ? '2026-01-01T00:00:00Z' : '',
    },
  });
}
