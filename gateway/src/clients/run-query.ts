import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Client } from '@connectrpc/connect';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import {
  Phase,
  RowFormat,
  type ExecuteRequestSchema,
  type PlanRequestSchema,
  type PlanResponse,
  type QueryService,
  type ResultHeader,
  type ResultTrailer,
} from '@penstock/common/gen/penstock/query/v1/query_pb.js';
import { uuidV7 } from '@penstock/common/ids/uuid.ts';
import { callOptions, type OutgoingCall } from '@penstock/common/rpc/client.ts';
import { fromConnectError } from '@penstock/common/rpc/error-mapping.ts';
import type { FatalStatements } from '../limiting/fatal-statements.ts';
import type { QueryUsage } from '../usage/query-usage.ts';
import { FATAL_STATEMENT_WORK_MS } from '../limits.ts';
import { engineIsGone, engineIsSilent, hasErrorDetail, mayBeCause } from './lost-call.ts';

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
  readonly fatalStatements: FatalStatements;
  /** Resolves once the request is counted, and rejects where it cannot be. No rows are handed out before. */
  readonly counted: Promise<void>;
};

type Engine = Pick<Client<typeof QueryService>, 'execute'>;
type Planner = Pick<Client<typeof QueryService>, 'plan'>;

/** What the engine last said it was doing with a statement, and since when (performance.now()). */
interface Work {
  phase: Phase;
  since: number;
}
type Request = MessageInitShape<typeof ExecuteRequestSchema>;

const broken = (what: string): PenstockError =>
  new PenstockError('INTERNAL', 'Internal error', { cause: new Error(`the engine's answer ${what}`) });

async function runOnce(engine: Engine, request: Request, call: QueryCall, work: Work): Promise<QueryResult> {
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
    else if (part.case === 'phase') Object.assign(work, { phase: part.value, since: performance.now() });
    else if (part.case === 'rows' && part.value.rowCount > 0) batches.push(part.value.json);
  }
  // The trailer is the last message. The call's status, which follows by itself, is not waited for.
  messages.next().catch(() => undefined);
  if (header === null) throw broken('has no header');
  return { header, batches, trailer };
}

/**
 * As `runOnce`. Where the answer did not arrive, or may not go out, the rows that may have been counted for it are
 * taken back.
 */
async function runMetered(
  engine: Engine,
  request: Request,
  call: QueryCall,
  work: Work,
): Promise<QueryResult> {
  try {
    const result = await runOnce(engine, request, call, work);
    await call.counted;
    return result;
  } catch (error) {
    if (!hasErrorDetail(error) && !call.signal.aborted)
      await call.usage.takeBackRows(call.tenantId, call.usageId);
    throw error;
  }
}

/**
 * The error to throw where a statement was lost with its engine. Where the statement may be the cause, the error says
 * so, and the statement is remembered. Else it is the error as it came.
 */
async function lost(error: unknown, sql: string, call: QueryCall, work: Work): Promise<unknown> {
  if (call.signal.aborted || !(engineIsGone(error) || engineIsSilent(error))) return error;
  if (!mayBeCause(error, work.phase)) return error;
  const certain = engineIsSilent(error) || performance.now() - work.since >= FATAL_STATEMENT_WORK_MS;
  await call.fatalStatements.add(call.tenantId, sql, certain);
  if (engineIsSilent(error)) return error;
  const doing = work.phase === Phase.COMPUTING ? 'computed' : 'planned';
  return new PenstockError('UNAVAILABLE', `The query engine ended while it ${doing} this statement`, {
    detail:
      'It was not run again, since it may be the cause. Try again once; if it ends an engine again, write it in another way',
    retryAfterS: 1,
    cause: error,
  });
}

/**
 * Runs a statement and collects its page. Nothing is sent before the trailer is there, since a query can still fail
 * after its first rows. So when an engine dies on the way, the statement runs again, once, on another engine. It does
 * not where the dead engine was planning or computing it: that may be why it died. The first usage ID meters what the
 * dead engine read, a new one what the second engine reads. Rows count once, since they are returned once.
 *
 * @throws PenstockError
 */
export async function runQuery(engine: Engine, request: Request, call: QueryCall): Promise<QueryResult> {
  const sql = request.sql ?? '';
  const attempt = async (usageId: string): Promise<QueryResult> => {
    const work: Work = { phase: Phase.UNSPECIFIED, since: performance.now() };
    return runMetered(engine, request, { ...call, usageId }, work).catch(async (error: unknown) => {
      throw await lost(error, sql, call, work);
    });
  };
  try {
    await call.fatalStatements.check(call.tenantId, sql);
    return await attempt(call.usageId).catch((error: unknown) => {
      if (!engineIsGone(error) || call.signal.aborted) throw error;
      return attempt(uuidV7());
    });
  } catch (error) {
    throw fromConnectError(error);
  }
}

/**
 * Plans a statement. It is sent again, once, where no engine received it or the engine was closing. An engine that
 * ends on the way was planning it, so the statement may be the cause.
 *
 * @throws PenstockError
 */
export async function planQuery(
  engine: Planner,
  request: MessageInitShape<typeof PlanRequestSchema>,
  call: QueryCall,
): Promise<PlanResponse> {
  const sql = request.sql ?? '';
  const attempt = async (): Promise<PlanResponse> => {
    const work: Work = { phase: Phase.PLANNING, since: performance.now() };
    return engine.plan(request, callOptions(call)).catch(async (error: unknown) => {
      throw await lost(error, sql, call, work);
    });
  };
  try {
    await call.fatalStatements.check(call.tenantId, sql);
    return await attempt().catch((error: unknown) => {
      if (!engineIsGone(error) || call.signal.aborted) throw error;
      return attempt();
    });
  } catch (error) {
    throw fromConnectError(error);
  }
}
