/** Catalog messages to the engine's own tables. */
import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  AttributeType as TypeMessage,
  IndexCoverage as CoverageMessage,
  type LearnedStatisticsSchema,
  Projection,
  type Attribute as AttributeMessage,
  type CatalogTable as CatalogTableMessage,
  type EstimateRange as RangeMessage,
  type LearnedStatistics as LearnedMessage,
  type KeyAttribute as KeyAttributeMessage,
  type KeySchema as KeySchemaMessage,
  type SecondaryIndex as IndexMessage,
} from '@penstock/common/gen/penstock/schema/v1/catalog_pb.js';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { byUtf8 } from '../catalog/attributes.ts';
import {
  queryKey,
  type Attribute,
  type AttributeType,
  type CatalogTable,
  type EstimateRange,
  type IndexKey,
  type KeyAttribute,
  type KeySchema,
  type LearnedStatistics,
  type SecondaryIndex,
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

/** The message of what reads saw. */
export function learnedMessage({
  keys,
  filters,
}: LearnedStatistics): MessageInitShape<typeof LearnedStatisticsSchema> {
  return {
    keys: keys.map((entry) => ({ ...entry, index: entry.index ?? '', keyColumns: [...entry.keyColumns] })),
    filters: filters.map((entry) => ({ ...entry, index: entry.index ?? '' })),
  };
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

/** An older registry sends the key alone, which has one attribute of each kind then. */
function indexKey(message: IndexMessage): IndexKey {
  if (message.partitionKeys.length === 0) return queryKey({ key: keySchema(message.key) }, null);
  return Object.freeze({
    partitionKeys: message.partitionKeys.map(keyAttribute),
    sortKeys: message.sortKeys.map(keyAttribute),
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
    key: indexKey(message),
    projection: PROJECTIONS[message.projection],
    nonKeyAttributes: message.nonKeyAttributes,
    itemCount: Number(message.itemCount),
    sizeBytes: Number(message.sizeBytes),
    coverage,
    ...capacity(message),
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
    ...(message.distinct === undefined ? {} : { distinct: range(message.distinct) }),
    ...(message.metSince === undefined ? {} : { metSince: message.metSince }),
  });
}

function learned({ keys, filters }: LearnedMessage): LearnedStatistics {
  return Object.freeze({
    keys: keys.map(({ index, keyColumns, keys: count, missing, items, units }) =>
      Object.freeze({ index: index === '' ? null : index, keyColumns, keys: count, missing, items, units }),
    ),
    filters: filters.map(({ index, form, read, passed }) =>
      Object.freeze({ index: index === '' ? null : index, form, read, passed }),
    ),
  });
}

function range({ low, estimate, high }: RangeMessage): EstimateRange {
  return Object.freeze({ low, estimate, high });
}

/**
 * Keys first, then by name; what was met later comes last, in the order in which it was: the order of `SELECT *`, to which
 * columns are only added while somebody walks over pages.
 */
function inOrder(key: KeySchema, attributes: readonly Attribute[]): readonly Attribute[] {
  const keys = [key.partitionKey.name, key.sortKey?.name];
  const rank = ({ name }: Attribute): number => (keys.indexOf(name) + keys.length) % keys.length;
  const isKey = ({ name }: Attribute): boolean => keys.includes(name);
  const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  const byAge = (a: Attribute, b: Attribute): number =>
    compare(a.metSince ?? '', b.metSince ?? '') || compare(a.name, b.name);
  return [
    ...attributes.filter(isKey).sort((a, b) => rank(a) - rank(b)),
    ...attributes.filter((entry) => !isKey(entry)).sort(byAge),
  ];
}

function capacity({ readCapacity }: { readonly readCapacity?: bigint | undefined }): {
  readCapacity?: number;
} {
  return readCapacity === undefined ? {} : { readCapacity: Number(readCapacity) };
}

function limitsOf({ readLimits }: CatalogTableMessage): Pick<CatalogTable, 'readLimits'> {
  if (readLimits === undefined) return {};
  const { unitsPerSecond = null, unitsPerQuery = null } = readLimits;
  return { readLimits: Object.freeze({ unitsPerSecond, unitsPerQuery }) };
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
    indexes: [...metadata.indexes, ...metadata.multiAttributeIndexes]
      .flatMap(secondaryIndex)
      .sort((a, b) => byUtf8(a.name, b.name)),
    itemCount: Number(metadata.itemCount),
    sizeBytes: Number(metadata.sizeBytes),
    attributes: inOrder(key, metadata.attributes.map(attribute)),
    sampledItems: metadata.sampledItems,
    ...capacity(metadata),
    ...limitsOf(message),
    foundEmpty: metadata.sampledAt !== '' && metadata.sampledItems === 0 && metadata.itemCount === 0n,
    ...(metadata.learned === undefined ? {} : { learned: learned(metadata.learned) }),
    ...(metadata.itemsPerKey === undefined ? {} : { itemsPerKey: range(metadata.itemsPerKey) }),
  });
}
