/** The QueryService: checks the caller, runs or plans, meters what was read however it ends. */
import type { MessageInitShape } from '@bufbuild/protobuf';
import { type HandlerContext, type ServiceImpl } from '@connectrpc/connect';
import {
  RowFormat,
  type ExecuteRequest,
  type ExecuteResponseSchema,
  type QueryService,
} from '@penstock/common/gen/penstock/query/v1/query_pb.js';
import { loggerOf, principalOf, requestIdOf, tokenOf, usageIdOf } from '@penstock/common/rpc/call-context.ts';
import { ATTRIBUTES } from '@penstock/common/telemetry/names.ts';
import { annotate } from '@penstock/common/telemetry/spans.ts';
import { requireScope } from '@penstock/common/token/require-scope.ts';
import { systemClock, type Clock } from '@penstock/common/time/clock.ts';
import { uuidV7 } from '@penstock/common/ids/uuid.ts';
import { usageEventIds } from '@penstock/common/usage/event.ts';
import type { UsageRecorder } from '@penstock/common/usage/recorder.ts';
import type { CatalogCall } from '../clients/catalog-client.ts';
import type { HostedPart } from '../host/queries/hosted-run.ts';
import type { QueryRunner } from '../host/queries/query-runner.ts';
import { createUnitCount, type UnitCount } from '../host/queries/unit-count.ts';
import type { EndMessage, StatementMessage } from '../pipe/messages.ts';
import { querySignal, whyEnded } from './query-signal.ts';

export interface QueryServiceParts {
  readonly runner: QueryRunner;
  readonly recorder: Pick<UsageRecorder, 'record' | 'ensureAble'>;
  readonly clock?: Clock;
  /** Told what each query came to, however it ended. */
  readonly onUsage?: (rowsReturned: number, readHalfUnits: number) => void;
}

type Messages = ServiceImpl<typeof QueryService>;

function callOf(context: HandlerContext, signal: AbortSignal): CatalogCall {
  const { tenantId } = principalOf(context);
  return { tenantId, token: tokenOf(context), requestId: requestIdOf(context), signal };
}

/** The API client that calls; null: a user. */
function clientOf(context: HandlerContext): string | null {
  const { principalId, principalType } = principalOf(context);
  return principalType === 'client' ? principalId : null;
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

/** What is metered of one query. */
interface QueryUsage {
  readonly units: UnitCount;
  /**
   * Records what was read and returned, once. Rejects with UNAVAILABLE where nobody takes it: the rows must then not be
   * returned, and are taken back.
   */
  readonly record: (rowsReturned: number) => Promise<void>;
  /** Records what was read without a row being returned, unless it is recorded. Never rejects. */
  readonly recordFailed: () => Promise<void>;
}

function usageOf(
  { recorder, clock = systemClock, onUsage }: QueryServiceParts,
  context: HandlerContext,
): QueryUsage {
  const ids = usageEventIds(usageIdOf(context) ?? uuidV7());
  const { tenantId } = principalOf(context);
  const clientId = clientOf(context);
  const whose = { tenantId, ...(clientId === null ? {} : { clientId }) };
  const nothing = { ...whose, requests: 0, rowsReturned: 0, readHalfUnits: 0 };
  let recorded = false;
  // What a worker says after its query was answered elsewhere.
  const units = createUnitCount((readHalfUnits) => {
    onUsage?.(0, readHalfUnits);
    const event = { ...nothing, at: clock.now(), id: usageEventIds(uuidV7()).reads, readHalfUnits };
    recorder.record(event).catch((error: unknown) => {
      loggerOf(context).error({ err: error }, 'usage could not be recorded');
    });
  });

  async function record(rowsReturned: number): Promise<void> {
    if (recorded) return;
    recorded = true;
    const readHalfUnits = units.close();
    onUsage?.(rowsReturned, readHalfUnits);
    annotate({ [ATTRIBUTES.rows]: rowsReturned, [ATTRIBUTES.readUnits]: readHalfUnits / 2 });
    const event = { ...nothing, at: clock.now() };
    try {
      await recorder.record({ ...event, id: ids.reads, rowsReturned, readHalfUnits });
    } catch (error) {
      loggerOf(context).error({ err: error }, 'usage could not be recorded');
      // The recorder keeps both; there is no need to wait for an answer that is known.
      if (rowsReturned > 0)
        recorder.record({ ...event, id: ids.lost, voids: ids.reads }).catch(() => undefined);
      throw error;
    }
  }

  return { units, record, recordFailed: () => record(0).catch(() => undefined) };
}

type Response = MessageInitShape<typeof ExecuteResponseSchema>;

/** `joins`: the caller takes a short result in one message. */
async function* messagesOf(
  parts: AsyncIterable<HostedPart>,
  joins: boolean,
  { units, record }: QueryUsage,
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
        yield { trailer: trailerOf(part.end, units) };
        break;
      case 'whole': {
        const { rowCount } = part.end;
        await record(rowCount);
        const header = headerOf(part);
        const rows = { json: part.rows, rowCount };
        const trailer = trailerOf(part.end, units);
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

function trailerOf(end: EndMessage, units: UnitCount): NonNullable<Response['trailer']> {
  return {
    rowCount: end.rowCount,
    ...(end.resumeIdx === null ? {} : { resumeIdx: BigInt(end.resumeIdx) }),
    readUnits: units.halfUnits / 2,
    planTimeMs: end.planTimeMs,
    warnings: [...end.warnings],
  };
}

export function queryService(parts: QueryServiceParts): Messages {
  const { runner } = parts;
  return {
    async *execute(message, context) {
      requireScope(principalOf(context), 'query');
      // Before anything is read: what nobody can record must not be consumed.
      parts.recorder.ensureAble();
      const usage = usageOf(parts, context);
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
