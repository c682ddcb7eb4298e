import type { ServiceImpl } from '@connectrpc/connect';
import type { CatalogService } from '@penstock/common/gen/penstock/schema/v1/catalog_pb.js';
import { requestIdOf } from '@penstock/common/rpc/call-context.ts';
import type { ListTables } from '../metadata/list-tables.ts';
import type { ReportReads } from '../metadata/learned/report-reads.ts';
import type { ReportAttributes } from '../metadata/report-attributes.ts';
import type { ResolveTables } from '../metadata/resolve-tables.ts';
import { fromAttributeMessage, toListedMessage, toResolvedMessage } from './catalog-messages.ts';
import { fromLearnedMessage } from './learned-messages.ts';
import { tenantOf } from './tenant.ts';

/**
 * The catalog RPCs. The query engine calls the first three with its caller's own token, so `query` is what they need; the
 * others show what may be queried, so they need `schemas:read`.
 */
export function catalogService(parts: {
  resolveTables: ResolveTables;
  reportAttributes: ReportAttributes;
  reportReads: ReportReads;
  listTables: ListTables;
}): ServiceImpl<typeof CatalogService> {
  return {
    async resolveTables({ tables, maySample }, context) {
      const call = { tenantId: tenantOf(context, 'query'), requestId: requestIdOf(context), maySample };
      const references = tables.map(({ schema, table, knownVersion, outdated }) => ({
        schema: schema ?? null,
        table,
        knownVersion,
        outdated,
      }));
      return { tables: (await parts.resolveTables(call, references)).map(toResolvedMessage) };
    },

    async reportAttributes({ schemaName, tableName, attributes }, context) {
      const tenantId = tenantOf(context, 'query');
      const met = attributes.map(fromAttributeMessage);
      await parts.reportAttributes(tenantId, { schemaName, tableName, attributes: met });
      return {};
    },

    async reportReads({ schemaName, tableName, seen }, context) {
      const tenantId = tenantOf(context, 'query');
      await parts.reportReads(tenantId, { schemaName, tableName, seen: fromLearnedMessage(seen) });
      return {};
    },

    async describeTable({ schemaName, tableName }, context) {
      const tenantId = tenantOf(context, 'schemas:read');
      const call = { tenantId, requestId: requestIdOf(context), maySample: true };
      const reference = { schema: schemaName, table: tableName, knownVersion: '', outdated: false };
      const [resolution] = await parts.resolveTables(call, [reference]);
      if (resolution?.kind === 'error') throw resolution.error;
      if (resolution?.kind !== 'found') throw new TypeError('a table that nobody knows yet has changed');
      const { record, metadata, learned } = resolution;
      return toListedMessage(
        { schemaName: record.schemaName, tableName: metadata.tableName, metadata },
        learned,
      );
    },

    async listTables({ schemaName, limit, nextToken }, context) {
      const page = await parts.listTables({
        tenantId: tenantOf(context, 'schemas:read'),
        requestId: requestIdOf(context),
        schemaName: schemaName ?? null,
        limit,
        nextToken: nextToken ?? null,
      });
      return {
        tables: page.tables.map((table) => toListedMessage(table)),
        ...(page.nextToken === null ? {} : { nextToken: page.nextToken }),
      };
    },
  };
}
