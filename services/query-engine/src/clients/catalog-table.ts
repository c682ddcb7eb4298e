/** Catalog messages to the engine's own tables. */
import {
  AttributeType as TypeMessage,
  IndexCoverage as CoverageMessage,
  Projection,
  type Attribute as AttributeMessage,
  type CatalogTable as CatalogTableMessage,
  type KeyAttribute as KeyAttributeMessage,
  type KeySchema as KeySchemaMessage,
  type SecondaryIndex as IndexMessage,
} from '@penstock/common/gen/penstock/schema/v1/catalog_pb.js';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type {
  Attribute,
  AttributeType,
  CatalogTable,
  KeyAttribute,
  KeySchema,
  SecondaryIndex,
} from '../catalog/table.ts';

const TYPES: Readonly<Partial<Record<TypeMessage, AttributeType>>> = Object.freeze({
  [TypeMessage.S]: 'S',
  [TypeMessage.N]: 'N',
  [TypeMessage.B]: 'B',
  [TypeMessage.BOOL]: 'BOOL',
  [TypeMessage.NULL]: 'NULL',
  [TypeMessage.M]: 'M',
  [TypeMessage.L]: 'L',
  [TypeMessage.SS]: 'SS',
  [TypeMessage.NS]: 'NS',
  [TypeMessage.BS]: 'BS',
});

/** The message of a type, for reporting attributes. */
export function typeMessage(type: AttributeType): TypeMessage {
  return TypeMessage[type];
}

const PROJECTIONS: Readonly<Record<Projection, SecondaryIndex['projection']>> = Object.freeze({
  [Projection.UNSPECIFIED]: 'KEYS_ONLY',
  [Projection.ALL]: 'ALL',
  [Projection.KEYS_ONLY]: 'KEYS_ONLY',
  [Projection.INCLUDE]: 'INCLUDE',
});

const COVERAGES: Readonly<
  Record<Exclude<CoverageMessage, CoverageMessage.UNSPECIFIED>, SecondaryIndex['coverage']>
> = Object.freeze({
  [CoverageMessage.COMPLETE]: 'complete',
  [CoverageMessage.ASSUMED]: 'assumed',
  [CoverageMessage.LACKING]: 'lacking',
});

function incomplete(what: string): PenstockError {
  return new PenstockError('INTERNAL', 'Internal error', {
    cause: new Error(`the registry's table lacks its ${what}`),
  });
}

function keyAttribute(message: KeyAttributeMessage | undefined): KeyAttribute {
  const type = message === undefined ? undefined : TYPES[message.type];
  if (message === undefined || (type !== 'S' && type !== 'N' && type !== 'B')) throw incomplete('key');
  return Object.freeze({ name: message.name, type });
}

function keySchema(message: KeySchemaMessage | undefined): KeySchema {
  return Object.freeze({
    partitionKey: keyAttribute(message?.partitionKey),
    sortKey: message?.sortKey === undefined ? null : keyAttribute(message.sortKey),
  });
}

/** None for a global index from an older registry, which does not tell those apart that have several key attributes. */
function secondaryIndex(message: IndexMessage): readonly SecondaryIndex[] {
  if (message.global && message.coverage === CoverageMessage.UNSPECIFIED) return [];
  const coverage =
    message.coverage === CoverageMessage.UNSPECIFIED ? 'complete' : COVERAGES[message.coverage];
  const index: SecondaryIndex = {
    name: message.name,
    global: message.global,
    key: keySchema(message.key),
    projection: PROJECTIONS[message.projection],
    nonKeyAttributes: message.nonKeyAttributes,
    itemCount: Number(message.itemCount),
    sizeBytes: Number(message.sizeBytes),
    coverage,
  };
  return [Object.freeze(index)];
}

function attribute(message: AttributeMessage): Attribute {
  const types = message.types.flatMap(({ type, count }) => {
    const known = TYPES[type];
    return known === undefined ? [] : [[known, count] as const];
  });
  return Object.freeze({
    name: message.name,
    types: Object.fromEntries(types),
    integerDigits: message.integerDigits,
    scale: message.scale,
    nested: message.nested.map(attribute),
    distinctValues: message.distinctValues,
  });
}

/** Keys first, then by name: the order of `SELECT *`, the same on every page. */
function inOrder(key: KeySchema, attributes: readonly Attribute[]): readonly Attribute[] {
  const keys = [key.partitionKey.name, key.sortKey?.name];
  const rank = ({ name }: Attribute): number => (keys.indexOf(name) + keys.length) % keys.length;
  const isKey = ({ name }: Attribute): boolean => keys.includes(name);
  const byName = (a: Attribute, b: Attribute): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
  return [
    ...attributes.filter(isKey).sort((a, b) => rank(a) - rank(b)),
    ...attributes.filter((entry) => !isKey(entry)).sort(byName),
  ];
}

/** @throws PenstockError INTERNAL for a message that lacks what every table has */
export function toCatalogTable(message: CatalogTableMessage): CatalogTable {
  const { version, access, metadata } = message;
  if (access === undefined) throw incomplete('access');
  if (metadata === undefined) throw incomplete('metadata');
  const key = keySchema(metadata.key);
  return Object.freeze({
    version,
    schemaName: access.schemaName,
    tableName: metadata.tableName,
    access: Object.freeze({
      roleArn: access.roleArn,
      externalId: access.externalId,
      region: access.region,
      tableAllowlist: access.tableAllowlist,
    }),
    key,
    indexes: metadata.indexes.flatMap(secondaryIndex),
    itemCount: Number(metadata.itemCount),
    sizeBytes: Number(metadata.sizeBytes),
    attributes: inOrder(key, metadata.attributes.map(attribute)),
    sampledItems: metadata.sampledItems,
    foundEmpty: metadata.sampledAt !== '' && metadata.sampledItems === 0 && metadata.itemCount === 0n,
  });
}
