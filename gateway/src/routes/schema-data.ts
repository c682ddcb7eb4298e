import type { RefreshMetadataResponse, Schema } from '../clients/gateway-clients.ts';

/** A schema record as it is read: in the contract's order, without `updatedAt`. */
export function record(schema: Schema): Record<string, unknown> {
  return {
    tenantId: schema.tenantId,
    schemaName: schema.schemaName,
    region: schema.region,
    accountId: schema.accountId,
    roleArn: schema.roleArn,
    externalId: schema.externalId,
    tableAllowlist: schema.tableAllowlist,
    ...limitsOf(schema),
    status: schema.status,
    createdAt: schema.createdAt,
  };
}

/** Absent where none is set. */
function limitsOf({ readLimits }: Schema): Record<string, unknown> {
  if (readLimits === undefined) return {};
  const { unitsPerSecond, unitsPerQuery, tableUnitsPerSecond } = readLimits;
  return {
    readLimits: {
      ...(unitsPerSecond === undefined ? {} : { unitsPerSecond }),
      ...(unitsPerQuery === undefined ? {} : { unitsPerQuery }),
      ...(Object.keys(tableUnitsPerSecond).length === 0 ? {} : { tableUnitsPerSecond }),
    },
  };
}

/** As it is answered by create and update. */
export function createdRecord(schema: Schema): Record<string, unknown> {
  return { ...record(schema), updatedAt: schema.updatedAt };
}

export function refreshData(result: RefreshMetadataResponse): Record<string, unknown> {
  return {
    ok: result.ok,
    message: result.message,
    refreshedAt: result.refreshedAt,
    tableCount: result.tableCount,
    failedTableCount: result.failedTableCount,
    deletedCount: result.deletedCount,
    skipped: result.skipped,
    readUnits: result.readUnits,
  };
}
