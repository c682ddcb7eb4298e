import { expect } from 'chai';
import { ConnectError } from '@connectrpc/connect';
import { CatalogService } from '../../src/gen/penstock/schema/v1/catalog_pb.js';
import { SchemaService } from '../../src/gen/penstock/schema/v1/schema_pb.js';
import { callOptions, createRpcClient } from '../../src/rpc/client.ts';
import { fromConnectError } from '../../src/rpc/error-mapping.ts';
import type { RpcServer } from '../../src/rpc/server.ts';
import { createHarness, rejection, type Harness } from './harness.ts';

describe('load-balanced RPC client', () => {
  let harness: Harness;
  const hits = [0, 0, 0];
  let servers: RpcServer[];

  const serveCounting = (index: number): Promise<RpcServer> =>
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
      { maxConnectionAgeMs: 60_000 },
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
    const gone = servers[2]!.port;
    await servers[2]!.close();
    const away = createRpcClient(SchemaService, {
      target: `ipv4:127.0.0.1:${gone}`,
      defaultTimeoutMs: 1_000,
    });
    expect(await away.connected(300)).to.equal(false);
    away.close();
  });

  it('spreads calls evenly over three servers', async () => {
    const client = harness.connect(SchemaService, servers);
    const opts = await options();
    await client.getSchema({ schemaName: 'warm' }, opts);
    await new Promise((resolve) => setTimeout(resolve, 200));
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
      { maxConnectionAgeMs: 20 },
    );
    const client = harness.connect(SchemaService, [server]);
    const opts = await options();
    const until = performance.now() + 500;
    let calls = 0;
    const worker = async (): Promise<void> => {
      while (performance.now() < until) {
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
    const until = Date.now() + 4_000;
    let answer: string | null = null;
    while (answer === null && Date.now() < until) {
      answer = await client.getSchema({ schemaName: 'back' }, opts).then(
        ({ schemaName }) => schemaName,
        () => null,
      );
      if (answer === null) await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(answer).to.equal('back');
  });
});
