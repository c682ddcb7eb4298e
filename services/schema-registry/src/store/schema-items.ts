import {
  schemaKey,
  type ReadLimits,
  type SchemaRecord,
  type SchemaStatus,
} from '../schemas/schema-record.ts';
import type { StoredItem } from './stored-item.ts';

/** A record as an item of the control-plane table. */
export function toSchemaItem(record: SchemaRecord): StoredItem {
  return {
    ...schemaItemKey(record.tenantId, record.schemaName),
    schemaName: { S: record.schemaName },
    region: { S: record.region },
    accountId: { S: record.accountId },
    roleArn: { S: record.roleArn },
    externalId: { S: record.externalId },
    tableAllowlist: { L: record.tableAllowlist.map((name) => ({ S: name })) },
    ...(record.readLimits === null ? {} : { readLimits: { S: JSON.stringify(record.readLimits) } }),
    status: { S: record.status },
    createdAt: { S: record.createdAt },
    updatedAt: { S: record.updatedAt },
    incarnation: { S: record.incarnation },
    revision: { N: String(record.revision) },
  };
}

/** The record that an item holds. */
export function fromSchemaItem(tenantId: string, item: StoredItem): SchemaRecord {
  const text = (name: string): string => item[name]?.S ?? '';
  return Object.freeze({
    kind: 'schema',
    tenantId,
    schemaName: text('schemaName'),
    region: text('region'),
    accountId: text('accountId'),
    roleArn: text('roleArn'),
    externalId: text('externalId'),
    tableAllowlist: Object.freeze((item['tableAllowlist']?.L ?? []).map((name) => name.S ?? '')),
    readLimits:
      item['readLimits']?.S === undefined
        ? null
        : Object.freeze(JSON.parse(item['readLimits'].S) as ReadLimits),
    status: text('status') as SchemaStatus,
    createdAt: text('createdAt'),
    updatedAt: text('updatedAt'),
    incarnation: text('incarnation'),
    revision: Number(item['revision']?.N),
  });
}

/** The item's key: a tenant's schemas are one partition, sorted by lower-cased name. */
export function schemaItemKey(tenantId: string, schemaName: string): StoredItem {
  return { pk: { S: schemaPartition(tenantId) }, sk: { S: SCHEMA_PREFIX + schemaKey(schemaName) } };
}

/** Before a schema's key in the sort key. */
export const SCHEMA_PREFIX = 'schema#';

/** The partition that holds a tenant's schemas. */
export function schemaPartition(tenantId: string): string {
  return `tenant#${tenantId}`;
}
