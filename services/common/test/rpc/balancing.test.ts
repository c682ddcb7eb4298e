import { expect } from 'chai';
import { ConnectError } from '@connectrpc/connect';
import { CatalogService } from '../../src/gen/penstock/schema/v1/catalog_pb.js';
import { SchemaService } from '../../src/gen/penstock/schema/v1/schema_pb.js';
import { callOptions, createRpcClient } from '../../src/rpc/client.ts';
import { fromConnectError } from '../../src/rpc/error-mapping.ts';
import type { RpcServer } from '../../src/rpc/server.ts';
import { until, untilSome } from '../support/until.ts';
import { createHarness, rejection, type Harness } from './harness.ts';

describe('load-balanced RPC client', () => {
  let harness: Harness;
  const hits = [0, 0, 0];
  let servers: RpcServer[];

  const serveCounting = (index: number, port = 0): Promise<RpcServer> =>
    harness.serve(
      (router) =>
        router
          .service(SchemaService, {
            getSchema: ({ schemaName }) => {
              hits[index]! += 1;
              return { schemaName };
            },
          })
          .service(CatalogService, {}),
      { maxConnectionAgeMs: 60_000, port },
    );
  const options = async () => callOptions({ token: await harness.signer.sign(), requestId: 'r' });

  beforeEach(async () => {
    hits.fill(0);
    harness = await createHarness();
    servers = [await serveCounting(0), await serveCounting(1), await serveCounting(2)];
  });
  afterEach(() => harness.close());

  it('says when a replica can be reached, without a call, and when none can', async () => {
    const near = createRpcClient(SchemaService, {
      target: `ipv4:127.0.0.1:${servers[0]!.port}`,
      defaultTimeoutMs: 1_000,
    });
    expect(await near.connected(2_000)).to.equal(true);
    near.close();
    // An address of the loopback at which nobody listens: a port that was given back may be another program's by now.
    const away = createRpcClient(SchemaService, {
      target: `ipv4:127.0.0.77:${servers[2]!.port}`,
      defaultTimeoutMs: 1_000,
    });
    expect(await away.connected(300)).to.equal(false);
    away.close();
  });

  it('says that all replicas are away from the first attempt that failed until one can be reached', async () => {
    const [port = 0] = [servers[2]!.port];
    await servers[2]!.close();
    const client = createRpcClient(SchemaService, {
      target: `ipv4:127.0.0.1:${port}`,
      defaultTimeoutMs: 1_000,
    });
    expect(client.isAway()).to.equal(false);
    expect(await client.connected(300)).to.equal(false);
    expect(client.isAway()).to.equal(true);
    servers[2] = await serveCounting(2, port);
    // It listens, but calls fail until the client has tried again.
    expect(client.isAway()).to.equal(true);
    expect(await client.connected(5_000)).to.equal(true);
    expect(client.isAway()).to.equal(false);
    expect((await client.client.getSchema({ schemaName: 's' }, await options())).schemaName).to.equal('s');
    client.close();
  });

  it('spreads calls evenly over three servers', async () => {
    const client = harness.connect(SchemaService, servers);
    const opts = await options();
    // Connections to all of them are made once the first call is.
    await until(async () => {
      await client.getSchema({ schemaName: 'warm' }, opts);
      return hits.every((count) => count > 0);
    });
    hits.fill(0);
    for (let i = 0; i < 300; i++) await client.getSchema({ schemaName: 's' }, opts);
    for (const count of hits) expect(count).to.be.within(90, 110);
  });

  it('goes on without an error when one of three closes under load', async () => {
    const client = harness.connect(SchemaService, servers);
    const opts = await options();
    const failures: unknown[] = [];
    let done = 0;
    const worker = async (): Promise<void> => {
      for (let i = 0; i < 200; i++) {
        await client.getSchema({ schemaName: 's' }, opts).catch((error: unknown) => failures.push(error));
        done += 1;
        if (done === 200) void servers[1]!.close();
      }
    };
    await Promise.all([worker(), worker(), worker(), worker()]);
    expect(failures).to.deep.equal([]);
    expect(hits[0]! + hits[1]! + hits[2]!).to.be.at.least(800);
    expect(hits[1]).to.be.lessThan(150);
  });

  it('survives connections that are renewed all the time', async () => {
    const server = await harness.serve(
      (router) => router.service(SchemaService, { getSchema: ({ schemaName }) => ({ schemaName }) }),
      // On a busy machine a connection of 20 ms is too old before its first call, and so is the one that the call is tried on next.
      { maxConnectionAgeMs: 100 },
    );
    const client = harness.connect(SchemaService, [server]);
    const opts = await options();
    // A busy machine makes fewer calls in that time.
    const end = performance.now() + 1_000;
    let calls = 0;
    const worker = async (): Promise<void> => {
      while (performance.now() < end || calls <= 50) {
        await client.getSchema({ schemaName: 's' }, opts);
        calls += 1;
      }
    };
    await Promise.all([worker(), worker(), worker(), worker()]);
    expect(calls).to.be.greaterThan(50);
  });

  it('names the service that is away, in bounded time, and not its address', async () => {
    const client = harness.connect(SchemaService, servers);
    await Promise.all(servers.map((server) => server.close()));
    const error = await rejection(client.getSchema({ schemaName: 's' }, await options()));
    expect(error).to.be.instanceOf(ConnectError);
    const mapped = fromConnectError(error);
    expect(mapped.code).to.equal('UNAVAILABLE');
    expect(mapped.message).to.equal('The schema service is not available; try again');
    expect(mapped.retryAfterS).to.equal(1);
  });

  it('finds a server that comes back', async () => {
    const [server] = servers as [RpcServer];
    const client = harness.connect(SchemaService, [server]);
    const opts = await options();
    await client.getSchema({ schemaName: 's' }, opts);
    await server.close();
    await rejection(client.getSchema({ schemaName: 's' }, opts));
    await harness.serve(
      (router) => router.service(SchemaService, { getSchema: ({ schemaName }) => ({ schemaName }) }),
      { port: server.port },
    );
    const answered = (): Promise<string | null> =>
      client.getSchema({ schemaName: 'back' }, opts).then(
        ({ schemaName }) => schemaName,
        () => null,
      );
    expect(await untilSome(answered, { timeoutMs: 4_000, what: 'the server is found' })).to.equal('back');
  });
});
