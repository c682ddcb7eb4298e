/** The query engine: text in, rows or a plan out. */
import type { TenantClients } from '@penstock/common/dynamodb/tenant-client.ts';
import { ATTRIBUTES, SPANS } from '@penstock/common/telemetry/names.ts';
import { annotate, inSpan } from '@penstock/common/telemetry/spans.ts';
import { systemClock, type Clock } from '@penstock/common/time/clock.ts';
import type { Catalog } from './clients/catalog.ts';
import type { CatalogCall } from './clients/catalog-client.ts';
import { withoutDeniedIndexes } from './clients/denied-indexes.ts';
import type { UnitBounds } from './dynamodb/access-path/unit-bounds.ts';
import { DeniedIndexError, OutdatedTableError } from './dynamodb/reader/read-errors.ts';
import { createPacers, type Pacers } from './dynamodb/reader/pacers.ts';
import type { UnitMeter } from './dynamodb/read-table.ts';
import type { RunningPlace } from './scheduling/admission.ts';
import { locateFailure } from './binder/locate-failure.ts';
import type { Evaluate } from './fold-statement.ts';
import { evaluateConstants } from './execution/folding/evaluate-constants.ts';
import { statementTime, type StatementTime } from './logical/statement-time.ts';
import { checkPlan } from './execution/check-plan.ts';
import type { Database } from './execution/session/database.ts';
import { watchAttributes } from './execution/loading/new-attributes.ts';
import { joinedMet, type MetAttributes } from './catalog/met-attributes.ts';
import { createAnswersRoom, keptAnswers, type KeptAnswers } from './dynamodb/reader/kept-answers.ts';
import { heldBack, HELD_BYTES } from './execution/held-back.ts';
import { lateWarnings, type LateAttributes } from './execution/late-attributes.ts';
import { lateChecks, MetError } from './execution/late-checks.ts';
import {
  ANSWERS_KEPT_BYTES_MAX,
  ANSWERS_KEPT_IN_ALL_BYTES_MAX,
  ANSWERS_KEPT_OF_TENANT_BYTES_MAX,
} from './execution/limits.ts';
import { tallyReads } from './execution/loading/read-tallies.ts';
import { watchReads } from './execution/loading/seen-reads.ts';
import { NOT_RECORDED, recordedRuns, type RecordWork } from './scheduling/work-record.ts';
import type { ResultPart } from './execution/results/result.ts';
import { workloadClassOf } from './execution/workload-class.ts';
import type { ResultFormat, RowFormat } from './execution/results/row-format.ts';
import { placedPage, type KeptPosition, type KnownPositions } from './placed-page.ts';
import type { RunContext } from './execution/run-context.ts';
import { runQuery } from './execution/run-query.ts';
import { checkLeast, unitLimitOf } from './execution/unit-limit.ts';
import { allCounted, limitedMeter } from './execution/unit-meter.ts';
import { createPlanningTurns } from './scheduling/planning-turns.ts';
import type { DescribeRequest, StatementDescription } from './catalog/description.ts';
import { describeStatement } from './describe-statement.ts';
import type { ThreadShare, ThreadShares } from './execution/thread-share.ts';
import { REPLANS_MAX, REPORTED_ATTRIBUTES_MAX, REPORTED_READS_MAX } from './limits.ts';
import type { CrossCheckOutcome } from './parser/cross-check.ts';
import { adviceForExecuted, adviceForPlan } from './planning/advice/advise.ts';
import type { PhysicalPlan } from './planning/physical-plan.ts';
import { explain, warningsOf } from './planning/explain/explain.ts';
import { likelyReadUnits } from './planning/likely-units.ts';
import { pacedPlan } from './planning/paced-plan.ts';
import type { TranslationWorker } from './parser/dialects/worker/translation-worker.ts';
import { createOffers } from './offers.ts';
import { readsSpent, type ReadSpent } from './reads-spent.ts';
import { readsOf, type PageLimitsOf } from './query-reads.ts';
import { columnsBefore, columnsToKeep } from './walked-columns.ts';
import { timeBefore, timeToKeep } from './walked-time.ts';
import { createPrepare, type CacheLookup, type PreparedStatement, type StatementRequest } from './prepare.ts';

export interface EngineParts {
  readonly database: Database;
  readonly catalog: Catalog;
  /** Clients that read as the tenant's role. */
  readonly clients: Pick<TenantClients, 'clientFor'>;
  readonly shares: ThreadShares;
  /** Its own where absent. */
  readonly pacers?: Pacers;
  readonly onDisagreement: (sql: string, outcome: CrossCheckOutcome) => void;
  readonly onCacheLookup?: CacheLookup;
  /** Translates statements of other dialects, which are offered then; none are where absent. */
  readonly translations?: Pick<TranslationWorker, 'translate'>;
  /** What statements take for the time at which they run; the system's where absent. */
  readonly clock?: Clock;
  /** False only in tests that compare. */
  readonly pushdown?: boolean;
  /** Only in tests: see RunContext. */
  readonly decideLookups?: RunContext['decideLookups'];
}

