import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { until } from '../../../common/test/support/until.ts';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import {
  QueryService,
  QueryState,
  ResultFormat,
  RowFormat,
  type ExecuteResponse,
} from '@penstock/common/gen/penstock/query/v1/query_pb.js';
import { createLogger } from '@penstock/common/logging/logger.ts';
import { callOptions, createRpcClient } from '@penstock/common/rpc/client.ts';
import { fromConnectError } from '@penstock/common/rpc/error-mapping.ts';
import { startRpcServer } from '@penstock/common/rpc/server.ts';
import { createMetrics } from '@penstock/common/telemetry/metrics.ts';
import type { Principal } from '@penstock/common/token/principal.ts';
import type { UsageEvent } from '@penstock/common/usage/recorder.ts';
import type { HostedPart } from '../../src/host/queries/hosted-run.ts';
import type { ExecuteOptions, QueryRunner } from '../../src/host/queries/query-runner.ts';
import { createRunningQueries } from '../../src/host/running-queries/running-queries.ts';
import type { StatementMessage } from '../../src/pipe/messages.ts';
import type { CatalogCall } from '../../src/clients/catalog-client.ts';
import type { QueryServiceParts } from '../../src/rpc/query-service.ts';
import type { JournalEntry } from '../../src/host/read-journal/read-journal.ts';
import { queryRoutes } from '../../src/rpc/routes.ts';

const CLIENT: Principal = {
  tenantId: 'tenant-1',
  principalId: 'client-1',
  principalType: 'client',
  scopes: ['query'],
  role: null,
  generation: 1,
  rateLimit: null,
  tokenType: 'rest',
};

type Execute = (
  request: StatementMessage,
  call: CatalogCall,
  options: ExecuteOptions,
) => AsyncGenerator<HostedPart>;

/** A bearer token that says who calls; verification of real ones is tested where it is built. */
const tokenOf = (principal: Principal): string =>
  Buffer.from(JSON.stringify(principal)).toString('base64url');

async function setUp(execute: Execute, change: Partial<QueryServiceParts['recorder']> = {}) {
  const recorded: UsageEvent[] = [];
  /** What an engine that was killed now would leave to be recorded: half units by their IDs. */
  const journaled = new Map<string, number>();
  const entryOf = (id: string): JournalEntry => {
    let sum = 0;
    return {
      id,
      begin: () => void journaled.set(id, sum),
      end: (_, halfUnits) => void journaled.set(id, (sum += halfUnits)),
      split: () => entryOf('late'),
      close: () => void journaled.delete(id),
    };
  };
  const recorder: QueryServiceParts['recorder'] = {
    record: async (...events) => void recorded.push(...events),
    ensureAble: () => undefined,
    ...change,
  };
  const logger = createLogger({ service: 'test', level: 'fatal' });
  const runner: QueryRunner = {
    execute,
    plan: async ({ sql }) => ({
      text: `Page\n  ${sql}`,
      weight: 1.5,
      estimatedReadUnits: { low: 1, high: 2.5 },
      certainReadUnits: { low: 0.5, high: 10 },
      normalizedSql: sql.toUpperCase(),
      planTimeMs: 2,
      warnings: ['w'],
    }),
    describe: async ({ parameters }) => ({
      columns: [{ name: 'n', type: 'numeric', attribute: 'n', isKey: true }],
      parameters: parameters.map(({ type, isList }) => ({ type: type ?? 'text', isList })),
    }),
  };
  const running = createRunningQueries();
  const server = await startRpcServer({
    host: '127.0.0.1',
    port: 0,
    routes: queryRoutes({
      runner,
      running,
      // The only engine; that others are asked is tested where they are.
      onAllEngines: { ask: async (wants, request, rows = 0) => running[wants](request, rows) },
      recorder,
      journal: { open: ({ id }) => entryOf(id) },
      clock: { now: () => 1_700_000_000_000 },
    }),
    verifier: {
      verify: async (token) => JSON.parse(Buffer.from(token, 'base64url').toString()) as Principal,
    },
    logger,
    metrics: createMetrics('test'),
    isReady: () => true,
  });
  const { client, close } = createRpcClient(QueryService, {
    target: `ipv4:127.0.0.1:${server.port}`,
    defaultTimeoutMs: 5000,
  });
  const options = (principal: Principal = CLIENT, signal?: AbortSignal) =>
    callOptions({
      token: tokenOf(principal),
      requestId: 'request-1',
      usageId: 'usage-1',
      ...(signal === undefined ? {} : { signal }),
    });
  return {
    client,
    recorded,
    journaled,
    options,
    async end() {
      close();
      await server.close();
    },
  };
}

