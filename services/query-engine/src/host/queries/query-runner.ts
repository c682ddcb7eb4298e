/** Runs queries in workers: admits them, finds a worker for each, and another one where that is lost. */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { SPANS } from '@penstock/common/telemetry/names.ts';
import { injectText } from '@penstock/common/telemetry/propagation.ts';
import { inSpan, inThisTrace } from '@penstock/common/telemetry/spans.ts';
import type { DescribeRequest, StatementDescription } from '../../catalog/description.ts';
import type { CatalogCall, TableFindings } from '../../clients/catalog-client.ts';
import { lengthOf } from '../../pipe/channel.ts';
import type { AskedMessage, PlanMessage, Question, StatementMessage } from '../../pipe/messages.ts';
import type { Admission, Place } from '../../scheduling/admission.ts';
import type { PausedResults } from '../../scheduling/paused-results.ts';
import { MOVES_MAX } from '../limits.ts';
import type { BudgetCall, Budgets } from '../budgets/budgets.ts';
import type { PagePositions } from '../page-positions/page-positions.ts';
import type { RateLimits } from '../read-limits/rate-limits.ts';
import type { Offenders } from '../offenders/offenders.ts';
import type { RefusedStatements } from '../offenders/refused-statements.ts';
import { WorkerLostError } from '../processes/loss.ts';
import type { Answer } from '../processes/run.ts';
import type { WorkerPool } from '../processes/worker-pool.ts';
import type { QueryMessage, WorkerProcess } from '../processes/worker-types.ts';
import {
  createHostedRun,
  CrowdedOutError,
  type HostedAnswer,
  type HostedPart,
  type HostedRun,
} from './hosted-run.ts';
import { crowdedOutError, lostQueryError } from './lost-query.ts';
import type { Questions } from './questions.ts';
import { createRunPages, type RunPages } from './run-pages.ts';
import { NOTHING_JOURNALED } from '../read-journal/read-journal.ts';
import { createUnitCount, type UnitCount } from './unit-count.ts';

export interface ExecuteOptions {
  readonly rowFormat: 'array' | 'object';
  /** A page as JSON where absent. */
  readonly format?: 'json' | 'ndjson' | 'csv' | 'parquet';
  /** `columns` where absent. */
  readonly lateAttributes?: 'columns' | 'others' | 'drop' | 'warn' | 'refuse';
  /** Bytes of rows after which the page ends; the engine's own bound where absent. */
  readonly responseBytesMax?: number | undefined;
  /** The query is stopped once it has consumed more; null: no limit. */
  readonly maxReadUnits: number | null;
  /** Counts the units read; also of a query that fails. */
  readonly units: UnitCount;
  /** The API client that asks, for its budget; another caller where absent. */
  readonly clientId?: string | null;
  /** Its reader says how many rows it wants: nothing is read ahead of what it takes. */
  readonly isPaced?: boolean;
}

/** All throw PenstockError. `call.signal` ends the work; its reason should be the error to answer with. */
export interface QueryRunner {
  execute(request: StatementMessage, call: CatalogCall, options: ExecuteOptions): AsyncGenerator<HostedPart>;
  plan(request: StatementMessage, call: CatalogCall): Promise<PlanMessage>;
  describe(request: DescribeRequest, call: CatalogCall): Promise<StatementDescription>;
}

export interface QueryRunnerParts {
  readonly admission: Admission;
  readonly paused: PausedResults;
  readonly pool: WorkerPool;
  readonly questions: Questions;
  readonly offenders: Pick<Offenders, 'isApart'>;
  readonly refused: Pick<RefusedStatements, 'of'>;
  readonly rateLimits: RateLimits;
  readonly budgets: Budgets;
  readonly positions: PagePositions;
  /** Tells the registry of attributes that a query met; nobody waits. */
  readonly report: (call: CatalogCall, found: TableFindings) => void;
  /** Told of each query that is run again. */
  readonly onRetry: () => void;
  /** How long queries waited for a worker, milliseconds. */
  readonly onPlaced: (waitedMs: number) => void;
  readonly workerMemoryMb: number;
}

/** Made of what all attempts have in common. */
type MessageOf = (asked: AskedMessage, hasBudget: boolean) => QueryMessage;

