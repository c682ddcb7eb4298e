import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ReadLimits as ReadLimitsMessage,
  RefreshMetadataResponseSchema,
  SchemaSchema,
  UpdateSchemaRequest,
} from '@penstock/common/gen/penstock/schema/v1/schema_pb.js';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { RefreshResult } from '../metadata/refresh-state.ts';
import type { SchemaChanges } from '../schemas/schema-directory.ts';
import type { ReadLimits, SchemaRecord, SchemaStatus } from '../schemas/schema-record.ts';

/** A record as a message; what is ours alone stays out. */
export function toSchemaMessage(record: SchemaRecord): MessageInitShape<typeof SchemaSchema> {
  const { kind: _kind, incarnation: _incarnation, revision: _revision, ...rest } = record;
  const { tableAllowlist, readLimits, ...shown } = rest;
  return {
    ...shown,
    tableAllowlist: [...tableAllowlist],
    ...(readLimits === null ? {} : { readLimits: { ...readLimits } }),
  };
}

/** The limits that a message sets; null where it has no member. */
export function toReadLimits({
  unitsPerSecond,
  unitsPerQuery,
  tableUnitsPerSecond,
}: ReadLimitsMessage): ReadLimits | null {
  const limits: ReadLimits = {
    ...(unitsPerSecond === undefined ? {} : { unitsPerSecond }),
    ...(unitsPerQuery === undefined ? {} : { unitsPerQuery }),
    ...(Object.keys(tableUnitsPerSecond).length === 0
      ? {}
      : { tableUnitsPerSecond: Object.freeze({ ...tableUnitsPerSecond }) }),
  };
  return Object.keys(limits).length === 0 ? null : Object.freeze(limits);
}

/** The changes that a message asks for. */
export function toSchemaChanges(request: UpdateSchemaRequest): SchemaChanges {
  const { region, accountId, roleArn, externalId, tableAllowlist, status, readLimits } = request;
  return {
    region,
    accountId,
    roleArn,
    externalId,
    tableAllowlist: tableAllowlist?.tables,
    status: status === undefined ? undefined : toStatus(status),
    readLimits: readLimits === undefined ? undefined : toReadLimits(readLimits),
  };
}

/** A refresh's result as a message. */
export function toRefreshMessage(
  result: RefreshResult,
): MessageInitShape<typeof RefreshMetadataResponseSchema> {
  return { ...result };
}

function toStatus(status: string): SchemaStatus {
  if (status === 'active' || status === 'disabled') return status;
  throw new PenstockError('VALIDATION_ERROR', 'status must be active or disabled');
}
