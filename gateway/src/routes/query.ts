import { z } from 'zod';
import { ERROR_CODES } from '@penstock/common/errors/codes.ts';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { uuidV7 } from '@penstock/common/ids/uuid.ts';
import { fromConnectError } from '@penstock/common/rpc/error-mapping.ts';
import type { GatewayClients } from '../clients/gateway-clients.ts';
import { streamQuery, WHOLE_FORMATS } from '../clients/stream-query.ts';
import { acceptedFormat } from '../http/result-format.ts';
import { LATE_ATTRIBUTES, planQuery, ROW_FORMATS, runQuery, type QueryCall } from '../clients/run-query.ts';
import { sendData, sendJsonChunks } from '../http/answer.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { QUERY_PATH, sendError } from '../http/error-envelopes.ts';
import type { Exchange } from '../http/exchange.ts';
import { mapAndLog } from '../http/to-penstock-error.ts';
import { DEADLINE_GRACE_MS } from '../limits.ts';
import type { Admission, Caller } from '../middleware/admission.ts';
import type { QueryUsage } from '../usage/query-usage.ts';
import { validate } from '../validation/describe-issue.ts';
import { exactParameters } from '../validation/exact-parameters.ts';
import { readJsonBody, type JsonBody } from '../validation/json-body.ts';
import {
  columnsRequestSchema,
  ndjsonRequestSchema,
  queryRequestSchema,
} from '../validation/query-request.ts';
import type { BrokenResults } from './broken-results.ts';
import { executeEnvelope, planData } from './query-envelope.ts';
import { sendWhole, type WholeFormat } from './whole-result.ts';

interface QueryRouteOptions {
  readonly admission: Admission;
  readonly queries: GatewayClients['queries'];
  readonly usage: QueryUsage;
  readonly brokenResults: BrokenResults;
}

/** A body that was read, or why it could not be. */
type ReadBody = { readonly body: JsonBody } | { readonly problem: unknown };

/** @throws PenstockError TENANT_MISMATCH where the body names another tenant than the token */
function refuseOtherTenant(read: ReadBody, { principal }: Caller): void {
  if (!('body' in read)) return;
  const { value } = read.body;
  const named: unknown =
    typeof value === 'object' && value !== null && 'tenantId' in value ? value.tenantId : undefined;
  if (typeof named !== 'string' || named === principal.tenantId) return;
  throw new PenstockError('TENANT_MISMATCH', "tenantId is not the token's tenant");
}

/** What a body asks for, as it is read for a format. */
interface Asked<Request> {
  readonly request: Request;
  readonly parametersJson: string;
}

function requestOf<R extends { readonly options: { readonly parameters?: unknown } }>(
  read: ReadBody,
  schema: z.ZodType<R>,
): Asked<R> {
  if ('problem' in read) throw read.problem;
  const request = validate(schema, read.body.value);
  const parametersJson = request.options.parameters === undefined ? '' : exactParameters(read.body.text);
  return { request, parametersJson };
}

const isPlan = (read: ReadBody): boolean =>
  'body' in read &&
  typeof read.body.value === 'object' &&
  read.body.value !== null &&
  'mode' in read.body.value &&
  read.body.value.mode === 'plan';

/** Whoever asks wants to see by the status that a query failed. */
const failsWithStatus = (read: ReadBody): boolean => {
  if (!('body' in read)) return false;
  const { success, data } = statusOptions.safeParse(read.body.value);
  return success && data.options.failWithStatus;
};
const statusOptions = z.object({ options: z.object({ failWithStatus: z.boolean() }) });
/** RFC 9110, section 15.5.21: what was said is well-formed, and cannot be done. */
const FAILED_STATUS = 422;

/**
 * POST /v1/query. A request that is neither 401, 403 nor 429 counts, even when its body is malformed. It is counted
 * for certain before anything is answered. While requests cannot be counted they are refused with 503, before
 * anything is read.
 */