/** A query's attempts. */
interface Attempts {
  readonly call: CatalogCall;
  readonly place: Place;
  readonly units: UnitCount;
  readonly messageOf: MessageOf;
  readonly request: StatementMessage;
  /** Whose budgets its reads count on; null: it reads nothing. */
  readonly reader: Pick<BudgetCall, 'clientId'> | null;
}

const stopped = (): PenstockError => new PenstockError('CANCELLED', 'The query was cancelled');

export function createQueryRunner(parts: QueryRunnerParts): QueryRunner {
  const { admission, pool, questions, offenders, refused } = parts;
  let lastQuery = 0;

  /** True where the query may go on in the worker that asks. */
  const promote = async (
    { call, place }: Attempts,
    worker: WorkerProcess,
    mayMove: boolean,
    isApart: boolean,
  ): Promise<boolean> => {
    await place.promote();
    if (!mayMove || isApart) return true;
    const best = pool.placeNow({ tenantId: call.tenantId, isLong: true, isApart, besides: null });
    // Its own load does not count: it is there as a short one.
    return best === null || best === worker || worker.load.long <= best.load.long;
  };

  const answer = async (
    attempts: Attempts,
    worker: WorkerProcess,
    isApart: boolean,
    pages: RunPages,
    question: Question,
  ): Promise<Answer> => {
    const { call } = attempts;
    switch (question.what) {
      case 'tables':
        return questions.tables(call, question);
      case 'credentials':
        return questions.credentials(call, question.access);
      case 'renewal':
        return questions.renewal(call, question);
      case 'promotion':
        return { answer: await promote(attempts, worker, question.mayMove, isApart) };
      case 'page':
        await pages.enter(question);
        return { answer: true };
      case 'position':
        return { answer: await parts.positions.find(call.tenantId, question.scope, attempts.request) };
      case 'besides':
        return { answer: await parts.positions.findBesides(call.tenantId, question.scope, attempts.request) };
    }
  };

  /** Begins an attempt in the best worker. */
  const begin = async (
    attempts: Attempts,
    besides: WorkerProcess | null,
    mayMove: boolean,
    wasCrowdedOut: boolean,
  ): Promise<{ readonly worker: WorkerProcess; readonly query: number; readonly run: HostedRun }> => {
    const { call, place, request } = attempts;
    const { tenantId, requestId } = call;
    const found = refused.of(tenantId);
    const known = found instanceof Promise ? await found : found;
    // Where those are apart that end workers, hardly anybody else has any memory.
    const isApart = wasCrowdedOut || offenders.isApart(tenantId);
    const isLong = place.workloadClass === 'long';
    const placing = { tenantId, isLong, isApart, besides };
    let worker = pool.placeNow(placing);
    if (worker === null) {
      const started = performance.now();
      worker = await pool.place(placing, call.signal);
      parts.onPlaced(performance.now() - started);
    }
    const chosen = worker;
    const { reader } = attempts;
    const budgeted =
      reader === null ? null : parts.budgets.forRun({ tenantId, ...reader, token: call.token, requestId });
    const budget = budgeted instanceof Promise ? await budgeted : budgeted;
    const query = (lastQuery = (lastQuery % 0x7fff_ffff) + 1);
    const pages = createRunPages(tenantId, parts.rateLimits, budget);
    const run = createHostedRun({
      tenantId,
      sql: request.sql,
      isLong: () => place.workloadClass === 'long',
      mayMove,
      onRead: attempts.units.begin(chosen.id, query, () => chosen.halfUnitsOf(query)),
      pages,
      // In the trace of the call: a worker's question comes by itself.
      answer: inThisTrace((question: Question) => answer(attempts, chosen, isApart, pages, question)),
      onFound: (attributes) => parts.report(call, attributes),
    });
    const asked = { query, tenantId, requestId, request, isLong, refused: known, trace: injectText() };
    worker.run(attempts.messageOf(asked, budget !== null), run);
    return { worker, query, run };
  };

  /** All parts, from the first worker that is not lost. */
  async function* attempt(attempts: Attempts): AsyncGenerator<HostedAnswer> {
    const { call } = attempts;
    let besides: WorkerProcess | null = null;
    const lost = { moved: 0, ended: 0 };
    let wasCrowdedOut = false;
    for (;;) {
      const { worker, query, run } = await begin(attempts, besides, lost.moved < MOVES_MAX, wasCrowdedOut);
      const stop = (): void => worker.stop(query, call.signal.reason);
      call.signal.addEventListener('abort', stop, { once: true });
      if (call.signal.aborted) stop();
      const reader = parts.paused.watch(call.tenantId, attempts.place, (error) => worker.stop(query, error));
      let isAnswered = false;
      let isMoved = false;
      try {
        for (let part = await run.next(); part !== null; part = await run.next()) {
          isMoved = part.kind === 'moved';
          if (isMoved) break;
          isAnswered = true;
          if (part.kind !== 'rows') {
            yield part;
            continue;
          }
          reader.offer();
          yield part;
          await reader.taken();
          worker.taken(query, lengthOf(part.rows));
        }
        if (!isMoved) return;
      } catch (error) {
        if (error instanceof CrowdedOutError && !call.signal.aborted) {
          // For whom the worker has worked the most has the memory, too.
          const { tenantId } = call;
          if (isAnswered || worker.workFor(tenantId) > worker.workForOthers(tenantId)) throw error.failure;
          if (wasCrowdedOut) throw crowdedOutError(error);
          wasCrowdedOut = true;
          besides = worker;
          parts.onRetry();
          continue;
        }
        if (!(error instanceof WorkerLostError)) throw error;
        const { loss } = error;
        const mayRetry = loss.cause === 'moved' || lost.ended === 0;
        if (loss.isSuspect || isAnswered || !mayRetry || call.signal.aborted) {
          throw call.signal.aborted && !loss.isSuspect
            ? call.signal.reason
            : lostQueryError(loss, parts.workerMemoryMb);
        }
        lost[loss.cause === 'moved' ? 'moved' : 'ended']++;
        besides = worker;
        parts.onRetry();
      } finally {
        reader.close();
        call.signal.removeEventListener('abort', stop);
        if (!run.isSettled) {
          // Whoever asked went away in the middle. What is read until it has stopped counts.
          worker.stop(query, stopped());
          await run.settled;
        }
      }
    }
  }

  const admit = (call: CatalogCall): Promise<Place> =>
    inSpan(SPANS.admit, {}, () => admission.enter(call.tenantId, call.signal));

  /** The one answer to what reads nothing. */
  const unread = async <K extends 'planned' | 'described'>(
    request: StatementMessage,
    call: CatalogCall,
    messageOf: MessageOf,
    kind: K,
  ): Promise<Extract<HostedAnswer, { kind: K }>> => {
    const place = await admit(call);
    try {
      const units = createUnitCount(NOTHING_JOURNALED, () => undefined);
      for await (const part of attempt({ call, place, units, messageOf, request, reader: null }))
        if (part.kind === kind) return part as Extract<HostedAnswer, { kind: K }>;
      throw new PenstockError('INTERNAL', 'Internal error', { cause: new Error(`no part was ${kind}`) });
    } finally {
      place.leave();
    }
  };

  return Object.freeze({
    async *execute(request, call, { units, clientId = null, ...options }) {
      const { rowFormat, format = 'json', lateAttributes = 'columns' } = options;
      const { responseBytesMax = null, maxReadUnits, isPaced = false } = options;
      const place = await admit(call);
      try {
        const messageOf: MessageOf = (asked, hasBudget) => ({
          kind: 'execute',
          hasBudget,
          rowFormat,
          format,
          lateAttributes,
          responseBytesMax,
          maxReadUnits,
          isPaced,
          // By attempts before this one.
          readHalfUnits: units.halfUnits,
          ...asked,
        });
        for await (const part of attempt({ call, place, units, messageOf, request, reader: { clientId } })) {
          if (part.kind === 'planned' || part.kind === 'described' || part.kind === 'moved') continue;
          // Before whoever asks can ask for the next page.
          if (part.kind === 'end' || part.kind === 'whole')
            await parts.positions.keep(call.tenantId, request, part.end);
          yield part;
        }
      } finally {
        place.leave();
      }
    },
    async plan(request, call) {
      const messageOf: MessageOf = (asked) => ({ kind: 'plan', ...asked });
      const part = await unread(request, call, messageOf, 'planned');
      return part.plan;
    },
    async describe({ sql, parameters, searchPath = [], rules }, call) {
      const whole = { parametersJson: '', firstRowIdx: 0, maxRows: null, consistentRead: false };
      const request = { sql, ...whole, searchPath, rules };
      const messageOf: MessageOf = (asked) => ({ kind: 'describe', parameters, ...asked });
      const part = await unread(request, call, messageOf, 'described');
      return part.description;
    },
  } satisfies QueryRunner);
}
