/** A statement's way from text to plan: read, bind, optimize, plan; each answer kept for the next asker. */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { ATTRIBUTES, SPANS } from '@penstock/common/telemetry/names.ts';
import { inSpan, type WorkSpan } from '@penstock/common/telemetry/spans.ts';
import { bind } from './binder/bind.ts';
import { parameterKeys, parseParameters, type Parameters } from './binder/parameters.ts';
import type { TableName } from './binder/table-names.ts';
import { withMet, type MetAttributes } from './catalog/met-attributes.ts';
import type { CatalogTable } from './catalog/table.ts';
import type { Catalog, Resolved } from './clients/catalog.ts';
import type { CatalogCall } from './clients/catalog-client.ts';
import { chooseOrderedRead, chooseRead } from './dynamodb/choose-read.ts';
import { oneStep } from './scheduling/sliced-work.ts';
import type { PlanningTurns } from './scheduling/planning-turns.ts';
import { NOT_RECORDED, recordedRuns, type RecordWork } from './scheduling/work-record.ts';
import type { BoundStatement } from './logical/plan.ts';
import type { ConfirmOffer, Offers } from './offers.ts';
import { chooseInlining } from './planning/choose-inlining.ts';
import type { PhysicalPlan } from './planning/physical-plan.ts';
import { parametersAsKeys, type KeyParameter } from './planning/generic/parameters-as-keys.ts';
import { planQuery, type PlanOptions } from './planning/plan-query.ts';
import { readingToTheEnd } from './planning/read-to-the-end.ts';
import type { ChooseRead } from './planning/share-reads.ts';
import { createStatementCaches, type Parsed } from './statement-caches.ts';
import {
  createStatementReader,
  type InTurn,
  type PrepareCall,
  type StatementReaderOptions,
} from './statement-reader.ts';
import type { AstQuery } from './parser/ast.ts';
import { bySearchPath } from './search-path.ts';
import { tableFinder, withIndexHints } from './table-finder.ts';

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
}

export type Prepare = (
  request: StatementRequest,
  call: CatalogCall,
  how?: PrepareHow,
) => Promise<PreparedStatement>;

/** A statement as generic plans know it: what plans have places for is apart. */
interface GenericStatement {
  readonly text: string;
  readonly keys: () => readonly KeyParameter[] | null;
  /** Those of its parameters; or those in its text, where it has none. */
  readonly values: Parameters;
}

function genericStatement(sql: string, statement: Parsed, parameters: Parameters): GenericStatement {
  const { keyValues } = statement;
  if (keyValues !== null && parameterKeys(parameters).length === 0)
    return { text: `values ${keyValues.key}`, keys: () => keyValues.keys, values: keyValues.parameters };
  return { text: `text ${sql}`, keys: () => parametersAsKeys(statement.query), values: parameters };
}

export function createPrepare(options: PrepareOptions): Prepare {
  const { catalog, turns, pushdown } = options;
  const looked = <T>(cache: KeptFor, found: T | undefined): T | undefined => {
    options.onCacheLookup?.(cache, found !== undefined);
    return found;
  };
  const caches = createStatementCaches();
  const { optimized, plans, generics } = caches;
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

  /** Every page of a statement has the same; each has reads of its own. */
  const optimizeStatement = function* (
    request: StatementRequest,
    { query }: Parsed,
    parameters: Parameters,
    find: (name: TableName) => CatalogTable,
  ): Generator<void, BoundStatement> {
    const { sql, withOthers = false } = request;
    const bound = bind(query, { sql, tables: find, parameters, withOthers });
    yield;
    return yield* chooseInlining(
      bound,
      { rowsWanted: request.maxRows, pushdown },
      planOptions({ ...request, firstRowIdx: 0 }),
    );
  };

  const planStatement = async (
    request: StatementRequest,
    statement: Parsed,
    parameters: Parameters,
    resolved: readonly Resolved[],
    call: PrepareCall,
    span: WorkSpan,
  ): Promise<PhysicalPlan> => {
    const { find, versions } = tableFinder(request, statement.tables, resolved);
    const { mayRead, firstRowIdx, parametersJson, ...asks } = request;
    const statementKey = JSON.stringify([call.tenantId, asks, versions]);
    const key = `${statementKey} ${parametersJson}`;
    const pageKey = `${firstRowIdx} ${key}`;
    looked('optimized', optimized.get(key));
    const { text, keys, values } = genericStatement(request.sql, statement, parameters);
    const genericKey = JSON.stringify([firstRowIdx, call.tenantId, { ...asks, sql: text }, versions]);
    const knownPlan = looked(
      'plan',
      // What EXPLAIN shows of a plan is not in a generic one.
      plans.get(pageKey) ?? (mayRead ? generics.planFor(genericKey, values) : undefined),
    );
    span.add({ [ATTRIBUTES.planCached]: knownPlan !== undefined });
    if (knownPlan !== undefined) return knownPlan;
    return inTurn(call, async (inSlices) => {
      // Another call may have been there first.
      const planned = plans.get(pageKey);
      if (planned !== undefined) return planned;
      const known = optimized.get(key);
      const bound = known ?? (await inSlices(optimizeStatement(request, statement, parameters, find)));
      optimized.set(key, bound);
      const made = await inSlices(planQuery(bound, planOptions(request)));
      plans.set(pageKey, made);
      generics.learn(genericKey, keys, values, made);
      return made;
    });
  };

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

  return async (request, caller, { outdated = null, work = NOT_RECORDED } = {}) => {
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
    const references = statement.tables.map(({ schema, table }) => ({
      schema: schema?.name ?? null,
      table: table.name,
    }));
    const resolve = async (): Promise<readonly Resolved[]> =>
      withIndexHints(
        statement.tables,
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
        inSpan(SPANS.plan, {}, (span) => planStatement(request, statement, parameters, resolved, call, span)),
      request.sql,
      call,
      // What was wrong is right then: its tables are those that were found.
      async (sql) => {
        const offer = await statements.readOffer(sql, call);
        if (offer === null) return false;
        const tables = tableFinder({ ...request, sql }, statement.tables, resolved).find;
        const bound = oneStep(() => bind(offer.query, { sql, tables, parameters }));
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
      });
    const { normalizedSql } = statement;
    return { plan, chooseRead, normalizedSql, planTimeMs, query: () => statement.query, bindAnew };
  };
}
