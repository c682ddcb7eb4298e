/** The QueryService: checks the caller, runs or plans, meters what was read however it ends. */
import { type HandlerContext, type ServiceImpl } from '@connectrpc/connect';
import {
  Phase as PhaseMessage,
  RowFormat,
  type ExecuteRequest,
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
import type { Engine, EngineResult, QueryRequest } from '../engine.ts';
import { createPhases, type Phase, type PhasePart } from '../scheduling/phase.ts';
import { createUnitMeter } from '../execution/unit-meter.ts';
import type { UnitMeter } from '../dynamodb/read-table.ts';
import { querySignal, whyEnded } from './query-signal.ts';

export interface QueryServiceParts {
  readonly engine: Engine;
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

function requestOf(
  message: Pick<ExecuteRequest, 'sql' | 'parametersJson' | 'resumeIdx' | 'maxRows' | 'consistentRead'>,
): QueryRequest {
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
  meter: UnitMeter,
): QueryUsage {
  const ids = usageEventIds(usageIdOf(context) ?? uuidV7());
  const { tenantId } = principalOf(context);
  let recorded = false;

  async function record(rowsReturned: number): Promise<void> {
    if (recorded) return;
    recorded = true;
    const readHalfUnits = meter.halfUnits;
    onUsage?.(rowsReturned, readHalfUnits);
    annotate({ [ATTRIBUTES.rows]: rowsReturned, [ATTRIBUTES.readUnits]: readHalfUnits / 2 });
    const event = { tenantId, at: clock.now(), requests: 0, rowsReturned: 0, readHalfUnits: 0 };
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

  return { record, recordFailed: () => record(0).catch(() => undefined) };
}

const PHASES: Readonly<Record<Phase, PhaseMessage>> = Object.freeze({
  waiting: PhaseMessage.WAITING,
  planning: PhaseMessage.PLANNING,
  computing: PhaseMessage.COMPUTING,
});

async function* messagesOf(
  results: AsyncIterable<EngineResult | PhasePart>,
  record: QueryUsage['record'],
): ReturnType<Extract<Messages['execute'], (...args: never[]) => AsyncIterable<unknown>>> {
  for await (const result of results) {
    switch (result.kind) {
      case 'header': {
        const { columns, columnTypes } = result;
        yield { part: { case: 'header', value: { columns: [...columns], columnTypes: [...columnTypes] } } };
        break;
      }
      case 'rows':
        yield { part: { case: 'rows', value: { json: result.json, rowCount: result.rowCount } } };
        break;
      case 'phase':
        yield { part: { case: 'phase', value: PHASES[result.phase] } };
        break;
      case 'end':
        await record(result.rowCount);
        yield { part: { case: 'trailer', value: trailerOf(result) } };
    }
  }
}

function trailerOf(end: Extract<EngineResult, { kind: 'end' }>): {
  rowCount: number;
  resumeIdx?: bigint;
  readUnits: number;
  planTimeMs: number;
  warnings: string[];
} {
  return {
    rowCount: end.rowCount,
    ...(end.resumeIdx === null ? {} : { resumeIdx: BigInt(end.resumeIdx) }),
    readUnits: end.readUnits,
    planTimeMs: end.planTimeMs,
    warnings: [...end.warnings],
  };
}

export function queryService(parts: QueryServiceParts): Messages {
  const { engine } = parts;
  return {
    async *execute(message, context) {
      requireScope(principalOf(context), 'query');
      // Before anything is read: what nobody can record must not be consumed.
      parts.recorder.ensureAble();
      const meter = createUnitMeter(message.maxReadUnits ?? null);
      const usage = usageOf(parts, context, meter);
      const { signal, done } = querySignal(context.signal, message.timeoutMs);
      try {
        const rowFormat = message.rowFormat === RowFormat.OBJECT ? 'object' : 'array';
        const phases = createPhases();
        const options = { rowFormat, meter, responseBytesMax: message.maxBytes, phases } as const;
        const results = engine.execute(requestOf(message), callOf(context, signal), options);
        yield* messagesOf(phases.among(results), usage.record);
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
        const plan = await engine.plan(requestOf(message), callOf(context, signal));
        return {
          plan: plan.text,
          weight: plan.weight,
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
