/** The QueryService: checks the caller, runs or plans, meters what was read however it ends. */
import type { MessageInitShape } from '@bufbuild/protobuf';
import { type HandlerContext, type ServiceImpl } from '@connectrpc/connect';
import {
  LateAttributes,
  QueryState,
  ResultFormat,
  RowFormat,
  type ExecuteRequest,
  type ExecuteResponseSchema,
  type GetQueryRequest,
  type QueryProgressSchema,
  type QueryService,
  type StopQueryRequest,
  type WantRowsRequest,
} from '@penstock/common/gen/penstock/query/v1/query_pb.js';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { principalOf, requestIdOf, tokenOf } from '@penstock/common/rpc/call-context.ts';
import { requireScope } from '@penstock/common/token/require-scope.ts';
import type { CatalogCall } from '../clients/catalog-client.ts';
import type { HostedPart } from '../host/queries/hosted-run.ts';
import type { QueryRunner } from '../host/queries/query-runner.ts';
import type { QueriesOnAllEngines } from '../host/running-queries/on-all-engines.ts';
import type { QueryProgress, RunningQueries, RunningQuery } from '../host/running-queries/running-queries.ts';
import type { UnitCount } from '../host/queries/unit-count.ts';
import type { EndMessage, StatementMessage } from '../pipe/messages.ts';
import { PAGE_ROWS_MAX, PAGE_TIMEOUT_MS_MAX } from '../limits.ts';
import { joined } from '../pipe/channel.ts';
import { querySignal, whyEnded } from './query-signal.ts';
import { rowsMessage } from './rows-message.ts';
import { rulesOf } from './rules.ts';
import { clientOf, createQueryUsages, type QueryUsage, type QueryUsageParts } from './query-usage.ts';

export interface QueryServiceParts extends QueryUsageParts {
  readonly runner: QueryRunner;
  /** This engine's. */
  readonly running: Pick<RunningQueries, 'begin'>;
  readonly onAllEngines: QueriesOnAllEngines;
}

type Messages = ServiceImpl<typeof QueryService>;

function callOf(context: HandlerContext, signal: AbortSignal): CatalogCall {
  const { tenantId } = principalOf(context);
  return { tenantId, token: tokenOf(context), requestId: requestIdOf(context), signal };
}

function requestOf(
  message: Pick<
    ExecuteRequest,
    | 'sql'
    | 'parametersJson'
    | 'resumeIdx'
    | 'maxRows'
    | 'consistentRead'
    | 'searchPath'
    | 'rules'
    | 'database'
    | 'timeZone'
  >,
): StatementMessage {
  return {
    sql: message.sql,
    parametersJson: message.parametersJson,
    // Bounded to safe integers by the message's own rule.
    firstRowIdx: Number(message.resumeIdx),
    maxRows: message.maxRows === 0 ? null : message.maxRows,
    consistentRead: message.consistentRead,
    ...(message.searchPath.length === 0 ? {} : { searchPath: message.searchPath }),
    rules: rulesOf(message),
  };
}

const FORMATS = Object.freeze({
  [ResultFormat.UNSPECIFIED]: 'json',
  [ResultFormat.NDJSON]: 'ndjson',
  [ResultFormat.CSV]: 'csv',
  [ResultFormat.PARQUET]: 'parquet',
} as const);

const LATE_ATTRIBUTES = Object.freeze({
  [LateAttributes.UNSPECIFIED]: 'columns',
  [LateAttributes.OTHERS]: 'others',
  [LateAttributes.DROP]: 'drop',
  [LateAttributes.WARN]: 'warn',
  [LateAttributes.REFUSE]: 'refuse',
} as const);

/** What the message's own rules cannot say without an expression, which would take as long as all else on a short call. */
function checkBounds({ format, maxRows, resumeIdx, timeoutMs, rowsWanted }: ExecuteRequest): void {
  const isPage = format === ResultFormat.UNSPECIFIED;
  const wrong = (field: string, why: string): PenstockError =>
    new PenstockError('VALIDATION_ERROR', `${field}: ${why}`);
  if (isPage && (maxRows < 1 || maxRows > PAGE_ROWS_MAX))
    throw wrong('max_rows', `a page has 1 to ${PAGE_ROWS_MAX} rows`);
  if (isPage && timeoutMs > PAGE_TIMEOUT_MS_MAX)
    throw wrong('timeout_ms', `a page takes at most ${PAGE_TIMEOUT_MS_MAX} ms`);
  if (isPage && rowsWanted !== undefined) throw wrong('rows_wanted', 'a page is wanted whole');
  if (!isPage && resumeIdx > 0n) throw wrong('resume_idx', 'a whole result begins with its first row');
}