/** What one call asks for. */
export type QueryRequest = Omit<StatementRequest, 'mayRead' | 'met' | 'withOthers'>;

export interface RunOptions {
  readonly rowFormat: RowFormat;
  /** A page as JSON where absent. */
  readonly format?: ResultFormat;
  /** `columns` where absent. */
  readonly lateAttributes?: LateAttributes;
  /** Bytes of rows after which the page ends; RESPONSE_BYTES_MAX where absent. */
  readonly responseBytesMax?: number | undefined;
  /** Counts the units read; also of a query that fails. */
  readonly meter: UnitMeter;
  /** The query is stopped once it has consumed more read units; no limit of the caller's where absent. */
  readonly maxReadUnits?: number | null;
  /** Half units that count toward its limit already. */
  readonly readHalfUnits?: number;
  /** None where absent. */
  readonly pageLimits?: PageLimitsOf;
  /** Where pages begin, as pages before said it; each is found by reading what comes before it where absent. */
  readonly positions?: KnownPositions;
  /** What flows is read page by page, none before the rows of the one before are taken. */
  readonly isPaced?: boolean;
  readonly place: RunningPlace;
  /** Records what is done for the statement before it is done; nothing where absent. */
  readonly work?: RecordWork;
}

/** The parts of a result; the end says also what it took, and where the next page begins if that is worth keeping. */
export type EngineResult =
  | Exclude<ResultPart, { kind: 'end' }>
  | (Omit<Extract<ResultPart, { kind: 'end' }>, 'position'> & {
      readonly readUnits: number;
      readonly planTimeMs: number;
      readonly position: KeptPosition | null;
      /** What else the pages behind it are to have: columns that the catalog does not know, and the time. */
      readonly besides: readonly KeptPosition[];
      /** Of each read, in the plan's order; none where the format has no place for them. */
      readonly reads: readonly ReadSpent[];
    });

export interface QueryPlan {
  readonly text: string;
  readonly weight: number;
  readonly estimatedReadUnits: UnitBounds;
  readonly certainReadUnits: UnitBounds;
  readonly normalizedSql: string;
  readonly planTimeMs: number;
  readonly warnings: readonly string[];
}

type RunOutcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'outdated'; readonly error: OutdatedTableError }
  | { readonly kind: 'met'; readonly met: readonly MetAttributes[] }
  | { readonly kind: 'denied'; readonly error: DeniedIndexError };

/**
 * All throw PenstockError. `call.signal` ends the work; its reason should be the error to answer with. Who calls has
 * admitted the query, and leaves its place afterward.
 */
export interface Engine {
  execute(request: QueryRequest, call: CatalogCall, options: RunOptions): AsyncGenerator<EngineResult>;
  plan(
    request: QueryRequest,
    call: CatalogCall,
    options: Pick<RunOptions, 'place' | 'work'>,
  ): Promise<QueryPlan>;
  /** Reads nothing but the sample of a table that never had one. */
  describe(
    request: DescribeRequest,
    call: CatalogCall,
    options: Pick<RunOptions, 'work'>,
  ): Promise<StatementDescription>;
}

/** What an attempt knows of those before it. */
interface Attempt {
  /** Null: none are kept. */
  readonly answers: KeptAnswers | null;
  /** What it reads was read before, as far as answers were kept. */
  readonly isAgain: boolean;
  /** Others may follow. */
  readonly mayMeet: boolean;
  /** It has columns that the catalog did not know, by its own reads or those of pages before. */
  readonly hasMet: boolean;
}

/** Rows of NDJSON are longer than those before where they have attributes that came late. */
const hidesOthers = ({ format, lateAttributes: late = 'columns' }: RunOptions): boolean =>
  format === 'ndjson' && (late === 'columns' || late === 'drop');

/** What pages behind one with this plan are to have, too. */
function keptBesides(plan: PhysicalPlan, hasMet: boolean): readonly KeptPosition[] {
  return [
    ...(hasMet ? [columnsToKeep(plan)] : []),
    ...(plan.time === undefined ? [] : [timeToKeep(plan.time)]),
  ];
}

const NO_PAGE_LIMITS: PageLimitsOf = () => null;

/** The same share; what it lets the query do is recorded. */
function recorded(share: ThreadShare, work: RecordWork): ThreadShare {
  return {
    ...share,
    runSliced: recordedRuns(share.runSliced, work),
    enterStatement: async (signal) => {
      const leave = await share.enterStatement(signal);
      const computed = work.compute();
      return () => {
        computed();
        leave();
      };
    },
  };
}

