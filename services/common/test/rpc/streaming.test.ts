import { create, toBinary } from '@bufbuild/protobuf';
import { expect } from 'chai';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { PenstockError } from '../../src/errors/penstock-error.ts';
import { ExecuteResponseSchema, QueryService } from '../../src/gen/penstock/query/v1/query_pb.js';
import { usageIdOf } from '../../src/rpc/call-context.ts';
import { encodedAs } from '../../src/rpc/grpc/encoded-message.ts';
import { callOptions, createRpcClient } from '../../src/rpc/client.ts';
import { fromConnectError } from '../../src/rpc/error-mapping.ts';
import { until, untilSome } from '../support/until.ts';
import { createHarness, rejection, type Harness } from './harness.ts';

const BATCH_BYTES = 64 * 1024;
const MIB = 1024 * 1024;
const REQUEST = { sql: 'SELECT 1', maxRows: 100, timeoutMs: 60_000 };

async function drain(messages: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _ of messages) count += 1;
  return count;
}

describe('RPC streams', () => {
  let harness: Harness;
  let token: string;
  beforeEach(async () => {
    harness = await createHarness();
    token = await harness.signer.sign();
  });
  afterEach(() => harness.close());

  const batch = (bytes = BATCH_BYTES) => ({ rows: { json: new Uint8Array(bytes).fill(49), rowCount: 1 } });

  it('deliver header, rows and trailer in order', async () => {
    const server = await harness.serve((router) =>
      router.service(QueryService, {
        async *execute() {
          yield { header: { columns: ['a'], columnTypes: ['BIGINT'] } };
          yield { rows: { json: Buffer.from('[1],[2]'), rowCount: 2 } };
          yield { trailer: { rowCount: 2, readUnits: 0.5 } };
        },
      }),
    );
    const client = harness.connect(QueryService, [server]);
    const parts: string[] = [];
    for await (const { header, rows } of client.execute(REQUEST, callOptions({ token, requestId: 'r' }))) {
      const last = header === undefined ? 'trailer' : 'header';
      parts.push(rows === undefined ? last : Buffer.from(rows.json).toString());
    }
    expect(parts).to.deep.equal(['header', '[1],[2]', 'trailer']);
  });

  it('send what is encoded already as it is, in its pieces', async () => {
    const large = new Uint8Array(100_000).fill(50);
    const given = { rows: { json: large, rowCount: 3 } };
    const bytes = toBinary(ExecuteResponseSchema, create(ExecuteResponseSchema, given));
    const server = await harness.serve((router) =>
      router.service(QueryService, {
        async *execute() {
          for (const cuts of [[0], [0, 3], [0, 0, 70_000, 70_000]]) {
            const pieces = cuts.map((from, i) => bytes.subarray(from, cuts[i + 1]));
            // What the message itself says is not looked at.
            yield encodedAs(create(ExecuteResponseSchema), pieces);
          }
        },
      }),
    );
    const client = harness.connect(QueryService, [server]);
    let count = 0;
    for await (const { rows } of client.execute(REQUEST, callOptions({ token, requestId: 'r' }))) {
      expect(rows?.rowCount).to.equal(3);
      expect(Buffer.from(rows!.json).equals(large)).to.equal(true);
      count++;
    }
    expect(count).to.equal(3);
  });

  it('stop at a consumer that is slow, and hold little of 8 MiB meanwhile', async () => {
    let produced = 0;
    const total = (8 * MIB) / BATCH_BYTES;
    const server = await harness.serve((router) =>
      router.service(QueryService, {
        async *execute() {
          for (let i = 0; i < total; i++) {
            produced += 1;
            yield batch();
          }
        },
      }),
    );
    const client = harness.connect(QueryService, [server]);
    let taken = 0;
    let widestGap = 0;
    for await (const _ of client.execute(REQUEST, callOptions({ token, requestId: 'r' }))) {
      taken += 1;
      if (taken % 16 === 1) await sleep(40);
      widestGap = Math.max(widestGap, produced - taken);
    }
    expect(taken).to.equal(total);
    expect(widestGap * BATCH_BYTES).to.be.at.most(MIB);
  });

  it('take messages of 15 MiB', async () => {
    const server = await harness.serve((router) =>
      router.service(QueryService, {
        async *execute() {
          yield batch(15 * MIB);
        },
      }),
    );
    const client = harness.connect(QueryService, [server]);
    let bytes = 0;
    for await (const { rows } of client.execute(REQUEST, callOptions({ token, requestId: 'r' }))) {
      bytes += rows?.json.length ?? 0;
    }
    expect(bytes).to.equal(15 * MIB);
  });

  it('refuse a message above 16 MiB with an error', async () => {
    const server = await harness.serve((router) =>
      router.service(QueryService, {
        async *execute() {
          yield batch(17 * MIB);
        },
      }),
    );
    const client = harness.connect(QueryService, [server]);
    const error = await rejection(drain(client.execute(REQUEST, callOptions({ token, requestId: 'r' }))));
    expect(fromConnectError(error).code).to.equal('INTERNAL');
  });

  it('end in the error that the handler throws after some rows', async () => {
    const server = await harness.serve((router) =>
      router.service(QueryService, {
        async *execute() {
          yield batch(10);
          throw new PenstockError('EXECUTION_ERROR', 'Overflow', { detail: 'in SUM' });
        },
      }),
    );
    const client = harness.connect(QueryService, [server]);
    const error = await rejection(drain(client.execute(REQUEST, callOptions({ token, requestId: 'r' }))));
    expect(fromConnectError(error)).to.include({
      code: 'EXECUTION_ERROR',
      message: 'Overflow',
      detail: 'in SUM',
    });
  });

  it('tell the handler within 100 ms that the caller is gone', async () => {
    let abortedAt = 0;
    const server = await harness.serve((router) =>
      router.service(QueryService, {
        async *execute(_, context) {
          context.signal.addEventListener('abort', () => (abortedAt = performance.now()));
          for (;;) {
            yield batch(10);
            await sleep(10, undefined, { signal: context.signal });
          }
        },
      }),
    );
    const client = harness.connect(QueryService, [server]);
    const controller = new AbortController();
    let cancelledAt = 0;
    const outcome = rejection(
      (async () => {
        let count = 0;
        for await (const _ of client.execute(
          REQUEST,
          callOptions({ token, requestId: 'gone', signal: controller.signal }),
        )) {
          count += 1;
          if (count === 3) {
            cancelledAt = performance.now();
            controller.abort();
          }
        }
      })(),
    );
    expect(fromConnectError(await outcome).code).to.equal('CANCELLED');
    await until(() => abortedAt > 0, { what: 'the handler hears of it' });
    expect(abortedAt - cancelledAt).to.be.within(0, 100);
    const line = () => harness.lines.find(({ requestId, msg }) => requestId === 'gone' && msg === 'rpc');
    expect(await untilSome(line, { what: 'the call is logged' })).to.include({ code: 'Canceled' });
  });

  it('end at their deadline while messages keep coming', async () => {
    const server = await harness.serve((router) =>
      router.service(QueryService, {
        async *execute(_, context) {
          while (!context.signal.aborted) {
            yield batch(10);
            await sleep(5);
          }
        },
      }),
    );
    const client = harness.connect(QueryService, [server]);
    const calling = drain(client.execute(REQUEST, callOptions({ token, requestId: 'r', timeoutMs: 100 })));
    expect(fromConnectError(await rejection(calling)).code).to.equal('TIMEOUT');
  });

  it('finish while the server drains, and fail when the drain has run out of time', async () => {
    const slow = (delayMs: number) =>
      harness.serve(
        (router) =>
          router.service(QueryService, {
            async *execute(_, context) {
              yield batch(10);
              await sleep(delayMs, undefined, { signal: context.signal });
              yield batch(10);
            },
          }),
        { drainTimeoutMs: 300 },
      );
    const outcomes: (number | string)[] = [];
    for (const delayMs of [100, 5_000]) {
      const server = await slow(delayMs);
      const client = harness.connect(QueryService, [server]);
      const calling = drain(client.execute(REQUEST, callOptions({ token, requestId: 'r' }))).catch(
        (error: unknown) => fromConnectError(error).code,
      );
      await sleep(50);
      const start = performance.now();
      await server.close();
      expect(performance.now() - start).to.be.below(4_000);
      outcomes.push(await calling);
    }
    expect(outcomes).to.deep.equal([2, 'UNAVAILABLE']);
  });

  it('are not repeated by themselves when the connection breaks before their first message', async () => {
    // The server may live, and count what it read under the usage ID: whoever repeats the call has to give another.
    const usageIds: (string | null)[] = [];
    const serving = () =>
      harness.serve((router) =>
        router.service(QueryService, {
          async *execute(_, context) {
            usageIds.push(usageIdOf(context));
            // Sleeps: an engine at work, whose connection breaks meanwhile.
            await sleep(2_000, undefined, { signal: context.signal });
            yield batch();
          },
        }),
      );
    const ways = await Promise.all([await serving(), await serving()].map(({ port }) => breakableWay(port)));
    const { client, close } = createRpcClient(QueryService, {
      target: `ipv4:${ways.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
      defaultTimeoutMs: 5_000,
    });
    try {
      const call = callOptions({ token, requestId: 'r', usageId: 'one' });
      const running = rejection(drain(client.execute(REQUEST, call)));
      await until(() => usageIds.length > 0);
      for (const way of ways) way.break();
      expect(fromConnectError(await running)).to.have.property('code', 'UNAVAILABLE');
      expect(usageIds).to.deep.equal(['one']);
    } finally {
      close();
      for (const way of ways) way.close();
    }
  });
});

/** A way to a port of this machine whose connections can be broken while both ends live. */
async function breakableWay(to: number): Promise<{ port: number; break(): void; close(): void }> {
  const sockets = new Set<Socket>();
  const way = createServer((from) => {
    const onward = connect(to, '127.0.0.1');
    for (const socket of [from, onward]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    from.pipe(onward).pipe(from);
  });
  await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve));
  const breakAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (way.address() as AddressInfo).port,
    break: breakAll,
    close: () => {
      breakAll();
      way.close();
    },
  };
}
