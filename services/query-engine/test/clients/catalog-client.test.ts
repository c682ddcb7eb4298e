import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { CatalogService } from '@penstock/common/gen/penstock/schema/v1/catalog_pb.js';
import { expect } from 'chai';
import { createHarness, type Harness } from '../../../common/test/rpc/harness.ts';
import { toCatalogTable } from '../../src/clients/catalog-table.ts';
import { createCatalogClient } from '../../src/clients/catalog-client.ts';
import { REGISTRY_CHECK_MS_MAX, REGISTRY_PROBE_EVERY_MS } from '../../src/limits.ts';

describe('the registry as a client sees it', function () {
  this.timeout(90_000);
  let harness: Harness;
  beforeEach(async () => {
    harness = await createHarness();
  });
  afterEach(() => harness.close());

  async function ask(knownVersion: string | null): Promise<unknown> {
    const server = await harness.serve((router) =>
      router.service(CatalogService, {
        // Longer than a check may take, as long as sampling may.
        async resolveTables() {
          // Sleeps: it plays a slow registry.
          await sleep(REGISTRY_CHECK_MS_MAX + 1_000);
          return { tables: [{ result: { case: 'unchanged', value: {} } }] };
        },
      }),
    );
    const client = createCatalogClient(`ipv4:127.0.0.1:${server.port}`, toCatalogTable);
    const call = {
      tenantId: 't',
      token: await harness.signer.sign(),
      requestId: 'r',
      signal: new AbortController().signal,
    };
    const reference = { schema: 's', table: 't', knownVersion, outdated: false };
    try {
      return await client.resolve(call, [reference], true).catch((error: unknown) => error);
    } finally {
      client.close();
    }
  }

  it('is away when it does not say in time whether a known table is as it was', async () => {
    const started = Date.now();
    expect(await ask('v1')).to.include({ code: 'UNAVAILABLE', retryAfterS: 1 });
    expect(Date.now() - started).to.be.lessThan(REGISTRY_CHECK_MS_MAX + 1_000);
  });

  it('is away when it stops to answer at all while it looks at a table', async () => {
    // What a process that was stopped looks like: connections are taken, and nothing comes.
    const sockets = new Set<Socket>();
    const silent = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const client = createCatalogClient(
      `ipv4:127.0.0.1:${(silent.address() as AddressInfo).port}`,
      toCatalogTable,
    );
    const started = Date.now();
    try {
      const reference = { schema: 's', table: 't', knownVersion: null, outdated: false };
      const signal = new AbortController().signal;
      const call = { tenantId: 't', token: 'token', requestId: 'r', signal };
      const told: unknown = await client.resolve(call, [reference], true).catch((error: unknown) => error);
      expect(told).to.include({ code: 'UNAVAILABLE', retryAfterS: 1 });
      expect(told).to.have.property('message', 'The schema service did not answer in time; try again');
      expect(Date.now() - started).to.be.lessThan(REGISTRY_PROBE_EVERY_MS + REGISTRY_CHECK_MS_MAX + 2_000);
    } finally {
      client.close();
      for (const socket of sockets) socket.destroy();
      silent.close();
    }
  });

  it('may take its time with a table that it has to look at', async () => {
    expect(await ask(null)).to.deep.equal([{ kind: 'unchanged' }]);
  });
});