type Response = MessageInitShape<typeof ExecuteResponseSchema>;
type Progress = MessageInitShape<typeof QueryProgressSchema>;

type Whole = Extract<HostedPart, { kind: 'whole' }>;

/** A whole result in one message. Its units are known once it is being recorded. */
const wholeMessage = (part: Whole, { units, countsRequest }: QueryUsage): Response => ({
  header: headerOf(part),
  rows: { json: joined(part.rows), rowCount: part.end.rowCount },
  trailer: trailerOf(part.end, units, countsRequest),
});

/**
 * The messages of a part. The end of a result is recorded before it is told. `joins`: the caller takes a short result in one
 * message.
 */
async function messagesOf(
  part: HostedPart,
  joins: boolean,
  usage: QueryUsage,
  running: RunningQuery,
): Promise<readonly Response[]> {
  const { units, countsRequest, record } = usage;
  switch (part.kind) {
    case 'header':
      return [{ header: headerOf(part) }];
    case 'rows':
      running.returned(part.rowCount);
      return [rowsMessage(part.rows, part.rowCount)];
    case 'end':
      await record(part.end.rowCount);
      return [{ trailer: trailerOf(part.end, units, countsRequest) }];
    case 'whole': {
      const { rowCount } = part.end;
      await record(rowCount);
      const whole = wholeMessage(part, usage);
      if (joins) return [whole];
      const { header, rows, trailer } = whole;
      return [{ header }, ...(rowCount > 0 ? [{ rows }] : []), { trailer }] as readonly Response[];
    }
  }
}

function headerOf({
  header,
}: Extract<HostedPart, { kind: 'header' }> | Whole): NonNullable<Response['header']> {
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
    reads: end.reads.map((read) => ({ ...read, items: BigInt(read.items) })),
  };
}

const messageOf = ({ isQueued, rows, halfUnits, elapsedMs }: QueryProgress): Progress => ({
  state: isQueued ? QueryState.QUEUED : QueryState.RUNNING,
  rows: BigInt(rows),
  readUnits: halfUnits / 2,
  elapsedMs: BigInt(elapsedMs),
});

export function queryService(parts: QueryServiceParts): Messages {
  const { runner, onAllEngines } = parts;
  const usages = createQueryUsages(parts);

  const ask = async (
    wants: 'look' | 'stop' | 'want',
    { requestId }: GetQueryRequest | StopQueryRequest | WantRowsRequest,
    context: HandlerContext,
    rows?: number,
  ): Promise<Progress> => {
    const principal = principalOf(context);
    requireScope(principal, 'query');
    const progress = await onAllEngines.ask(wants, { tenantId: principal.tenantId, requestId }, rows);
    if (progress !== null) return messageOf(progress);
    throw new PenstockError(
      'NOT_FOUND',
      `No query is running that was sent with the request ID ${requestId}`,
    );
  };

  return {
    async *execute(message, context) {
      requireScope(principalOf(context), 'query');
      checkBounds(message);
      const usage = usages.begin(context, message.countsRequest);
      const { signal, stop, done } = querySignal(context.signal, message.timeoutMs);
      const call = callOf(context, signal);
      const running = parts.running.begin(call, usage.units, stop, message.rowsWanted);
      try {
        const rowFormat = message.rowFormat === RowFormat.OBJECT ? 'object' : 'array';
        const results = runner.execute(requestOf(message), call, {
          rowFormat,
          format: FORMATS[message.format],
          lateAttributes: LATE_ATTRIBUTES[message.lateAttributes],
          responseBytesMax: message.maxBytes,
          maxReadUnits: message.maxReadUnits ?? null,
          units: usage.units,
          clientId: clientOf(context),
          isPaced: message.rowsWanted !== undefined,
        });
        for await (const part of results) {
          if (part.kind === 'whole' && message.joinsParts && message.waitsForStatus) {
            const recorded = usage.record(part.end.rowCount);
            // The caller may go away before it is waited for.
            recorded.catch(() => undefined);
            yield wholeMessage(part, usage);
            await recorded;
          } else for (const told of await messagesOf(part, message.joinsParts, usage, running)) yield told;
          if (part.kind === 'rows') await running.wanted(signal);
        }
      } catch (error) {
        throw whyEnded(signal, error);
      } finally {
        done();
        running.end();
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

    getQuery: async (message, context) => ({ progress: await ask('look', message, context) }),
    stopQuery: async (message, context) => ({ progress: await ask('stop', message, context) }),
    wantRows: async (message, context) => ({
      progress: await ask('want', message, context, message.rowsWanted),
    }),
  };
}