const ASK = { sql: 'select 1', maxRows: 10, resumeIdx: 20n, timeoutMs: 2000 };

const HEADER = { columns: ['a'], columnTypes: ['BIGINT'] };
const ROWS = [Buffer.from('[1],[2]')];
const END = { rowCount: 2, resumeIdx: 22, warnings: [], planTimeMs: 1, reads: [] };

async function* twoRows(
  _: StatementMessage,
  __: CatalogCall,
  { units }: ExecuteOptions,
): AsyncGenerator<HostedPart> {
  units.begin(1, 1, () => 0)(3);
  yield { kind: 'header', header: HEADER };
  yield { kind: 'rows', rows: ROWS, rowCount: 2 };
  yield { kind: 'end', end: END };
}

async function collect<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const parts: T[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

const failureOf = (work: Promise<unknown>): Promise<PenstockError | null> =>
  work.then(
    () => null,
    (error: unknown) => fromConnectError(error),
  );

/** What a message has of a result. */
const partNames = (message: ExecuteResponse): readonly string[] =>
  (['header', 'rows', 'trailer'] as const).filter((name) => message[name] !== undefined);

describe('the query service', () => {
  for (const [joinsParts, expected] of [
    [true, [['header', 'rows', 'trailer']]],
    [false, [['header'], ['rows'], ['trailer']]],
  ] as const)
    it(`sends a short result in ${joinsParts ? 'one message' : 'several'} to a caller that ${joinsParts ? 'joins' : 'does not join'} parts`, async () => {
      const test = await setUp(async function* (_request, _call, { units }) {
        units.begin(1, 1, () => 0)(1);
        yield { kind: 'whole', header: HEADER, rows: ROWS, end: END };
      });
      try {
        const parts = await collect(test.client.execute({ ...ASK, joinsParts }, test.options()));
        expect(parts.map(partNames)).to.deep.equal(expected);
        expect(parts.at(-1)?.trailer).to.deep.include({ rowCount: 2, readUnits: 0.5 });
        expect(test.recorded[0]).to.deep.include({ rowsReturned: 2, readHalfUnits: 1 });
      } finally {
        await test.end();
      }
    });

  const JOINING = { ...ASK, joinsParts: true, waitsForStatus: true };

  /** A result of one message. */
  async function* whole(
    _: StatementMessage,
    __: CatalogCall,
    { units }: ExecuteOptions,
  ): AsyncGenerator<HostedPart> {
    units.begin(1, 1, () => 0)(3);
    yield { kind: 'whole', header: HEADER, rows: ROWS, end: END };
  }

  it('sends a short result while it is being recorded to a caller that waits for the status, which comes after', async () => {
    const recording = Promise.withResolvers<void>();
    const events: UsageEvent[] = [];
    const record = async (...given: readonly UsageEvent[]): Promise<void> => {
      events.push(...given);
      await recording.promise;
    };
    const test = await setUp(whole, { record });
    try {
      const messages = test.client.execute(JOINING, test.options())[Symbol.asyncIterator]();
      const { value } = await messages.next();
      expect((value as ExecuteResponse).trailer).to.deep.include({ rowCount: 2, readUnits: 1.5 });
      expect(events).to.have.length(1);
      let hasEnded = false;
      const ending = messages.next().then(({ done }) => (hasEnded = done === true));
      await sleep(50);
      expect(hasEnded).to.equal(false);
      recording.resolve();
      expect(await ending).to.equal(true);
      expect([...test.journaled]).to.deep.equal([]);
    } finally {
      await test.end();
    }
  });

  it('ends the call with an error where what it sent could not be recorded, and takes the rows back', async () => {
    const events: UsageEvent[] = [];
    const record = async (...given: readonly UsageEvent[]): Promise<void> => {
      events.push(...given);
      if (events.length === 1) throw new PenstockError('UNAVAILABLE', 'Usage cannot be recorded; try again');
    };
    const test = await setUp(whole, { record });
    try {
      const failure = await failureOf(collect(test.client.execute(JOINING, test.options())));
      expect(failure).to.include({ code: 'UNAVAILABLE' });
      expect(events.map(({ id, voids }) => [id, voids])).to.deep.equal([
        ['usage-1:reads', undefined],
        ['usage-1:lost', 'usage-1:reads'],
      ]);
    } finally {
      await test.end();
    }
  });

  it('records by itself what a worker says it read after its query was answered', async () => {
    let late: ((halfUnits: number) => void) | null = null;
    const test = await setUp(async function* (_request, _call, { units }) {
      units.begin(1, 1, () => 0)(2);
      late = units.begin(1, 2, () => 0);
      yield { kind: 'whole', header: HEADER, rows: ROWS, end: END };
    });
    try {
      await collect(test.client.execute(ASK, test.options()));
      late!(3);
      await nextTurn();
      expect(
        test.recorded.map(({ readHalfUnits, rowsReturned }) => [readHalfUnits, rowsReturned]),
      ).to.deep.equal([
        [2, 2],
        [3, 0],
      ]);
      expect(test.recorded.map(({ id }) => id)).to.deep.equal(['usage-1:reads', 'late']);
      expect([...test.journaled]).to.deep.equal([]);
    } finally {
      await test.end();
    }
  });

  it('streams header, rows and trailer, and records what was read before the trailer', async () => {
    const asked: StatementMessage[] = [];
    const test = await setUp(async function* (request, call, options) {
      asked.push(request);
      expect(options.rowFormat).to.equal('object');
      expect([call.tenantId, call.requestId]).to.deep.equal(['tenant-1', 'request-1']);
      yield* twoRows(request, call, options);
    });
    try {
      const parts = [];
      for await (const part of test.client.execute({ ...ASK, rowFormat: RowFormat.OBJECT }, test.options())) {
        parts.push(part);
        if (part.trailer !== undefined) expect(test.recorded).to.have.length(1);
      }
      expect(parts.map(partNames)).to.deep.equal([['header'], ['rows'], ['trailer']]);
      expect(parts[2]?.trailer).to.deep.include({ rowCount: 2, resumeIdx: 22n, readUnits: 1.5 });
      expect(asked[0]).to.deep.include({ sql: 'select 1', firstRowIdx: 20, maxRows: 10 });
      expect(test.recorded).to.deep.equal([
        {
          id: 'usage-1:reads',
          tenantId: 'tenant-1',
          clientId: 'client-1',
          at: 1_700_000_000_000,
          requests: 0,
          rowsReturned: 2,
          readHalfUnits: 3,
        },
      ]);
    } finally {
      await test.end();
    }
  });

  const REQUEST_EVENT = {
    id: 'usage-1:request',
    tenantId: 'tenant-1',
    at: 1_700_000_000_000,
    requests: 1,
    rowsReturned: 0,
    readHalfUnits: 0,
  };

  it('records the request, too, where it is asked to, and says so', async () => {
    const test = await setUp(twoRows);
    try {
      const parts = await collect(test.client.execute({ ...ASK, countsRequest: true }, test.options()));
      expect(parts.at(-1)?.trailer?.requestCounted).to.equal(true);
      expect(test.recorded.map(({ id }) => id)).to.deep.equal(['usage-1:reads', 'usage-1:request']);
      expect(test.recorded[1]).to.deep.equal(REQUEST_EVENT);
      const others = await collect(test.client.execute(ASK, test.options()));
      expect(others.at(-1)?.trailer?.requestCounted).to.equal(false);
      expect(test.recorded).to.have.length(3);
    } finally {
      await test.end();
    }
  });

  it('records the request of a query that fails, too', async () => {
    const test = await setUp(async function* () {
      throw new PenstockError('EXECUTION_ERROR', 'Value out of range');
    });
    try {
      await failureOf(collect(test.client.execute({ ...ASK, countsRequest: true }, test.options())));
      expect(test.recorded[1]).to.deep.equal(REQUEST_EVENT);
    } finally {
      await test.end();
    }
  });

  it('records what a query read that fails', async () => {
    const test = await setUp(async function* (_request, _call, { units }) {
      units.begin(1, 1, () => 0)(8);
      yield { kind: 'header', header: { columns: [], columnTypes: [] } };
      throw new PenstockError('EXECUTION_ERROR', 'Value out of range', { detail: 'why' });
    });
    try {
      const failure = await failureOf(collect(test.client.execute(ASK, test.options())));
      expect(failure).to.deep.include({
        code: 'EXECUTION_ERROR',
        message: 'Value out of range',
        detail: 'why',
      });
      expect(test.recorded).to.have.length(1);
      expect(test.recorded[0]).to.deep.include({ rowsReturned: 0, readHalfUnits: 8 });
    } finally {
      await test.end();
    }
  });

  const unable = (): PenstockError => new PenstockError('UNAVAILABLE', 'Usage cannot be recorded; try again');

  it('fails a query whose usage nobody takes, without a trailer, and takes its rows back', async () => {
    const offered: UsageEvent[] = [];
    const test = await setUp(twoRows, {
      record: async (event) => {
        offered.push(event);
        throw unable();
      },
    });
    try {
      const parts: unknown[] = [];
      const reading = (async () => {
        for await (const part of test.client.execute(ASK, test.options())) parts.push(...partNames(part));
      })();
      expect((await failureOf(reading))?.code).to.equal('UNAVAILABLE');
      expect(parts).to.not.include('trailer');
      expect(
        offered.map(({ id, voids, rowsReturned, readHalfUnits }) => ({
          id,
          voids,
          rowsReturned,
          readHalfUnits,
        })),
      ).to.deep.equal([
        { id: 'usage-1:reads', voids: undefined, rowsReturned: 2, readHalfUnits: 3 },
        { id: 'usage-1:lost', voids: 'usage-1:reads', rowsReturned: 0, readHalfUnits: 0 },
      ]);
    } finally {
      await test.end();
    }
  });

  it('leaves what it read in the journal until it is recorded', async () => {
    let taken: () => Promise<void> = () => Promise.reject(unable());
    let isAble = true;
    const seen: unknown[] = [];
    const test = await setUp(
      async function* (...given) {
        seen.push([...test.journaled]);
        yield* twoRows(...given);
      },
      {
        record: () => taken(),
        ensureAble: () => {
          if (!isAble) throw unable();
        },
      },
    );
    const ask = () => failureOf(collect(test.client.execute(ASK, test.options())));
    const read = [['usage-1:reads', 3]];
    try {
      expect((await ask())?.code).to.equal('UNAVAILABLE');
      // The recorder has it in memory.
      expect([...test.journaled]).to.deep.equal(read);
      isAble = false;
      expect((await ask())?.code).to.equal('UNAVAILABLE');
      expect([...test.journaled]).to.deep.equal(read);
      isAble = true;
      taken = async () => {
        seen.push([...test.journaled]);
      };
      expect(await ask()).to.equal(null);
      expect(seen).to.deep.equal([[], [], read]);
      expect([...test.journaled]).to.deep.equal([]);
    } finally {
      await test.end();
    }
  });

  it('tells why a query failed, also where its usage is not taken', async () => {
    const test = await setUp(
      async function* (_request, _call, { units }) {
        units.begin(1, 1, () => 0)(8);
        yield { kind: 'header', header: { columns: [], columnTypes: [] } };
        throw new PenstockError('EXECUTION_ERROR', 'Value out of range');
      },
      { record: () => Promise.reject(unable()) },
    );
    try {
      const failure = await failureOf(collect(test.client.execute(ASK, test.options())));
      expect(failure).to.include({ code: 'EXECUTION_ERROR', message: 'Value out of range' });
    } finally {
      await test.end();
    }
  });

  it('reads nothing while usage cannot be recorded', async () => {
    let ran = false;
    const test = await setUp(
      async function* (...given) {
        ran = true;
        yield* twoRows(...given);
      },
      {
        ensureAble: () => {
          throw unable();
        },
      },
    );
    try {
      expect((await failureOf(collect(test.client.execute(ASK, test.options()))))?.code).to.equal(
        'UNAVAILABLE',
      );
      expect(ran).to.equal(false);
      expect(test.recorded).to.deep.equal([]);
    } finally {
      await test.end();
    }
  });

  it('ends a query at its deadline', async () => {
    let reason: unknown;
    const test = await setUp(async function* (_request, { signal }) {
      yield { kind: 'header', header: { columns: [], columnTypes: [] } };
      await new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          reason = signal.reason;
          // As a client does whose request is aborted.
          reject(new PenstockError('CANCELLED', 'a request broke off'));
        });
      });
    });
    try {
      const failure = await failureOf(
        collect(test.client.execute({ ...ASK, timeoutMs: 50 }, test.options())),
      );
      expect(failure?.code).to.equal('TIMEOUT');
      expect(reason).to.have.property('code', 'TIMEOUT');
      expect(test.recorded).to.have.length(1);
    } finally {
      await test.end();
    }
  });

  it('stops a query whose caller hangs up, and records it', async () => {
    const { promise: stopped, resolve } = Promise.withResolvers<unknown>();
    const test = await setUp(async function* (_request, { signal }, { units }) {
      units.begin(1, 1, () => 0)(1);
      yield { kind: 'header', header: { columns: [], columnTypes: [] } };
      await new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          resolve(signal.reason);
          reject(signal.reason as Error);
        });
      });
    });
    try {
      const hangUp = new AbortController();
      const running = collect(test.client.execute(ASK, test.options(CLIENT, hangUp.signal)));
      setTimeout(() => hangUp.abort(), 50);
      await failureOf(running);
      expect(await stopped).to.have.property('code', 'CANCELLED');
      await until(() => test.recorded.length > 0, { what: 'the record of it' });
      expect(test.recorded[0]).to.deep.include({ readHalfUnits: 1, rowsReturned: 0 });
    } finally {
      await test.end();
    }
  });

  it('says how far a query is while it runs, and stops it, for its tenant only', async () => {
    const test = await setUp(async function* (_request, { signal }, { units }) {
      units.begin(1, 1, () => 3);
      yield { kind: 'header', header: HEADER };
      yield { kind: 'rows', rows: ROWS, rowCount: 2 };
      await new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      });
    });
    const asked = { requestId: 'request-1' };
    const stranger = test.options({ ...CLIENT, tenantId: 'tenant-2' });
    try {
      const running = test.client.execute(ASK, test.options())[Symbol.asyncIterator]();
      await running.next();
      await running.next();
      const { progress } = await test.client.getQuery(asked, test.options());
      expect(progress).to.include({ state: QueryState.RUNNING, rows: 2n, readUnits: 1.5 });
      for (const work of [test.client.getQuery(asked, stranger), test.client.stopQuery(asked, stranger)])
        expect((await failureOf(work))?.code).to.equal('NOT_FOUND');
      const narrow = test.options({ ...CLIENT, scopes: ['schemas:read'] });
      for (const work of [test.client.getQuery(asked, narrow), test.client.stopQuery(asked, narrow)])
        expect((await failureOf(work))?.code).to.equal('INSUFFICIENT_SCOPE');
      const stopped = await test.client.stopQuery(asked, test.options());
      expect(stopped.progress).to.include({ rows: 2n, readUnits: 1.5 });
      const failure = await failureOf(running.next());
      expect(failure).to.include({ code: 'CANCELLED', message: 'The query was stopped' });
      const after = await failureOf(test.client.getQuery(asked, test.options()));
      expect(after).to.include({ code: 'NOT_FOUND' });
    } finally {
      await test.end();
    }
  });

  it('takes no row beyond those that are wanted from a worker until more are, and says the end at once', async () => {
    const taken: number[] = [];
    const test = await setUp(async function* (_request, _call, { units, isPaced }) {
      units.begin(1, 1, () => 0)(1);
      expect(isPaced).to.equal(true);
      yield { kind: 'header', header: HEADER };
      for (const sent of [2, 4, 6]) {
        taken.push(sent);
        yield { kind: 'rows', rows: ROWS, rowCount: 2 };
      }
      yield { kind: 'end', end: { ...END, resumeIdx: null } };
    });
    const ask = { ...ASK, format: ResultFormat.NDJSON, maxRows: 0, resumeIdx: 0n, rowsWanted: 3 };
    const want = (rowsWanted: number, options = test.options()) =>
      test.client.wantRows({ requestId: 'request-1', rowsWanted }, options);
    try {
      const messages = test.client.execute(ask, test.options())[Symbol.asyncIterator]();
      for (let i = 0; i < 3; i += 1) await messages.next();
      const waiting = messages.next();
      // Nothing is asked of the worker that is to send the third rows.
      expect((await want(4)).progress).to.include({ rows: 4n });
      expect(taken).to.deep.equal([2, 4]);
      const stranger = test.options({ ...CLIENT, tenantId: 'tenant-2' });
      expect((await failureOf(want(100, stranger)))?.code).to.equal('NOT_FOUND');
      await want(7);
      const rest = [(await waiting).value, (await messages.next()).value, (await messages.next()).done];
      expect(rest[0]?.rows?.rowCount).to.equal(2);
      expect(rest[1]?.trailer).to.include({ rowCount: 2 });
      expect(rest[2]).to.equal(true);
    } finally {
      await test.end();
    }
  });

  it('stops a result that waits for its reader, and refuses a page whose rows are wanted one by one', async () => {
    const test = await setUp(async function* (_request, _call, { units }) {
      units.begin(1, 1, () => 0)(1);
      yield { kind: 'header', header: HEADER };
      yield { kind: 'rows', rows: ROWS, rowCount: 2 };
      throw new Error('was asked for more');
    });
    try {
      const refused = await failureOf(
        collect(test.client.execute({ ...ASK, rowsWanted: 1 }, test.options())),
      );
      expect(refused).to.include({
        code: 'VALIDATION_ERROR',
        message: 'rows_wanted: a page is wanted whole',
      });
      const ask = { ...ASK, format: ResultFormat.NDJSON, maxRows: 0, resumeIdx: 0n, rowsWanted: 1 };
      const messages = test.client.execute(ask, test.options())[Symbol.asyncIterator]();
      for (let i = 0; i < 2; i += 1) await messages.next();
      await test.client.stopQuery({ requestId: 'request-1' }, test.options());
      expect(await failureOf(messages.next())).to.include({
        code: 'CANCELLED',
        message: 'The query was stopped',
      });
    } finally {
      await test.end();
    }
  });

  it('refuses a caller without the scope, both to run and to plan', async () => {
    const test = await setUp(twoRows);
    try {
      const reader = test.options({ ...CLIENT, scopes: ['schemas:read'] });
      const run = await failureOf(collect(test.client.execute(ASK, reader)));
      const plan = await failureOf(test.client.plan(ASK, reader));
      expect([run?.code, plan?.code]).to.deep.equal(['INSUFFICIENT_SCOPE', 'INSUFFICIENT_SCOPE']);
      expect(test.recorded).to.deep.equal([]);
    } finally {
      await test.end();
    }
  });

  it('plans without recording anything', async () => {
    const test = await setUp(twoRows);
    try {
      const plan = await test.client.plan(ASK, test.options());
      expect(plan).to.deep.include({ plan: 'Page\n  select 1', weight: 1.5, normalizedSql: 'SELECT 1' });
      expect(plan.estimatedReadUnits).to.include({ low: 1, high: 2.5 });
      expect(test.recorded).to.deep.equal([]);
    } finally {
      await test.end();
    }
  });

  it('names the field of a request that is out of bounds', async () => {
    const test = await setUp(twoRows);
    try {
      const failure = await failureOf(
        collect(test.client.execute({ ...ASK, maxRows: 10_001 }, test.options())),
      );
      expect(failure?.code).to.equal('VALIDATION_ERROR');
      expect(failure?.message).to.include('max_rows');
    } finally {
      await test.end();
    }
  });
});
