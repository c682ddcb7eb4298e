import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import type { SchemaService } from '@penstock/common/gen/penstock/schema/v1/schema_pb.js';
import { requestIdOf } from '@penstock/common/rpc/call-context.ts';
import { REFRESH_ANSWER_MS, REFRESH_SYNC_MS_MAX } from '../limits.ts';
import type { BackgroundRefresh } from '../jobs/background-refresh.ts';
import type { RefreshSchema } from '../metadata/refresh-schema.ts';
import type { ValidateRole } from '../roles/validate-role.ts';
import type { SchemaDirectory } from '../schemas/schema-directory.ts';
import { checkSchemaName } from '../schemas/validate-fields.ts';
import { toReadLimits, toRefreshMessage, toSchemaChanges, toSchemaMessage } from './schema-messages.ts';
import { tenantOf } from './tenant.ts';

/** The schema RPCs; the tenant is the token's. */
export function schemaService(parts: {
  directory: SchemaDirectory;
  refreshSchema: RefreshSchema;
  background: BackgroundRefresh;
  validateRole: ValidateRole;
}): ServiceImpl<typeof SchemaService> {
  const { directory } = parts;

  return {
    async createSchema(request, context) {
      const tenantId = tenantOf(context, 'schemas:write');
      const { schemaName, region, accountId, roleArn, externalId } = request;
      const fields = {
        region,
        accountId,
        roleArn,
        externalId,
        tableAllowlist: request.tableAllowlist?.tables ?? [],
        readLimits: request.readLimits === undefined ? null : toReadLimits(request.readLimits),
      };
      return toSchemaMessage(await directory.create(tenantId, schemaName, fields, requestIdOf(context)));
    },

    async getSchema({ schemaName }, context) {
      return toSchemaMessage(await directory.get(tenantOf(context, 'schemas:read'), schemaName));
    },

    async listSchemas({ limit, nextToken }, context) {
      const tenantId = tenantOf(context, 'schemas:read');
      const page = await directory.list(tenantId, { limit, nextToken: nextToken ?? null });
      return {
        items: page.items.map(toSchemaMessage),
        ...(page.nextToken === null ? {} : { nextToken: page.nextToken }),
      };
    },

    async updateSchema(request, context) {
      const tenantId = tenantOf(context, 'schemas:write');
      const changes = toSchemaChanges(request);
      return toSchemaMessage(
        await directory.update(tenantId, request.schemaName, changes, requestIdOf(context)),
      );
    },

    async deleteSchema({ schemaName }, context) {
      const removed = await directory.remove(tenantOf(context, 'schemas:write'), schemaName);
      return { schemaName: removed.schemaName };
    },

    async refreshMetadata({ schemaName }, context) {
      const record = await directory.get(tenantOf(context, 'schemas:write'), schemaName);
      const requestId = requestIdOf(context);
      const run = await parts.refreshSchema(record, {
        requestId,
        timeoutMs: timeFor(context),
        signal: context.signal,
      });
      // What there was no time for goes on without the caller.
      if (!run.finished && run.failure === null) await parts.background.schema(record, requestId);
      return toRefreshMessage(run.result);
    },

    async validateRole({ schemaName }, context) {
      const tenantId = tenantOf(context, 'schemas:write');
      checkSchemaName(schemaName);
      const record = await directory.get(tenantId, schemaName);
      return parts.validateRole(record, { requestId: requestIdOf(context), signal: context.signal });
    },
  };
}

/** Time for a refresh: what the caller allows, less what the answer takes. */
function timeFor(context: HandlerContext): number {
  const allowed = context.timeoutMs() ?? REFRESH_SYNC_MS_MAX;
  return Math.max(1, Math.min(REFRESH_SYNC_MS_MAX, allowed - REFRESH_ANSWER_MS));
}