export function queryEndpoints(options: QueryRouteOptions): readonly Endpoint[] {
  const { admission, queries, usage, brokenResults } = options;

  /** Sends it as it comes; rejects with what fails before the first byte. */
  const runWhole = async (
    exchange: Exchange,
    read: ReadBody,
    call: QueryCall,
    format: WholeFormat,
  ): Promise<() => void> => {
    const schema = format === 'ndjson' ? ndjsonRequestSchema : columnsRequestSchema;
    const { request, parametersJson } = requestOf(read, schema);
    const {
      maxRows = 0,
      consistentRead,
      timeoutMs,
      responseType,
      maxReadUnits,
      lateAttributes,
    } = request.options;
    const rowsWanted = 'rowsWanted' in request.options ? request.options.rowsWanted : undefined;
    const asked = {
      ...{ sql: request.sql, maxRows, consistentRead, timeoutMs, parametersJson },
      ...(maxReadUnits === undefined ? {} : { maxReadUnits }),
      ...(lateAttributes === undefined ? {} : { lateAttributes: LATE_ATTRIBUTES[lateAttributes] }),
      ...(rowsWanted === undefined ? {} : { rowsWanted }),
      rowFormat: ROW_FORMATS[responseType],
      format: WHOLE_FORMATS[format],
    };
    const timed = { ...call, timeoutMs: timeoutMs + DEADLINE_GRACE_MS };
    const { tenantId, requestId } = call;
    await sendWhole(exchange, format, streamQuery(queries, asked, timed), {
      onBroken: (error) => brokenResults.keep(tenantId, requestId, error),
      // Whoever has something left out can ask what, also where it sees no trailers.
      onEnd: async (warnings) => {
        if (lateAttributes === 'drop') await brokenResults.keepWarnings(tenantId, requestId, warnings);
      },
    });
    return () => undefined;
  };

  const run = async (exchange: Exchange, read: ReadBody, call: QueryCall): Promise<() => void> => {
    const format = acceptedFormat(exchange);
    if (format !== 'json' && !isPlan(read)) return runWhole(exchange, read, call, format);
    const { request, parametersJson } = requestOf(read, queryRequestSchema);
    const { sql, mode, options: wanted } = request;
    const isWhole = format !== 'json';
    const { maxRows, resumeIdx, consistentRead, timeoutMs } = wanted;
    const asked = { sql, maxRows, resumeIdx: BigInt(resumeIdx), consistentRead, timeoutMs, parametersJson };
    const { response, startedAt } = exchange;
    const timed = { ...call, timeoutMs: timeoutMs + DEADLINE_GRACE_MS };
    if (mode === 'plan') {
      // Of what would be answered: all rows, where a whole result is accepted.
      const planned = isWhole ? { ...asked, maxRows: 0 } : asked;
      const [plan] = await Promise.all([planQuery(queries, planned, timed), call.count?.()]);
      return () => sendData(response, 200, planData(plan));
    }
    const limit = wanted.maxReadUnits === undefined ? {} : { maxReadUnits: wanted.maxReadUnits };
    const { lateAttributes } = wanted;
    const late = lateAttributes === undefined ? {} : { lateAttributes: LATE_ATTRIBUTES[lateAttributes] };
    const result = await runQuery(
      queries,
      { ...asked, ...limit, ...late, rowFormat: ROW_FORMATS[wanted.responseType] },
      timed,
    );
    return () =>
      sendJsonChunks(response, 200, executeEnvelope(result, resumeIdx, performance.now() - startedAt));
  };

  const handle = async (exchange: Exchange): Promise<void> => {
    // The body is read while the caller is checked. Only an admitted caller learns what is wrong with it.
    const reading: Promise<ReadBody> = readJsonBody(exchange).then(
      (body) => ({ body }),
      (problem: unknown) => ({ problem }),
    );
    const caller = await admission.admit(exchange, 'query');
    const read = await reading;
    refuseOtherTenant(read, caller);

    usage.ensureAble();

    const usageId = uuidV7();
    const { requestId, signal } = exchange;
    const { tenantId } = caller.principal;
    let counted: Promise<void> | null = null;
    const count = (): Promise<void> => (counted ??= usage.recordRequest(tenantId, usageId));
    const call: QueryCall = { token: caller.token, requestId, signal, usageId, count, tenantId, usage };
    const outcome = await run(exchange, read, call).then(
      (send) => ({ send }),
      (error: unknown) => ({ error }),
    );
    if ('send' in outcome) return outcome.send();
    await count();
    const error = outcome.error instanceof PenstockError ? outcome.error : unwrap(outcome.error);
    if (exchange.response.headersSent || !failsWithStatus(read)) throw error;
    const mapped = mapAndLog(exchange, error);
    const { queryHttp } = ERROR_CODES[mapped.code];
    sendError(exchange, mapped, queryHttp === 200 ? FAILED_STATUS : queryHttp);
  };
  return [{ method: 'post', path: QUERY_PATH, handle }];
}

/** Errors of reading the body stay as they are. All others came from a call. */
function unwrap(error: unknown): unknown {
  return error instanceof Error && 'status' in error ? error : fromConnectError(error);
}
