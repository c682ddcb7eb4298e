/** The queries of a worker: begun, cancelled and answered as its host says. */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { extractText } from '@penstock/common/telemetry/propagation.ts';
import { continueWork } from '@penstock/common/telemetry/spans.ts';
import { ATTRIBUTES, SPANS } from '@penstock/common/telemetry/names.ts';
import type { UnitMeter } from '../dynamodb/read-table.ts';
import type { CatalogCall } from '../clients/catalog-client.ts';
import type { Engine } from '../engine.ts';
import type { KnownPositions } from '../placed-page.ts';
import { isNoMemory } from '../execution/session/duckdb-errors.ts';
import { allCounted, createUnitMeter, MeterBefore } from '../execution/unit-meter.ts';
import { CROWDED_OUT_HALF_UNITS_MAX } from '../limits.ts';
import type { Sender } from '../pipe/channel.ts';
import { fromErrorMessage, toErrorMessage } from '../pipe/error-message.ts';
import { ROWS_AHEAD_BYTES_MAX } from '../pipe/limits.ts';
import type { ResultFromWorker, ToWorker } from '../pipe/messages.ts';
import type { ReadRecord, WorkRecorder } from '../pipe/work-record.ts';
import { createHostPlace, QueryMovedError } from './host-place.ts';
import { tokenOfQuery, type HostLink } from './host-link.ts';
import type { QueryOfTenant } from './host-sessions.ts';
import { createPageLimits } from './page-limits.ts';
import { throwIfRefused } from './refused.ts';
import { createResultWriter, type KeepsFirst, type ResultWriter } from './result-writer.ts';

type Execute = Extract<ToWorker, { kind: 'execute' }>;
type Plan = Extract<ToWorker, { kind: 'plan' }>;
type Describe = Extract<ToWorker, { kind: 'describe' }>;
type Asked = Execute | Plan | Describe;

/** A page is nothing before its end; a file of rows begins with bytes that are none. */
const KEEPS_FIRST: Readonly<Record<Execute['format'], KeepsFirst>> = Object.freeze({
  json: 'until-more',
  ndjson: 'this-turn',
  csv: 'never',
  parquet: 'never',
});

const keepsFirst = ({ format, isPaced }: Execute): KeepsFirst => (isPaced ? 'never' : KEEPS_FIRST[format]);
const aheadBytesMax = ({ isPaced }: Execute): number => (isPaced ? 1 : ROWS_AHEAD_BYTES_MAX);

interface Running {
  readonly tenantId: string;
  readonly ending: AbortController;
  readonly writer: ResultWriter | null;
  /** True until it is promoted. */
  isShort: boolean;
  /** Another tenant's queries run beside it, or did. */
  isBesideOthers: boolean;
  /** Of what it reads; null where it reads nothing. */
  meter: UnitMeter | null;
}

export interface Queries {
  execute(message: Execute): void;
  plan(message: Plan): void;
  describe(message: Describe): void;
  cancel(message: Extract<ToWorker, { kind: 'cancel' }>): void;
  taken(message: Extract<ToWorker, { kind: 'taken' }>): void;
  /** Ends all of them. Resolves once what they had asked for is recorded. */
  end(): Promise<void>;
  readonly queryOf: QueryOfTenant;
  readonly runningShort: number;
}

export interface QueriesOptions {
  readonly engine: () => Engine;
  readonly link: HostLink;
  readonly send: Sender<ResultFromWorker>['send'];
  readonly recorder: WorkRecorder;
  /** Of tables on demand for which nothing is set; null: no limit. */
  readonly onDemandUnitsPerSecond: number | null;
}

/** Records what each page cost as soon as it is there. */
class RecordingMeter extends MeterBefore {
  private readonly reading: ReadRecord;

  constructor(reading: ReadRecord) {
    super(createUnitMeter());
    this.reading = reading;
  }

  override add(more: number): void {
    this.reading.set(this.halfUnits + more);
    this.behind.add(more);
  }
}

