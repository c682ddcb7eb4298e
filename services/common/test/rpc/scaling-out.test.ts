import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConnectError } from '@connectrpc/connect';
import { experimental } from '@grpc/grpc-js';
import { QueryService } from '../../src/gen/penstock/query/v1/query_pb.js';
import { callOptions, createRpcClient } from '../../src/rpc/client.ts';
import type { RpcServer } from '../../src/rpc/server.ts';
import { until } from '../support/until.ts';
import { createHarness, type Harness } from './harness.ts';

type Listener = ConstructorParameters<Parameters<typeof experimental.registerResolver>[1]>[1];

/** The servers behind each name: as DNS has them, a client learns of a change when it asks again. */
const names = new Map<string, readonly RpcServer[]>();

class TestNames {
  private readonly path: string;
  private readonly listener: Listener;

  constructor({ path }: { path: string }, listener: Listener) {
    this.path = path;
    this.listener = listener;
  }

  updateResolution(): void {
    const servers = names.get(this.path) ?? [];
    const value = servers.map(({ port }) => ({ addresses: [{ host: '127.0.0.1', port }] }));
    setImmediate(() => this.listener({ ok: true, value }, {}, null, ''));
  }

  destroy(): void {
    // It holds nothing.
  }

  static getDefaultAuthority({ path }: { path: string }): string {
    return path;
  }
}

const AGE_MS = 300;
const REQUEST = { sql: 'SELECT 1', maxRows: 1, timeoutMs: 5_000 };
const trailer = { trailer: { rowCount: 0, readUnits: 0 } };

describe('scaling out', () => {
  before(() => experimental.registerResolver('test-names', TestNames));

  let harness: Harness;
  let token: string;
  const hits = [0, 0];
  beforeEach(async () => {
    hits.fill(0);
    harness = await createHarness();
    token = await harness.signer.sign();
  });
  afterEach(() => harness.close());

  const serve = (index: number): Promise<RpcServer> =>
    harness.serve(
      (router) =>
        router.service(QueryService, {
          async *execute({ sql }) {
            hits[index]! += 1;
            // Sleeps: a call that outlives its connection's age.
            if (sql === 'long') await sleep(4 * AGE_MS);
            yield trailer;
          },
        }),
      { maxConnectionAgeMs: AGE_MS },
    );

  it('a new engine gets its share once connections are renewed; no call fails and those in flight end', async () => {
    const first = await serve(0);
    names.set('engines', [first]);
    const { client, close } = createRpcClient(QueryService, {
      target: 'test-names:engines',
      defaultTimeoutMs: 5_000,
      // A call that is longer than the age of its connection meets it, too.
      keepaliveIntervalMs: AGE_MS,
    });
    const once = async (sql: string): Promise<number> => {
      let parts = 0;
      for await (const _ of client.execute({ ...REQUEST, sql }, callOptions({ token, requestId: 'r' })))
        parts++;
      return parts;
    };
    // gRPC asks again by itself where a closing connection refused a call, once. Connections as young as these are closing
    // all the time, so on a slow machine the second may be closing, too: no engine has seen the call then.
    const run = (sql: string): Promise<number> =>
      once(sql).catch((error: unknown) => {
        if (error instanceof ConnectError && error.rawMessage.includes('refused')) return once(sql);
        throw error;
      });
    try {
      expect(await run('short')).to.equal(1);
      const long = run('long');
      names.set('engines', [first, await serve(1)]);
      await until(
        async () => {
          expect(await run('short')).to.equal(1);
          return hits[1]! > 0;
        },
        { timeoutMs: 10_000, what: 'the new engine is called' },
      );
      hits.fill(0);
      for (let i = 0; i < 100; i++) expect(await run('short')).to.equal(1);
      expect(hits[0]).to.be.within(30, 70);
      expect(await long).to.equal(1);
    } finally {
      close();
    }
  });
});
