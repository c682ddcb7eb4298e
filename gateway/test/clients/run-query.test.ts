import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { QueryService } from '@penstock/common/gen/penstock/query/v1/query_pb.js';
import { SERVER_IS_CLOSING } from '@penstock/common/rpc/error-mapping.ts';
import { usageIdOf } from '@penstock/common/rpc/call-context.ts';
import { until } from '../../../services/common/test/support/until.ts';
import { planQuery, runQuery } from '../../src/clients/run-query.ts';
import { createHarness, type Harness } from '../../../services/common/test/rpc/harness.ts';

const REQUEST = { sql: 'SELECT 1', maxRows: 10, timeoutMs: 5_000 };
const header = { header: { columns: ['a'], columnTypes: ['BIGINT'] } };
const batch = (text: string) => ({ rows: { json: Buffer.from(text), rowCount: 1 } });
const trailer = { trailer: { rowCount: 1, readUnits: 0.5 } };

describe('runQuery', () => {
  let harness: Harness;
  let token: string;
  let takenBack: string[];
  beforeEach(async () => {
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
    count: null,
    tenantId: 'tenant-1',
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
                // Sleeps: an engine at work, until it is killed.
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
    await until(() => starts.length > 0);
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

  it('has its result only once the call has ended, since the engine may still be recording it', async () => {
    let isRecorded = false;
    const server = await harness.serve((router) =>
      router.service(QueryService, {
        async *execute({ joinsParts, waitsForStatus }) {
          if (joinsParts && waitsForStatus) yield { ...header, ...batch('[1]'), ...trailer };
          // Sleeps: longer than a caller would take that did not wait.
          await sleep(200);
          isRecorded = true;
        },
      }),
    );
    const { batches } = await runQuery(harness.connect(QueryService, [server]), REQUEST, call());
    expect(batches).to.have.length(1);
    expect(isRecorded).to.equal(true);
  });

  it('hands out no rows of an answer that could not be recorded', async () => {
    const server = await harness.serve((router) =>
      router.service(QueryService, {
        async *execute() {
          yield { ...header, ...batch('[1]'), ...trailer };
          throw new PenstockError('UNAVAILABLE', 'Usage cannot be recorded; try again');
        },
      }),
    );
    const failure = await runQuery(harness.connect(QueryService, [server]), REQUEST, call()).catch(
      (error: unknown) => error,
    );
    expect(failure).to.include({ code: 'UNAVAILABLE', message: 'Usage cannot be recorded; try again' });
    // The engine itself takes them back.
    expect(takenBack).to.deep.equal([]);
  });

  it('runs a statement again whose engine died with the rows sent and nothing recorded', async () => {
    const starts: number[] = [];
    const servers = await Promise.all(
      [0, 1].map((index) =>
        harness.serve(
          (router) =>
            router.service(QueryService, {
              async *execute(_, { signal }) {
                starts.push(index);
                yield { ...header, ...batch(`[${starts.length}]`), ...trailer };
                // Sleeps: an engine at work, until it is killed.
                if (starts.length === 1) await sleep(5_000, undefined, { signal });
              },
            }),
          { drainTimeoutMs: 0 },
        ),
      ),
    );
    const running = runQuery(harness.connect(QueryService, servers), REQUEST, call());
    await until(() => starts.length > 0);
    await sleep(50);
    await killed(servers[starts[0]!]!);
    const { batches } = await running;
    expect(batches.map((json) => Buffer.from(json).toString())).to.deep.equal(['[2]']);
    expect(takenBack).to.deep.equal(['first']);
  });

  for (const [whose, requestCounted, expected] of [
    ['an engine that counts it', true, 0],
    ['an older engine', false, 1],
  ] as const)
    it(`has the request counted, by ${whose}`, async () => {
      const asked: boolean[] = [];
      const server = await harness.serve((router) =>
        router.service(QueryService, {
          async *execute({ countsRequest }) {
            asked.push(countsRequest);
            yield header;
            yield { trailer: { ...trailer.trailer, requestCounted } };
          },
        }),
      );
      const engine = harness.connect(QueryService, [server]);
      let counts = 0;
      const count = async (): Promise<void> => void counts++;
      await runQuery(engine, REQUEST, { ...call(), count });
      expect([asked, counts]).to.deep.equal([[true], expected]);
      await runQuery(engine, REQUEST, call());
      expect(asked).to.deep.equal([true, false]);
    });

  it('hands out no rows of a request that cannot be counted, and takes them back', async () => {
    const server = await harness.serve((router) =>
      router.service(QueryService, {
        async *execute() {
          yield { ...header, ...batch('[1]'), ...trailer };
        },
      }),
    );
    const away = new PenstockError('UNAVAILABLE', 'Usage cannot be recorded; try again');
    const failure = await runQuery(harness.connect(QueryService, [server]), REQUEST, {
      ...call(),
      count: () => Promise.reject(away),
    }).catch((error: unknown) => error);
    expect(failure).to.equal(away);
    expect(takenBack).to.deep.equal(['first']);
  });

  it('does not have the second engine count the request, whose usage ID is another', async () => {
    const asked: boolean[] = [];
    const servers = await Promise.all(
      [0, 1].map(() =>
        harness.serve((router) =>
          router.service(QueryService, {
            async *execute({ countsRequest }) {
              asked.push(countsRequest);
              yield header;
              if (asked.length === 1) throw SERVER_IS_CLOSING;
              yield { ...batch('[1]'), ...trailer };
            },
          }),
        ),
      ),
    );
    let counts = 0;
    const count = async (): Promise<void> => void counts++;
    await runQuery(harness.connect(QueryService, servers), REQUEST, { ...call(), count });
    expect([asked, counts]).to.deep.equal([[true, false], 1]);
  });

  it('ends when the caller goes away', async () => {
    let hasStarted = false;
    const server = await harness.serve((router) =>
      router.service(QueryService, {
        async *execute(_, { signal }) {
          yield header;
          hasStarted = true;
          // Sleeps: an engine at work, until its caller goes away.
          await sleep(5_000, undefined, { signal });
        },
      }),
    );
    const gone = new AbortController();
    const failure = runQuery(harness.connect(QueryService, [server]), REQUEST, call(gone.signal)).catch(
      (error: unknown) => error,
    );
    await until(() => hasStarted);
    gone.abort();
    expect(await failure).to.include({ code: 'CANCELLED' });
  });

  it('takes a result that comes in one message, and asks for that', async () => {
    const server = await harness.serve((router) =>
      router.service(QueryService, {
        async *execute({ joinsParts }) {
          if (joinsParts) yield { ...header, ...batch('[1]'), ...trailer };
        },
      }),
    );
    const result = await runQuery(harness.connect(QueryService, [server]), REQUEST, call());
    expect(result.header.columns).to.deep.equal(['a']);
    expect(result.batches.map((each) => Buffer.from(each).toString())).to.deep.equal(['[1]']);
    expect(result.trailer.rowCount).to.equal(1);
  });

  describe('with engines that end', () => {
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
      return { port: (door.address() as AddressInfo).port, close: async () => end(), end };
    }

    /** Three engines, each of which ends a little after it was given something to do. */
    async function engines() {
      const started: number[] = [];
      const ends: (() => void)[] = [];
      const work = async (index: number, signal: AbortSignal): Promise<void> => {
        started.push(index);
        setTimeout(() => ends[index]!(), 50);
        // Sleeps: an engine at work, until it ends.
        await sleep(20_000, undefined, { signal });
      };
      const servers = await Promise.all(
        [0, 1, 2].map((index) =>
          harness.serve(
            (router) =>
              router.service(QueryService, {
                async *execute(_, { signal }) {
                  await work(index, signal);
                  yield trailer;
                },
                plan: async (_, { signal }) => {
                  await work(index, signal);
                  return {};
                },
              }),
            { drainTimeoutMs: 0 },
          ),
        ),
      );
      const doors = await Promise.all(servers.map(doorTo));
      ends.push(...doors.map((door) => door.end));
      return { client: harness.connect(QueryService, doors), started };
    }

    for (const [what, ask] of [
      ['runs', runQuery],
      ['plans', planQuery],
    ] as const)
      it(`${what} a statement on one other engine, and then says that none is there`, async () => {
        const { client, started } = await engines();
        const failure: unknown = await ask(client, REQUEST, call()).catch((error: unknown) => error);
        expect(failure).to.include({ code: 'UNAVAILABLE' });
        expect(started).to.have.length(2);
      });
  });
});
