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
  readonly usage: Pick<QueryUsage, 'takeBackRows'>;
  readonly tenantId: string;
  readonly fatalStatements: FatalStatements;
  /** Resolves once the request is counted: no rows are handed out before. Rejects where it cannot be. */
  readonly counted: Promise<void>;
};

type Engine = Pick<Client<typeof QueryService>, 'execute'>;
type Planner = Pick<Client<typeof QueryService>, 'plan'>;

/** What the engine does with a statement, as far as it said, and since when (milliseconds of the process's clock). */
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
  // The trailer is the last word; the call's status, which comes by itself and ends the call, is not waited for.
  messages.next().catch(() => undefined);
  if (header === null) throw broken('has no header');
  return { header, batches, trailer };
}

/** As `runOnce`; rows that may have been counted for an answer that did not come, or may not go out, are taken back. */
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
 * What to throw where a statement was lost with its engine: what was thrown, or, where the statement may be why, an error
 * that says so; then it is also remembered.
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
 * Runs a statement and collects its page; nothing may be sent before the trailer is there, since a query can still fail
 * after its first rows. So an engine that dies on the way costs the client nothing: the statement runs again, once, on
 * another one, unless the dead one was planning it or computing, which may be why it died. What the dead one read is
 * metered under the first usage ID, if it came to that, what the other reads under a new one; rows count once, since they
 * are returned once.
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
 * Plans a statement; again, once, where no engine got it or the one that did was closing. Planning is all that an engine
 * does with it, so that one which ends on the way may have been ended by it.
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
