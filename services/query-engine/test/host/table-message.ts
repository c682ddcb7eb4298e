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
} from '@penstock/common/gen/penstock/schema/v1/catalog_pb.js';
import type {
  Attribute,
  AttributeType,
  CatalogTable,
  KeySchema,
  SecondaryIndex,
} from '../../src/catalog/table.ts';

function keyMessage({ partitionKey, sortKey }: KeySchema): MessageInitShape<typeof KeySchemaSchema> {
  const part = ({ name, type }: KeySchema['partitionKey']) => ({ name, type: TypeMessage[type] });
  return { partitionKey: part(partitionKey), ...(sortKey === null ? {} : { sortKey: part(sortKey) }) };
}

function attributeMessage(attribute: Attribute): MessageInitShape<typeof AttributeSchema> {
  const types = Object.entries(attribute.types).map(([type, count]) => ({
    type: TypeMessage[type as AttributeType],
    count,
  }));
  return { ...attribute, types, nested: attribute.nested.map(attributeMessage) };
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
    key: keyMessage(index.key),
    projection: Projection[index.projection],
    nonKeyAttributes: [...index.nonKeyAttributes],
    itemCount: BigInt(index.itemCount),
    sizeBytes: BigInt(index.sizeBytes),
    coverage: COVERAGES[index.coverage],
  };
}

/** What `toCatalogTable` makes the table of again. */
export function tableMessage(table: CatalogTable): TableMessage {
  const { access, schemaName, foundEmpty = false } = table;
  return create(CatalogTableSchema, {
    version: table.version,
    access: { schemaName, ...access, tableAllowlist: [...access.tableAllowlist] },
    metadata: {
      tableName: table.tableName,
      key: keyMessage(table.key),
      indexes: table.indexes.map(indexMessage),
      itemCount: BigInt(table.itemCount),
      sizeBytes: BigInt(table.sizeBytes),
      attributes: table.attributes.map(attributeMessage),
      sampledItems: table.sampledItems,
      sampledAt: foundEmpty || table.sampledItems > 0 ? '2026-01-01T00:00:00Z' : '',
    },
  });
}
