/** A statement's way from text to plan: read, bind, optimize, plan; each answer kept for the next asker. */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { SPANS } from '@penstock/common/telemetry/names.ts';
import { inSpan } from '@penstock/common/telemetry/spans.ts';
import { systemClock } from '@penstock/common/time/clock.ts';
import { bind } from './binder/bind.ts';
import { parseParameters } from './binder/parameters.ts';
import type { SqlRules } from './catalog/description.ts';
import { withMet, type MetAttributes } from './catalog/met-attributes.ts';
import type { Catalog, Resolved } from './clients/catalog.ts';
import type { CatalogCall } from './clients/catalog-client.ts';
import { chooseOrderedRead, chooseRead } from './dynamodb/choose-read.ts';
import { oneStep } from './scheduling/sliced-work.ts';
import type { PlanningTurns } from './scheduling/planning-turns.ts';
import { NOT_RECORDED, recordedRuns, type RecordWork } from './scheduling/work-record.ts';
import type { Evaluate } from './fold-statement.ts';
import type { BoundStatement } from './logical/plan.ts';
import { statementTime, type StatementTime } from './logical/statement-time.ts';
import type { ConfirmOffer, Offers } from './offers.ts';
import type { PhysicalPlan } from './planning/physical-plan.ts';
import type { PlanOptions } from './planning/plan-query.ts';
import { readingToTheEnd } from './planning/read-to-the-end.ts';
import type { ChooseRead } from './planning/share-reads.ts';
import { createStatementCaches } from './statement-caches.ts';
import { createStatementPlanner } from './statement-planner.ts';
import { createStatementReader, type InTurn, type StatementReaderOptions } from './statement-reader.ts';
import type { AstQuery } from './parser/ast.ts';
import { bySearchPath } from './search-path.ts';
import { meantIn, tableFinder, withIndexHints } from './table-finder.ts';

export interface StatementRequest {
  readonly sql: string;
  /** JSON text: an array for `?`, an object for `:name`, or empty. */
  readonly parametersJson: string;
  readonly firstRowIdx: number;
  /** Null: the whole result. */
  readonly maxRows: number | null;
  readonly consistentRead: boolean;
  /** Schemas by which tables without one are found, the first that has such a table; absent: the tenant's only schema. */
  readonly searchPath?: readonly string[];
  /** The engine whose rules the statement is read by; absent: ours. */
  readonly rules?: SqlRules | undefined;
  /** False in plan mode: no item is read, not even for a sample. */
  readonly mayRead: boolean;
  /** What its reads met and the catalog has not; nothing where absent. */
  readonly met?: readonly MetAttributes[];
  /** See `BindContext`. */
  readonly withOthers?: boolean;
}

export interface PreparedStatement {
  readonly plan: PhysicalPlan;
  /** How the plan's reads were chosen: for those that are chosen again once their keys are known. */
  readonly chooseRead: ChooseRead;
  readonly normalizedSql: string;
  /** Parsing to planning, its turns included, without waiting for the catalog. Milliseconds. */
  readonly planTimeMs: number;
  /** Its syntax tree. */
  readonly query: () => AstQuery;
  /** As it is bound before it is optimized. */
  readonly bindAnew: () => BoundStatement;
}

/** Told of each lookup of what is kept; `cache` is one of few names. */
export type CacheLookup = (cache: KeptFor, hit: boolean) => void;
export type KeptFor = 'statement' | 'optimized' | 'plan';

export interface PrepareOptions extends Pick<StatementReaderOptions, 'serialize' | 'onDisagreement'> {
  readonly catalog: Catalog;
  readonly turns: PlanningTurns;
  /** False in differential tests: tables are scanned whole. */
  readonly pushdown: boolean;
  readonly onCacheLookup?: CacheLookup | undefined;
  /** Offers statements of other dialects in ours; none are offered where absent. */
  readonly offers?: Offers | undefined;
}

export interface PrepareHow {
  /** A version of a table by which a read was planned that DynamoDB refused; the table is asked for anew. */
  readonly outdated?: string | null;
  /** Records what is done for the statement; nothing where absent. */
  readonly work?: RecordWork | undefined;
  /** Evaluates what depends on no row, so that reads are planned by it; it is not evaluated where absent. */
  readonly evaluate?: Evaluate | undefined;
  /** The time of the statement, the same each time; the present one where absent. */
  readonly time?: (() => Promise<StatementTime>) | undefined;
}