export function createEngine(parts: EngineParts): Engine {
  const { database, clients, shares } = parts;
  const catalog = withoutDeniedIndexes(parts.catalog);
  const { pacers = createPacers(), clock = systemClock } = parts;
  const turns = createPlanningTurns();
  const room = createAnswersRoom(ANSWERS_KEPT_IN_ALL_BYTES_MAX, ANSWERS_KEPT_OF_TENANT_BYTES_MAX);
  const prepare = createPrepare({
    catalog,
    turns,
    serialize: (sql, asker) => database.serialize(sql, asker),
    onDisagreement: parts.onDisagreement,
    pushdown: parts.pushdown ?? true,
    onCacheLookup: parts.onCacheLookup,
    offers: parts.translations === undefined ? undefined : createOffers(parts.translations),
  });

  /** Evaluates constants as the statement itself is computed: in the tenant's turn, until the call ends. */
  const evaluating =
    (call: CatalogCall, place: RunningPlace, work: RecordWork): Evaluate =>
    (constants, time) =>
      evaluateConstants(constants, time, {
        database,
        signal: call.signal,
        runSpaced: recordedRuns((steps) => turns.runSpaced(call, steps), work),
        enterStatement: recorded(shares.of(call.tenantId, place), work).enterStatement,
      });
  /** The time of a statement that begins now; of pages behind the first, that of the walk. */
  const timeOf = ({ firstRowIdx }: QueryRequest, positions: KnownPositions | null) => {
    const now = statementTime(clock.now());
    const find = async (): Promise<StatementTime> =>
      (firstRowIdx === 0 || positions === null ? null : await timeBefore(positions)) ?? now;
    let found: Promise<StatementTime> | null = null;
    return (): Promise<StatementTime> => (found ??= find());
  };

  /**
   * Runs a plan. `outdated`: a table is not what the plan takes it for; `denied`: the role may not read an index; `met`: a
   * star lacks columns. Nothing was answered yet, then.
   */
  async function* run(
    sql: string,
    { plan: planned, chooseRead, planTimeMs }: PreparedStatement,
    call: CatalogCall,
    options: RunOptions,
    { answers, isAgain, mayMeet, hasMet }: Attempt,
  ): AsyncGenerator<EngineResult, RunOutcome> {
    const { rowFormat, format = 'json', responseBytesMax, place, work = NOT_RECORDED } = options;
    const { lateAttributes: late = 'columns' } = options;
    const placed = await placedPage(planned, options.positions ?? null);
    const { scope } = placed;
    const plan = options.isPaced === true ? pacedPlan(placed.plan) : placed.plan;
    const { maxReadUnits = null, readHalfUnits = 0, pageLimits = NO_PAGE_LIMITS } = options;
    const limit = unitLimitOf(maxReadUnits, plan);
    const meter = limitedMeter(options.meter, limit, readHalfUnits);
    // By attempts before this one, too.
    const consumed = (readHalfUnits + meter.halfUnits) / 2;
    if (limit !== null && !isAgain) checkLeast(limit, consumed + likelyReadUnits(plan).low);
    if (workloadClassOf(plan) === 'long') await inSpan(SPANS.admit, {}, () => place.promote());
    const share = recorded(shares.of(call.tenantId, place), work);
    annotate(() => ({ [ATTRIBUTES.execution]: plan.execution.kind }));
    const attributes = watchAttributes(REPORTED_ATTRIBUTES_MAX);
    const reads = watchReads(REPORTED_READS_MAX);
    const tallies = tallyReads(reads);
    const results = runQuery(plan, {
      database,
      chooseRead,
      decideLookups: parts.decideLookups,
      unitsLeft: () => (limit === null ? Infinity : limit.units - readHalfUnits / 2 - meter.halfUnits / 2),
      read: readsOf({
        clients,
        pacers,
        call,
        meter,
        share,
        pageLimits,
        attributes,
        tallies,
        answers,
      }),
      signal: call.signal,
      rowFormat,
      format,
      hidesOthers: hidesOthers(options),
      responseBytesMax,
      runSliced: share.runSliced,
      runSpaced: recordedRuns((steps) => turns.runSpaced(call, steps), work),
      enterStatement: share.enterStatement,
      onBatch: (wanted, batch) => attributes.see(wanted, batch),
    });
    const { star } = plan.statement;
    const checks =
      star === null ? null : lateChecks({ attributes, answers, mayMeet, late, format, sql, star });
    const shown = checks === null ? results : heldBack(results, HELD_BYTES[format], answers, checks);
    let isAnswered = false;
    let isDone = false;
    try {
      for await (const part of shown) {
        isAnswered = true;
        if (part.kind !== 'end') yield part;
        else {
          // Of rows that were enough, some may have been asked for besides.
          await allCounted(meter);
          const readUnits = meter.halfUnits / 2;
          const advice = adviceForExecuted(plan, chooseRead, readUnits, (read) => tallies.of(read));
          const missed = star === null ? [] : lateWarnings(attributes.lost());
          const warnings = [...warningsOf(plan, advice), ...missed, ...part.warnings];
          const spent = format === 'ndjson' ? readsSpent(plan, tallies) : [];
          const position = part.position ?? null;
          const kept = scope === null || position === null ? null : { scope, text: JSON.stringify(position) };
          const besides = part.resumeIdx === null ? [] : keptBesides(plan, hasMet);
          isDone = true;
          yield { ...part, warnings, readUnits, planTimeMs, reads: spent, position: kept, besides };
        }
      }
    } catch (error) {
      if (error instanceof MetError) return { kind: 'met', met: checks?.met() ?? [] };
      if (!isAnswered && error instanceof OutdatedTableError) return { kind: 'outdated', error };
      if (!isAnswered && error instanceof DeniedIndexError) return { kind: 'denied', error };
      throw locateFailure(error, plan.statement.plan, sql);
    } finally {
      // Of a statement that failed, or that nobody read to its end, what was met is worth knowing, too.
      catalog.report(call, attributes.found(), isDone ? reads.found() : []);
    }
    return { kind: 'done' };
  }

  return Object.freeze({
    async *execute(request, call, options) {
      const { work = NOT_RECORDED, place, positions = null } = options;
      const how = { work, evaluate: evaluating(call, place, work), time: timeOf(request, positions) };
      const withOthers = options.lateAttributes === 'others' || hidesOthers(options);
      let asked: StatementRequest = { ...request, mayRead: true, ...(withOthers && { withOthers }) };
      let prepared = await prepare(asked, call, how);
      const before = await columnsBefore(prepared.plan, positions);
      if (before.length > 0) {
        asked = { ...asked, met: before };
        prepared = await prepare(asked, call, how);
      }
      let wasOutdated = false;
      let isAgain = false;
      const { lateAttributes: late } = options;
      const keeps = prepared.plan.statement.star !== null && late !== 'warn' && late !== 'refuse';
      const answers = keeps ? keptAnswers(ANSWERS_KEPT_BYTES_MAX, room, call.tenantId) : null;
      try {
        for (let replans = 0; ; replans++) {
          const hasMet = (asked.met ?? []).length > 0;
          const attempt = { answers, isAgain, mayMeet: replans < REPLANS_MAX, hasMet };
          const outcome = yield* run(request.sql, prepared, call, options, attempt);
          if (outcome.kind === 'done') return;
          if (outcome.kind === 'met') {
            // What was asked for besides is paid, too.
            await allCounted(options.meter);
            answers?.rewind();
            isAgain = true;
            asked = { ...asked, met: joinedMet(asked.met ?? [], outcome.met) };
            prepared = await prepare(asked, call, how);
            continue;
          }
          const { error } = outcome;
          if (replans === REPLANS_MAX || (wasOutdated && outcome.kind === 'outdated')) throw error;
          if (error instanceof DeniedIndexError) catalog.deny(call.tenantId, error.table, error.index);
          else wasOutdated = true;
          const again = await prepare(asked, call, {
            ...how,
            outdated: error instanceof OutdatedTableError ? error.version : null,
          });
          // What is known of the tables was right, then.
          if (again.plan.reads === prepared.plan.reads) throw error;
          prepared = again;
        }
      } finally {
        // Also of a read that was left with answers under way.
        answers?.drop();
      }
    },

    async plan(request, call, { place, work = NOT_RECORDED }) {
      const asked = { ...request, mayRead: false };
      const how = { work, evaluate: evaluating(call, place, work), time: timeOf(request, null) };
      const { plan, chooseRead, normalizedSql, planTimeMs } = await prepare(asked, call, how);
      const { enterStatement } = recorded(shares.of(call.tenantId, place), work);
      const runSpaced = recordedRuns((steps) => turns.runSpaced(call, steps), work);
      const context = { database, signal: call.signal, runSpaced, enterStatement };
      const checked = await checkPlan(plan, context).catch((error: unknown) => {
        throw locateFailure(error, plan.statement.plan, request.sql);
      });
      const warnings = warningsOf(plan, adviceForPlan(plan, chooseRead));
      return { ...explain(plan), warnings, normalizedSql, planTimeMs: planTimeMs + checked.tookMs };
    },

    describe(request, call, { work = NOT_RECORDED }) {
      const runSpaced = recordedRuns((steps) => turns.runSpaced(call, steps), work);
      const now = statementTime(clock.now());
      return describeStatement(prepare, request, call, { work, runSpaced, time: async () => now });
    },
  } satisfies Engine);
}
