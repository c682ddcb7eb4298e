/** The query engine: text in, rows or a plan out. */
import type { TenantClients } from '@penstock/common/dynamodb/tenant-client.ts';
import { ATTRIBUTES, SPANS } from '@penstock/common/telemetry/names.ts';
import {
  annotate,
  inSpan,
  spanOver,
  type Attributes,
  type WorkSpan,
} from '@penstock/common/telemetry/spans.ts';
import type { Catalog } from './clients/catalog.ts';
import type { CatalogCall } from './clients/catalog-client.ts';
import { OutdatedTableError } from './dynamodb/reader/read-errors.ts';
import { readTable } from './dynamodb/read-table.ts';
import type { ReadBatch, UnitMeter } from './dynamodb/read-table.ts';
import type { TableRead } from './dynamodb/table-read.ts';
import type { Admission, Place } from './execution/admission.ts';
import { locateFailure } from './binder/locate-failure.ts';
import { checkPlan } from './execution/check-plan.ts';
import type { Database } from './execution/database.ts';
import { watchAttributes, type AttributeWatch } from './execution/new-attributes.ts';
import type { ResultPart } from './execution/result.ts';
import { laneOf } from './execution/lane.ts';
import type { RowFormat } from './execution/row-format.ts';
import { runQuery } from './execution/run-query.ts';
import type { ThreadShare, ThreadShares } from './execution/thread-share.ts';
import { REPORTED_ATTRIBUTES_MAX } from './limits.ts';
import type { Verdict } from './parser/judge.ts';
import { explain, warningsOf } from './physical/explain.ts';
import { createPrepare, type CacheLookup, type PreparedStatement, type StatementRequest } from './prepare.ts';

export interface EngineParts {
  readonly database: Database;
  readonly catalog: Catalog;
  /** Clients that read as the tenant's role. */
  readonly clients: Pick<TenantClients, 'clientFor'>;
  readonly admission: Admission;
  readonly shares: ThreadShares;
  readonly onDisagreement: (sql: string, verdict: Verdict) => void;
  readonly onCacheLookup?: CacheLookup;
  /** False only in tests that compare. */
  readonly pushdown?: boolean;
}

/** What one call asks for. */
export type QueryRequest = Omit<StatementRequest, 'mayRead'>;

export interface RunOptions {
  readonly rowFormat: RowFormat;
  /** Counts the units read; also of a query that fails. */
  readonly meter: UnitMeter;
}

/** The parts of a result; the end says also what it took. */
export type EngineResult =
  | Exclude<ResultPart, { kind: 'end' }>
  | (Extract<ResultPart, { kind: 'end' }> & { readonly readUnits: number; readonly planTimeMs: number });

export interface QueryPlan {
  readonly text: string;
  readonly weight: number;
  readonly normalizedSql: string;
  readonly planTimeMs: number;
  readonly warnings: readonly string[];
}

type RunOutcome =
  { readonly kind: 'done' } | { readonly kind: 'outdated'; readonly error: OutdatedTableError };

/** Both throw PenstockError. `call.signal` ends the work; its reason should be the error to answer with. */
export interface Engine {
  execute(request: QueryRequest, call: CatalogCall, options: RunOptions): AsyncGenerator<EngineResult>;
  plan(request: QueryRequest, call: CatalogCall): Promise<QueryPlan>;
}

/** Nothing to read: not even a request. */
const NOTHING: AsyncIterable<ReadBatch> = {
  [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: undefined }) }),
};

/** Tells a read's units apart from those of the query's other reads. */
function meterOfRead(meter: UnitMeter): UnitMeter {
  let halfUnits = 0;
  return {
    add(more) {
      halfUnits += more;
      meter.add(more);
    },
    get halfUnits() {
      return halfUnits;
    },
  };
}

/** What a read's span may say of it: names, no values. */
function attributesOf({ table, path }: TableRead): Attributes {
  return {
    [ATTRIBUTES.schema]: table.schemaName,
    [ATTRIBUTES.table]: table.tableName,
    [ATTRIBUTES.accessPath]: path.kind,
    ...('index' in path && path.index !== null ? { [ATTRIBUTES.index]: path.index } : {}),
  };
}

