import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { Phase, QueryService } from '@penstock/common/gen/penstock/query/v1/query_pb.js';
import { SERVER_IS_CLOSING } from '@penstock/common/rpc/error-mapping.ts';
import { usageIdOf } from '@penstock/common/rpc/call-context.ts';
import { createLogger } from '@penstock/common/logging/logger.ts';
import { planQuery, runQuery } from '../../src/clients/run-query.ts';
import { createFatalStatements, type FatalStatements } from '../../src/limiting/fatal-statements.ts';
import { createHarness, type Harness } from '../../../services/common/test/rpc/harness.ts';

const REQUEST = { sql: 'SELECT 1', maxRows: 10, timeoutMs: 5_000 };
const header = { part: { case: 'header' as const, value: { columns: ['a'], columnTypes: ['BIGINT'] } } };
const batch = (text: string) => ({
  part: { case: 'rows' as const, value: { json: Buffer.from(text), rowCount: 1 } },
});
const trailer = { part: { case: 'trailer' as const, value: { rowCount: 1, readUnits: 0.5 } } };

describe('runQuery', () => {
  let harness: Harness;
  let token: string;
  let takenBack: string[];
  let fatalStatements: FatalStatements;
  beforeEach(async () => {
    fatalStatements = createFatalStatements(null, createLogger({ service: 'test', level: 'silent' }));
    harness = await createHarness();
    token = await harness.signer.sign();
    takenBack = [];
  });
  afterEach(() => harness.close());

  const call = (signal = new AbortController().signal) => ({
    token,
    requestId: 'r',
    usageId: 'first',
    signal,
    counted: Promise.resolve(),
    tenantId: 'tenant-1',
    fatalStatements,
    usage: { takeBackRows: async (_tenantId: string, usageId: string) => void takenBack.push(usageId) },
  });

  it('runs a statement again on another engine when one dies on the way, under a usage ID of its own', async () => {
    const usageIds: (string | null)[] = [];
    const starts: number[] = [];
    const servers = await Promise.all(
      [0, 1].map((index) =>
        harness.serve(
          (router) =>
            router.service(QueryService, {
              async *execute(_, context) {
                usageIds.push(usageIdOf(context));
                starts.push(index);
                yield header;
                yield batch(`[${starts.length}]`);
                if (starts.length === 1) await sleep(5_000, undefined, { signal: context.signal });
                yield trailer;
              },
            }),
          { drainTimeoutMs: 0 },
        ),
      ),
    );
    const engine = harness.connect(QueryService, servers);
    const running = runQuery(engine, REQUEST, call());
    while (starts.length === 0) await sleep(10);
    await sleep(50);
    await killed(servers[starts[0]!]!);
    const { batches } = await running;
    expect(batches.map((json) => Buffer.from(json).toString())).to.deep.equal(['[2]']);
    expect(new Set(starts).size).to.equal(2);
    expect(usageIds[0]).to.equal('first');
    expect(usageIds[1]).to.match(/^[0-9a-f-]{36}$/);
    expect(takenBack).to.deep.equal(['first']);
  });

  it('takes back the rows of every run whose answer did not come, before it says so', async () => {
    const servers = await Promise.all(
      [0, 1].map(() =>
        harness.serve((router) =>
          router.service(QueryService, {
            async *execute() {
              yield header;
              // To a caller this is a connection that broke.
              throw SERVER_IS_CLOSING;
            },
          }),
        ),
      ),
    );
    const failure = await runQuery(harness.connect(QueryService, servers), REQUEST, call()).catch(
      (error: unknown) => error,
    );
    expect(failure).to.include({ code: 'UNAVAILABLE' });
    expect(takenBack).to.have.length(2);
    expect(takenBack[0]).to.equal('first');
  });

  /** Closing with no time to drain destroys the connections, as the death of the process does. */
  const killed = (server: { close(): Promise<void> }): Promise<void> => server.close();

  it('does not repeat what the engine itself says', async () => {
    let runs = 0;
    const server = await harness.serve((router) =>
      router.service(QueryService, {
        async *execute() {
          runs += 1;
          yield header;
          throw new PenstockError('UNAVAILABLE', 'The catalog is away');
        },
      }),
    );
    const failure = await runQuery(harness.connect(QueryService, [server]), REQUEST, call()).catch(
      (error: unknown) => error,
    );
    expect(failure).to.include({ code: 'UNAVAILABLE', message: 'The catalog is away' });
    expect(takenBack).to.deep.equal([]);
    expect(runs).to.equal(1);
  });

  it('has its result with the trailer, and lets the call end by itself', async () => {
    let ended = false;
    let isCancelled = false;
    const server = await harness.serve((router) =>
      router.service(QueryService, {
        async *execute(_, { signal }) {
          yield header;
          yield batch('[1]');
          yield trailer;
          await sleep(400);
          isCancelled = signal.aborted;
          ended = true;
        },
      }),
    );
    const { batches } = await runQuery(harness.connect(QueryService, [server]), REQUEST, call());
    expect(batches).to.have.length(1);
    expect(ended).to.equal(false);
    while (!ended) await sleep(10);
    expect(isCancelled).to.equal(false);
  });

  it('ends when the caller goes away', async () => {
    const server = await harness.serve((router) =>
      router.service(QueryService, {
        async *execute(_, { signal }) {
          yield header;
          await sleep(5_000, undefined, { signal });
        },
      }),
    );
    const gone = new AbortController();
    const failure = runQuery(harness.connect(QueryService, [server]), REQUEST, call(gone.signal)).catch(
      (error: unknown) => error,
    );
    await sleep(100);
    gone.abort();
    expect(await failure).to.include({ code: 'CANCELLED' });
  });

  describe('with a statement that may be why its engine ends', () => {
    const phase = (value: Phase) => ({ part: { case: 'phase' as const, value } });

    const shut: (() => void)[] = [];
    afterEach(() => shut.splice(0).forEach((end) => end()));

    /** A way to a server whose connections break all at once, without a word, as those of a killed process do. */
    async function doorTo({ port }: { readonly port: number }) {
      const sockets = new Set<Socket>();
      const door = createServer((near) => {
        const far = connect(port, '127.0.0.1');
        for (const [from, to] of [
          [near, far],
          [far, near],
        ] as const) {
          sockets.add(from);
          from
            .on('error', () => to.destroy())
            .on('close', () => to.destroy())
            .pipe(to);
        }
      }).listen(0, '127.0.0.1');
      await once(door, 'listening');
      const end = (): void => {
        door.close();
        sockets.forEach((socket) => socket.destroy());
      };
      shut.push(end);
      const freeze = (): void => sockets.forEach((socket) => void socket.unpipe().pause());
      return { port: (door.address() as AddressInfo).port, close: async () => end(), end, freeze };
    }

    /** Three engines, each of which does `work` with a statement and then ends `afterMs` later. */
    async function engines(work: Phase, afterMs: number, how: 'end' | 'freeze' = 'end') {
      const started: number[] = [];
      const ends: (() => void)[] = [];
      const servers = await Promise.all(
        [0, 1, 2].map((index) =>
          harness.serve(
            (router) =>
              router.service(QueryService, {
                async *execute(_, { signal }) {
                  started.push(index);
                  yield phase(work);
                  setTimeout(() => ends[index]!(), afterMs);
                  await sleep(20_000, undefined, { signal });
                  yield trailer;
                },
                plan: async (_, { signal }) => {
                  started.push(index);
                  setTimeout(() => ends[index]!(), afterMs);
                  await sleep(20_000, undefined, { signal });
                  return {};
                },
              }),
            { drainTimeoutMs: 0 },
          ),
        ),
      );
      const doors = await Promise.all(servers.map(doorTo));
      ends.push(...doors.map((door) => door[how]));
      return { client: harness.connect(QueryService, doors), started };
    }
    const failureOf = (work: Promise<unknown>) =>
      work.then(
        () => null,
        (error: unknown) => error,
      );

    for (const [what, work] of [
      ['planning', Phase.PLANNING],
      ['computing', Phase.COMPUTING],
    ] as const)
      it(`does not send it to the next one that was ${what}, and refuses it where that took long`, async () => {
        const { client, started } = await engines(work, 1_200);
        expect(await failureOf(runQuery(client, REQUEST, call()))).to.include({ code: 'UNAVAILABLE' });
        expect(started).to.have.length(1);
        const refused = await failureOf(runQuery(client, REQUEST, call()));
        expect(refused).to.include({ code: 'RESOURCE_EXHAUSTED' });
        expect((refused as Error).message).to.match(/^This statement is refused for 5 more minutes: /);
        expect(await failureOf(planQuery(client, REQUEST, call()))).to.include({
          code: 'RESOURCE_EXHAUSTED',
        });
        expect(started).to.have.length(1);
        await fatalStatements.check('tenant-2', REQUEST.sql);
        await fatalStatements.check('tenant-1', 'SELECT 2');
      });

    it('does not send it to the next one when the engine ends soon, and refuses it after three', async () => {
      const { client, started } = await engines(Phase.COMPUTING, 50);
      for (const ended of [1, 2, 3]) {
        expect(await failureOf(runQuery(client, REQUEST, call()))).to.include({ code: 'UNAVAILABLE' });
        expect(started).to.have.length(ended);
      }
      expect(await failureOf(runQuery(client, REQUEST, call()))).to.include({ code: 'RESOURCE_EXHAUSTED' });
    });

    it('sends it to the next one where the engine only waited', async () => {
      const { client, started } = await engines(Phase.WAITING, 50);
      expect(await failureOf(runQuery(client, REQUEST, call()))).to.include({ code: 'UNAVAILABLE' });
      expect(started).to.have.length(2);
      await fatalStatements.check('tenant-1', REQUEST.sql);
    });

    it('plans it on no other engine than the one that ended', async () => {
      const { client, started } = await engines(Phase.PLANNING, 50);
      expect(await failureOf(planQuery(client, REQUEST, call()))).to.include({ code: 'UNAVAILABLE' });
      expect(started).to.have.length(1);
    });

    it('refuses it where the engine is silent beyond its deadline', async () => {
      const { client, started } = await engines(Phase.PLANNING, 300, 'freeze');
      const silent = { ...call(), timeoutMs: 2_000 };
      expect(await failureOf(runQuery(client, REQUEST, silent))).to.include({ code: 'TIMEOUT' });
      expect(await failureOf(runQuery(client, REQUEST, call()))).to.include({ code: 'RESOURCE_EXHAUSTED' });
      expect(started).to.have.length(1);
    });
  });
});