export function createQueries(options: QueriesOptions): Queries {
  const { engine, link, send, recorder, onDemandUnitsPerSecond } = options;
  const running = new Map<number, Running>();

  const begin = (message: Asked): Running => {
    const { query, tenantId, isLong } = message;
    const ending = new AbortController();
    const writer =
      message.kind === 'execute'
        ? createResultWriter(query, send, ending.signal, keepsFirst(message), aheadBytesMax(message))
        : null;
    const entry: Running = {
      ...{ tenantId, ending, writer, meter: null },
      ...{ isShort: !isLong, isBesideOthers: false },
    };
    for (const other of running.values())
      if (other.tenantId !== tenantId) other.isBesideOthers = entry.isBesideOthers = true;
    running.set(query, entry);
    return entry;
  };
  const callOf = ({ query, tenantId, requestId }: Asked, { ending }: Running): CatalogCall => ({
    tenantId,
    requestId,
    token: tokenOfQuery(query),
    signal: ending.signal,
  });
  const placeOf = (message: Asked, entry: Running, meter: UnitMeter | null) =>
    createHostPlace(message.isLong, async () => {
      const mayMove = (meter?.halfUnits ?? 0) === 0;
      const question = { what: 'promotion', mayMove } as const;
      const { answer } = await link.ask(message.query, question, entry.ending.signal);
      if (answer === true) entry.isShort = false;
      return answer === true;
    });
  const positionsOf = (query: number, { ending }: Running): KnownPositions => {
    const ask =
      (what: 'position' | 'besides') =>
      async (scope: string): Promise<string | null> => {
        const { answer } = await link.ask(query, { what, scope }, ending.signal);
        return typeof answer === 'string' ? answer : null;
      };
    return { find: ask('position'), findBesides: ask('besides') };
  };
  const fail = (query: number, error: unknown, halfUnits: number, onSent?: () => void): void => {
    if (error instanceof QueryMovedError) {
      send({ kind: 'moved', query }, undefined, onSent);
      return;
    }
    const failed = { kind: 'failed', query, error: toErrorMessage(error), halfUnits } as const;
    // What has read much is more likely to be what has the memory, and dear to read again.
    const isCrowdedOut =
      isNoMemory(error) &&
      running.get(query)?.isBesideOthers === true &&
      halfUnits <= CROWDED_OUT_HALF_UNITS_MAX;
    send({ ...failed, ...(isCrowdedOut && { isCrowdedOut }) }, undefined, onSent);
  };
  const traced = async (message: Asked, work: () => Promise<void>): Promise<void> => {
    const span =
      message.trace === null
        ? null
        : continueWork(
            SPANS.work,
            { attributes: () => ({ [ATTRIBUTES.requestId]: message.requestId }) },
            extractText(message.trace),
          );
    try {
      await (span === null ? work() : span.run(work));
    } finally {
      span?.end();
    }
  };

  const runExecute = async (message: Execute): Promise<void> => {
    const { query, request, rowFormat, format, lateAttributes, responseBytesMax } = message;
    const entry = begin(message);
    const writer = entry.writer!;
    const reading = recorder.reading(query);
    const meter = (entry.meter = new RecordingMeter(reading));
    try {
      throwIfRefused(request.sql, message.refused);
      const wanted = {
        rowFormat,
        format,
        lateAttributes,
        meter,
        maxReadUnits: message.maxReadUnits,
        readHalfUnits: message.readHalfUnits,
        pageLimits: createPageLimits(link, query, onDemandUnitsPerSecond, message.hasBudget),
        responseBytesMax: responseBytesMax ?? undefined,
        place: placeOf(message, entry, meter),
        work: recorder.of(query),
        isPaced: message.isPaced,
        ...(format === 'json' ? { positions: positionsOf(query, entry) } : {}),
      };
      for await (const part of engine().execute(request, callOf(message, entry), wanted))
        await writer.add(part);
      await allCounted(meter);
      writer.finish(meter.halfUnits, reading.close);
    } catch (error) {
      writer.drop();
      await allCounted(meter);
      fail(query, error, meter.halfUnits, reading.close);
    } finally {
      running.delete(query);
    }
  };
  const runPlan = async (message: Plan): Promise<void> => {
    const { query, request } = message;
    const entry = begin(message);
    try {
      throwIfRefused(request.sql, message.refused);
      const wanted = { place: placeOf(message, entry, null), work: recorder.of(query) };
      const plan = await engine().plan(request, callOf(message, entry), wanted);
      send({ kind: 'planned', query, plan });
    } catch (error) {
      fail(query, error, 0);
    } finally {
      running.delete(query);
    }
  };
  const runDescribe = async (message: Describe): Promise<void> => {
    const { query, request, parameters } = message;
    const entry = begin(message);
    try {
      throwIfRefused(request.sql, message.refused);
      const { sql, searchPath = [], rules } = request;
      const asked = { sql, parameters, searchPath, rules };
      const work = recorder.of(query);
      const description = await engine().describe(asked, callOf(message, entry), { work });
      send({ kind: 'described', query, description });
    } catch (error) {
      fail(query, error, 0);
    } finally {
      running.delete(query);
    }
  };

  return {
    execute: (message) => void traced(message, () => runExecute(message)),
    plan: (message) => void traced(message, () => runPlan(message)),
    describe: (message) => void traced(message, () => runDescribe(message)),
    cancel: ({ query, error }) => running.get(query)?.ending.abort(fromErrorMessage(error)),
    taken: ({ query, bytes }) => running.get(query)?.writer?.taken(bytes),
    async end() {
      const left = [...running.values()];
      for (const { ending } of left) ending.abort(new PenstockError('UNAVAILABLE', 'The engine ends'));
      await Promise.all(left.flatMap(({ meter }) => (meter === null ? [] : [allCounted(meter)])));
    },
    queryOf(tenantId) {
      for (const [query, entry] of running)
        if (entry.tenantId === tenantId) return { query, signal: entry.ending.signal };
      return null;
    },
    get runningShort() {
      let short = 0;
      for (const { isShort } of running.values()) if (isShort) short++;
      return short;
    },
  };
}