export function createEngine(parts: EngineParts): Engine {
  const { database, catalog, clients, admission, shares } = parts;
  const prepare = createPrepare({
    catalog,
    serialize: (sql) => database.serialize(sql),
    onDisagreement: parts.onDisagreement,
    pushdown: parts.pushdown ?? true,
    onCacheLookup: parts.onCacheLookup,
  });

  async function* read(
    wanted: TableRead,
    signal: AbortSignal,
    call: CatalogCall,
    meter: UnitMeter,
    watch: AttributeWatch,
    share: ThreadShare,
    span: WorkSpan,
  ): AsyncGenerator<ReadBatch> {
    const { table } = wanted;
    const client = await clients.clientFor(call.tenantId, table.access, call.requestId, signal);
    const own = meterOfRead(meter);
    try {
      yield* readTable(wanted, {
        client,
        signal,
        meter: own,
        runSliced: share.runSliced,
        enterPage: share.enterPage,
        schemaName: table.schemaName,
        onDiscovery: (attributes) => watch.discover(table, attributes),
      });
    } finally {
      span.add({ [ATTRIBUTES.readUnits]: own.halfUnits / 2 });
    }
  }

  const readInSpan = (
    wanted: TableRead,
    signal: AbortSignal,
    call: CatalogCall,
    meter: UnitMeter,
    watch: AttributeWatch,
    share: ThreadShare,
  ): AsyncIterable<ReadBatch> =>
    wanted.path.kind === 'Nothing'
      ? NOTHING
      : spanOver(SPANS.read, { attributes: attributesOf(wanted) }, (span) =>
          share.whileShort(read(wanted, signal, call, meter, watch, share, span), meter),
        );

  /** Runs a plan. `outdated`: a table is not what the plan takes it for, and nothing was answered yet. */
  async function* run(
    sql: string,
    { plan, planTimeMs }: PreparedStatement,
    call: CatalogCall,
    { rowFormat, meter }: RunOptions,
    place: Place,
  ): AsyncGenerator<EngineResult, RunOutcome> {
    if (laneOf(plan) === 'long') await inSpan(SPANS.admit, {}, () => place.goLong());
    const share = shares.of(call.tenantId, place);
    annotate({ [ATTRIBUTES.execution]: plan.execution.kind });
    const watch = watchAttributes(REPORTED_ATTRIBUTES_MAX);
    const results = runQuery(plan, {
      database,
      read: (wanted, signal) => readInSpan(wanted, signal, call, meter, watch, share),
      signal: call.signal,
      rowFormat,
      runSliced: share.runSliced,
      enterStatement: share.enterStatement,
      onBatch: (wanted, batch) => watch.see(wanted, batch),
    });
    let isAnswered = false;
    try {
      for await (const part of results) {
        isAnswered = true;
        if (part.kind !== 'end') yield part;
        else {
          const warnings = [...warningsOf(plan), ...part.warnings];
          yield { ...part, warnings, readUnits: meter.halfUnits / 2, planTimeMs };
        }
      }
    } catch (error) {
      if (isAnswered || !(error instanceof OutdatedTableError))
        throw locateFailure(error, plan.statement.plan, sql);
      return { kind: 'outdated', error };
    }
    catalog.report(call, watch.found());
    return { kind: 'done' };
  }

  return Object.freeze({
    async *execute(request, call, { rowFormat, meter }) {
      const place = await inSpan(SPANS.admit, {}, () => admission.enter(call.tenantId, call.signal));
      try {
        const asked = { ...request, mayRead: true };
        const prepared = await prepare(asked, call);
        const outcome = yield* run(request.sql, prepared, call, { rowFormat, meter }, place);
        if (outcome.kind === 'done') return;
        const again = await prepare(asked, call, outcome.error.version);
        // What is known of the tables was right, then.
        if (again.plan === prepared.plan) throw outcome.error;
        const second = yield* run(request.sql, again, call, { rowFormat, meter }, place);
        if (second.kind === 'outdated') throw second.error;
      } finally {
        place.leave();
      }
    },

    async plan(request, call) {
      const place = await inSpan(SPANS.admit, {}, () => admission.enter(call.tenantId, call.signal));
      try {
        const { plan, normalizedSql, planTimeMs } = await prepare({ ...request, mayRead: false }, call);
        const checked = await checkPlan(plan, database, call.signal).catch((error: unknown) => {
          throw locateFailure(error, plan.statement.plan, request.sql);
        });
        const { text, weight, warnings } = explain(plan);
        return { text, weight, normalizedSql, planTimeMs: planTimeMs + checked.tookMs, warnings };
      } finally {
        place.leave();
      }
    },
  } satisfies Engine);
}
