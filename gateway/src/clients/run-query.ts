import type { MessageInitShape } from '@bufbuild/protobuf';
import { Code, ConnectError, type Client } from '@connectrpc/connect';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { ErrorDetailSchema } from '@penstock/common/gen/penstock/common/v1/error_pb.js';
import {
  RowFormat,
  type ExecuteRequestSchema,
  type QueryService,
  type ResultHeader,
  type ResultTrailer,
} from '@penstock/common/gen/penstock/query/v1/query_pb.js';
import { uuidV7 } from '@penstock/common/ids/uuid.ts';
import { callOptions, type OutgoingCall } from '@penstock/common/rpc/client.ts';
import { fromConnectError } from '@penstock/common/rpc/error-mapping.ts';
import type { TakeBackRows } from './lost-rows.ts';

/** How rows are written, by the name that callers give it. */
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
  readonly takeBackRows: TakeBackRows;
  /** Resolves once the request is counted: no rows are handed out before. Rejects where it cannot be. */
  readonly counted: Promise<void>;
};

type Engine = Pick<Client<typeof QueryService>, 'execute'>;
type Request = MessageInitShape<typeof ExecuteRequestSchema>;

const broken = (what: string): PenstockError =>
  new PenstockError('INTERNAL', 'Internal error', { cause: new Error(`the engine's answer ${what}`) });

async function runOnce(engine: Engine, request: Request, call: QueryCall): Promise<QueryResult> {
  let header: ResultHeader | null = null;
  let trailer: ResultTrailer | null = null;
  const batches: Uint8Array[] = [];
  const messages = engine.execute(request, callOptions(call))[Symbol.asyncIterator]();
  while (trailer === null) {
    const step = await messages.next();
    if (step.done === true) throw broken('has no trailer');
    const { part } = step.value;
    if (part.case === 'header') header = part.value;
    else if (part.case === 'trailer') trailer = part.value;
    else if (part.case === 'rows' && part.value.rowCount > 0) batches.push(part.value.json);
  }
  // The trailer is the last word; the call's status, which comes by itself and ends the call, is not waited for.
  messages.next().catch(() => undefined);
  if (header === null) throw broken('has no header');
  return { header, batches, trailer };
}

/** The engine itself said what is wrong. Where it did not, it may have counted rows that never came. */
function isTold(error: unknown): boolean {
  return error instanceof ConnectError && error.findDetails(ErrorDetailSchema).length > 0;
}

/** The connection broke, as opposed to the engine saying that something it needs is away. */
function engineIsGone(error: unknown): boolean {
  return error instanceof ConnectError && error.code === Code.Unavailable && !isTold(error);
}

/** As `runOnce`; rows that may have been counted for an answer that did not come, or may not go out, are taken back. */
async function runMetered(engine: Engine, request: Request, call: QueryCall): Promise<QueryResult> {
  try {
    const result = await runOnce(engine, request, call);
    await call.counted;
    return result;
  } catch (error) {
    if (!isTold(error) && !call.signal.aborted) await call.takeBackRows(call.usageId);
    throw error;
  }
}

/**
 * Runs a statement and collects its page; nothing may be sent before the trailer is there, since a query can still fail
 * after its first rows. So an engine that dies on the way costs the client nothing: the statement runs again, once, on
 * another one. What the dead one read is metered under the first usage ID, if it came to that, what the other reads under
 * a new one; rows count once, since they are returned once.
 *
 * @throws PenstockError
 */
export async function runQuery(engine: Engine, request: Request, call: QueryCall): Promise<QueryResult> {
  try {
    return await runMetered(engine, request, call).catch((error: unknown) => {
      if (!engineIsGone(error) || call.signal.aborted) throw error;
      return runMetered(engine, request, { ...call, usageId: uuidV7() });
    });
  } catch (error) {
    throw fromConnectError(error);
  }
}
