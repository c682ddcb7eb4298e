import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  RefreshMetadataResponseSchema,
  SchemaSchema,
  UpdateSchemaRequest,
} from '@penstock/common/gen/penstock/schema/v1/schema_pb.js';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { RefreshResult } from '../metadata/refresh-state.ts';
import type { SchemaChanges } from '../schemas/schema-directory.ts';
import type { SchemaRecord, SchemaStatus } from '../schemas/schema-record.ts';

/** A record as a message; what is ours alone stays out. */
export function toSchemaMessage(record: SchemaRecord): MessageInitShape<typeof SchemaSchema> {
  const { kind: _kind, incarnation: _incarnation, revision: _revision, tableAllowlist, ...shown } = record;
  return { ...shown, tableAllowlist: [...tableAllowlist] };
}

/** The changes that a message asks for. */
export function toSchemaChanges(request: UpdateSchemaRequest): SchemaChanges {
  const { region, accountId, roleArn, externalId, tableAllowlist, status } = request;
  return {
    region,
    accountId,
    roleArn,
    externalId,
    tableAllowlist: tableAllowlist?.tables,
    status: status === undefined ? undefined : toStatus(status),
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
