import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Client } from '@connectrpc/connect';
import {
  LateAttributes,
  RowFormat,
  type ExecuteRequestSchema,
  type ExecuteResponse,
  type PlanRequestSchema,
  type PlanResponse,
  type QueryService,
  type ResultHeader,
  type ResultTrailer,
} from '@penstock/common/gen/penstock/query/v1/query_pb.js';
import { SqlRules } from '@penstock/common/gen/penstock/query/v1/rules_pb.js';
import { uuidV7 } from '@penstock/common/ids/uuid.ts';
import { callOptions, type OutgoingCall } from '@penstock/common/rpc/client.ts';
import { fromConnectError } from '@penstock/common/rpc/error-mapping.ts';
import type { QueryUsage } from '../usage/query-usage.ts';
import { broken, hasErrorDetail, onceMore } from './lost-call.ts';

export type { ResultTrailer };

/** How rows are written, by the names that callers use. */
export const ROW_FORMATS = Object.freeze({ array: RowFormat.ARRAY, object: RowFormat.OBJECT });

/** A page of rows as the engine wrote it: JSON bytes that nobody here reads. */
export interface QueryResult {
  readonly header: ResultHeader;
  readonly batches: readonly Uint8Array[];
  readonly trailer: ResultTrailer;
}

export type QueryCall = OutgoingCall & {
  readonly signal: AbortSignal;
  readonly usageId: string;
  readonly usage: Pick<QueryUsage, 'takeBackRows'>;
  readonly tenantId: string;
  /**
   * Counts the request, where the engine did not: resolves once that is done, and rejects where it cannot be. No rows are
   * handed out before. Null: it is counted already.
   */
  readonly count: (() => Promise<void>) | null;
};

export type Engine = Pick<Client<typeof QueryService>, 'execute'>;
type Planner = Pick<Client<typeof QueryService>, 'plan'>;

/** What becomes of attributes that a star reads and no sample had, by the names that routes use. */
export const LATE_ATTRIBUTES = Object.freeze({
  others: LateAttributes.OTHERS,
  drop: LateAttributes.DROP,
  warn: LateAttributes.WARN,
  refuse: LateAttributes.REFUSE,
});

/** Engines whose rules a statement may be read by in place of ours, by the names that sessions use. */
export const SQL_RULES = Object.freeze({ postgresql: SqlRules.POSTGRESQL });

export type Request = MessageInitShape<typeof ExecuteRequestSchema>;

/** Begins a call: a short result comes in one message, and nothing of it may go out before the call has ended with OK. */
export const execute = (engine: Engine, request: Request, call: QueryCall): AsyncIterator<ExecuteResponse> =>
  engine
    .execute({ ...request, joinsParts: true, waitsForStatus: true }, callOptions(call))
    [Symbol.asyncIterator]();

/** The engine may still be recording what it has sent: the rows may go out once it has ended the call well. */
export async function endedWell(messages: AsyncIterator<ExecuteResponse>): Promise<void> {
  if ((await messages.next()).done !== true) throw broken('goes on behind its trailer');
}

/** Where the answer did not arrive, or may not go out, the rows that may have been counted for it are taken back. */
export async function takingBackRows<T>(call: QueryCall, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!hasErrorDetail(error) && !call.signal.aborted)
      await call.usage.takeBackRows(call.tenantId, call.usageId);
    throw error;
  }
}

async function runOnce(engine: Engine, request: Request, call: QueryCall): Promise<QueryResult> {
  let header: ResultHeader | null = null;
  let trailer: ResultTrailer | null = null;
  const batches: Uint8Array[] = [];
  const messages = execute(engine, request, call);
  while (trailer === null) {
    const step = await messages.next();
    if (step.done === true) throw broken('has no trailer');
    const message = step.value;
    header ??= message.header ?? null;
    if (message.rows !== undefined && message.rows.rowCount > 0) batches.push(message.rows.json);
    trailer = message.trailer ?? null;
  }
  await endedWell(messages);
  if (header === null) throw broken('has no header');
  return { header, batches, trailer };
}

const runMetered = (engine: Engine, request: Request, call: QueryCall): Promise<QueryResult> =>
  takingBackRows(call, async () => {
    const result = await runOnce(engine, request, call);
    if (!result.trailer.requestCounted) await call.count?.();
    return result;
  });

/**
 * Runs a statement and collects its page. Nothing is sent before the trailer is there, since a query can still fail
 * after its first rows. So when an engine dies on the way, the statement runs again, once, on another engine: no
 * statement ends an engine, since engines run them in workers. The first usage ID meters what the dead engine read, a new
 * one what the second engine reads. Rows count once, since they are returned once.
 *
 * @throws PenstockError
 */
export async function runQuery(engine: Engine, request: Request, call: QueryCall): Promise<QueryResult> {
  try {
    // In one record with what it reads: a round trip to Redis fewer.
    const counting = { ...request, countsRequest: call.count !== null };
    return await onceMore(
      call.signal,
      () => runMetered(engine, counting, call),
      // The request keeps its usage ID, which the second run does not have.
      () => runMetered(engine, request, { ...call, usageId: uuidV7() }),
    );
  } catch (error) {
    throw fromConnectError(error);
  }
}

/**
 * Plans a statement. It is sent again, once, where its engine is gone.
 *
 * @throws PenstockError
 */
export async function planQuery(
  engine: Planner,
  request: MessageInitShape<typeof PlanRequestSchema>,
  call: QueryCall,
): Promise<PlanResponse> {
  try {
    return await onceMore(call.signal, () => engine.plan(request, callOptions(call)));
  } catch (error) {
    throw fromConnectError(error);
  }
}
