/** The QueryService: checks the caller, runs or plans, meters what was read however it ends. */
import type { MessageInitShape } from '@bufbuild/protobuf';
import { type HandlerContext, type ServiceImpl } from '@connectrpc/connect';
import {
  RowFormat,
  type ExecuteRequest,
  type ExecuteResponseSchema,
  type QueryService,
} from '@penstock/common/gen/penstock/query/v1/query_pb.js';
import { principalOf, requestIdOf, tokenOf } from '@penstock/common/rpc/call-context.ts';
import { requireScope } from '@penstock/common/token/require-scope.ts';
import type { CatalogCall } from '../clients/catalog-client.ts';
import type { HostedPart } from '../host/queries/hosted-run.ts';
import type { QueryRunner } from '../host/queries/query-runner.ts';
import type { UnitCount } from '../host/queries/unit-count.ts';
import type { EndMessage, StatementMessage } from '../pipe/messages.ts';
import { querySignal, whyEnded } from './query-signal.ts';
import { clientOf, createQueryUsages, type QueryUsage, type QueryUsageParts } from './query-usage.ts';

export interface QueryServiceParts extends QueryUsageParts {
  readonly runner: QueryRunner;
}

type Messages = ServiceImpl<typeof QueryService>;

function callOf(context: HandlerContext, signal: AbortSignal): CatalogCall {
  const { tenantId } = principalOf(context);
  return { tenantId, token: tokenOf(context), requestId: requestIdOf(context), signal };
}

function requestOf(
  message: Pick<ExecuteRequest, 'sql' | 'parametersJson' | 'resumeIdx' | 'maxRows' | 'consistentRead'>,
): StatementMessage {
  return {
    sql: message.sql,
    parametersJson: message.parametersJson,
    // Bounded to safe integers by the message's own rule.
    firstRowIdx: Number(message.resumeIdx),
    maxRows: message.maxRows,
    consistentRead: message.consistentRead,
  };
}

type Response = MessageInitShape<typeof ExecuteResponseSchema>;

/** `joins`: the caller takes a short result in one message. */
async function* messagesOf(
  parts: AsyncIterable<HostedPart>,
  joins: boolean,
  { units, countsRequest, record }: QueryUsage,
): AsyncGenerator<Response> {
  for await (const part of parts) {
    switch (part.kind) {
      case 'header':
        yield { header: headerOf(part) };
        break;
      case 'rows':
        yield { rows: { json: part.rows, rowCount: part.rowCount } };
        break;
      case 'end':
        await record(part.end.rowCount);
        yield { trailer: trailerOf(part.end, units, countsRequest) };
        break;
      case 'whole': {
        const { rowCount } = part.end;
        await record(rowCount);
        const header = headerOf(part);
        const rows = { json: part.rows, rowCount };
        const trailer = trailerOf(part.end, units, countsRequest);
        if (joins) {
          yield { header, rows, trailer };
          break;
        }
        yield { header };
        if (rowCount > 0) yield { rows };
        yield { trailer };
      }
    }
  }
}

function headerOf({
  header,
}: Extract<HostedPart, { kind: 'header' | 'whole' }>): NonNullable<Response['header']> {
  return { columns: [...header.columns], columnTypes: [...header.columnTypes] };
}

function trailerOf(
  end: EndMessage,
  units: UnitCount,
  requestCounted: boolean,
): NonNullable<Response['trailer']> {
  return {
    rowCount: end.rowCount,
    ...(end.resumeIdx === null ? {} : { resumeIdx: BigInt(end.resumeIdx) }),
    readUnits: units.halfUnits / 2,
    planTimeMs: end.planTimeMs,
    warnings: [...end.warnings],
    requestCounted,
  };
}

export function queryService(parts: QueryServiceParts): Messages {
  const { runner } = parts;
  const usages = createQueryUsages(parts);
  return {
    async *execute(message, context) {
      requireScope(principalOf(context), 'query');
      const usage = usages.begin(context, message.countsRequest);
      const { signal, done } = querySignal(context.signal, message.timeoutMs);
      try {
        const rowFormat = message.rowFormat === RowFormat.OBJECT ? 'object' : 'array';
        const results = runner.execute(requestOf(message), callOf(context, signal), {
          rowFormat,
          responseBytesMax: message.maxBytes,
          maxReadUnits: message.maxReadUnits ?? null,
          units: usage.units,
          clientId: clientOf(context),
        });
        yield* messagesOf(results, message.joinsParts, usage);
      } catch (error) {
        throw whyEnded(signal, error);
      } finally {
        done();
        // Failed or given up: no rows were returned, what was read counts.
        await usage.recordFailed();
      }
    },

    async plan(message, context) {
      requireScope(principalOf(context), 'query');
      const { signal, done } = querySignal(context.signal, message.timeoutMs);
      try {
        const plan = await runner.plan(requestOf(message), callOf(context, signal));
        return {
          plan: plan.text,
          weight: plan.weight,
          estimatedReadUnits: plan.estimatedReadUnits,
          normalizedSql: plan.normalizedSql,
          planTimeMs: plan.planTimeMs,
          warnings: [...plan.warnings],
        };
      } catch (error) {
        throw whyEnded(signal, error);
      } finally {
        done();
      }
    },
  };
}