const theTime = async (): Promise<StatementTime> => statementTime(systemClock.now());

export type Prepare = (
  request: StatementRequest,
  call: CatalogCall,
  how?: PrepareHow,
) => Promise<PreparedStatement>;

export function createPrepare(options: PrepareOptions): Prepare {
  const { catalog, turns, pushdown } = options;
  const caches = createStatementCaches();
  const inTurn: InTurn = (call, work) =>
    turns.run(call, (inSlices) => work(recordedRuns(inSlices, call.work)));
  const statements = createStatementReader({
    kept: caches,
    inTurn,
    serialize: options.serialize,
    onDisagreement: options.onDisagreement,
    onLookup: (hit) => options.onCacheLookup?.('statement', hit),
  });

  const planOptions = ({ firstRowIdx, maxRows, consistentRead }: StatementRequest): PlanOptions => ({
    firstRowIdx,
    maxRows: maxRows ?? Infinity,
    chooseRead: (scan, pageRows) =>
      chooseRead(scan, {
        consistent: consistentRead,
        pushdown,
        ...(pageRows === undefined ? {} : { pageRows }),
      }),
    chooseOrdered: (scan) => chooseOrderedRead(scan, { consistent: consistentRead, pushdown }),
  });

  const planStatement = createStatementPlanner({
    kept: caches,
    inTurn,
    pushdown,
    planOptions,
    onLookup: (cache, hit) => options.onCacheLookup?.(cache, hit),
  });

  /** What `work` gives. Its error comes with an offer where one is confirmed. */
  const orOffer = async <T>(
    work: () => Promise<T>,
    sql: string,
    call: CatalogCall,
    confirm: ConfirmOffer,
  ): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (options.offers === undefined) throw error;
      throw await options.offers.offered(error, sql, call, confirm);
    }
  };

  return async (request, caller, { outdated = null, work = NOT_RECORDED, evaluate, time = theTime } = {}) => {
    const call = { ...caller, work };
    const started = performance.now();
    work.hold();
    turns.arrived(call.tenantId);
    const parameters = parseParameters(request.parametersJson);
    const statement = await orOffer(
      () => inSpan(SPANS.parse, {}, () => statements.read(request.sql, call)),
      request.sql,
      call,
      async (sql) => (await statements.readOffer(sql, call)) !== null,
    );
    const asked = performance.now();
    const names = meantIn(request.rules?.database, statement.tables);
    const references = names.map(({ schema, table }) => ({
      schema: schema?.name ?? null,
      table: table.name,
    }));
    const resolve = async (): Promise<readonly Resolved[]> =>
      withIndexHints(
        names,
        await bySearchPath(request.searchPath ?? [], references, (wanted) =>
          catalog.resolve(call, wanted, request.mayRead, outdated),
        ),
        (others) => catalog.resolve(call, others, false),
      );
    const found = references.length === 0 ? [] : await inSpan(SPANS.resolve, {}, resolve);
    const { met = [] } = request;
    const resolved = found.map((one) => (one instanceof PenstockError ? one : withMet(one, met)));
    const answered = performance.now();
    const plan = await orOffer(
      () =>
        inSpan(SPANS.plan, {}, (span) =>
          planStatement({ request, statement, parameters, resolved, call, span, evaluate, time }),
        ),
      request.sql,
      call,
      // What was wrong is right then: its tables are those that were found.
      async (sql) => {
        const offer = await statements.readOffer(sql, call);
        if (offer === null) return false;
        const tables = tableFinder({ ...request, sql }, statement.tables, resolved).find;
        const bound = oneStep(() => bind(offer.query, { sql, tables, parameters, rules: request.rules }));
        await inTurn(call, (inSlices) => inSlices(bound));
        return true;
      },
    );
    const planTimeMs = asked - started + (performance.now() - answered);
    const chooseRead = readingToTheEnd(planOptions(request).chooseRead);
    const bindAnew = (): BoundStatement =>
      bind(statement.query, {
        sql: request.sql,
        tables: tableFinder(request, statement.tables, resolved).find,
        parameters,
        withOthers: request.withOthers ?? false,
        rules: request.rules,
      });
    const { normalizedSql } = statement;
    return { plan, chooseRead, normalizedSql, planTimeMs, query: () => statement.query, bindAnew };
  };
}
