import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { CatalogTable } from '../../src/catalog/table.ts';
import { createCatalog } from '../../src/clients/catalog.ts';
import type { CatalogClient, Resolution } from '../../src/clients/catalog-client.ts';
import { CATALOG_FRESH_MS, CATALOG_STALE_MS_MAX, CATALOG_WAIT_MS_MAX } from '../../src/limits.ts';

type Asked = Parameters<CatalogClient<CatalogTable>['resolve']>[1];

function table(tableName: string, version = '1'): CatalogTable {
  return {
    version,
    schemaName: 'app',
    tableName,
    access: { roleArn: 'r', externalId: 'e', region: 'us-east-1', tableAllowlist: [] },
    key: { partitionKey: { name: 'id', type: 'S' }, sortKey: null },
    indexes: [],
    itemCount: 0,
    sizeBytes: 0,
    attributes: [],
    sampledItems: 0,
  };
}

function setUp() {
  const clock = { ms: 1_000_000, now: () => clock.ms };
  const asked: Asked[] = [];
  const state: {
    answer: (reference: Asked[number]) => Resolution<CatalogTable> | Error;
    waitFor: Promise<unknown>;
  } = {
    waitFor: Promise.resolve(),
    answer: ({ table: name }) => ({ kind: 'table', table: table(name) }),
  };
  const catalog = createCatalog(
    {
      resolve: async (_, references) => {
        asked.push(references);
        await state.waitFor;
        return references.map((reference) => {
          const answer = state.answer(reference);
          if (answer instanceof Error) throw answer;
          return answer;
        });
      },
      report: async () => undefined,
    },
    clock,
  );
  const call = (tenantId = 't1') => ({
    tenantId,
    token: 'token',
    requestId: 'r1',
    signal: new AbortController().signal,
  });
  return { clock, asked, state, catalog, call };
}

const ORDERS = { schema: 'app', table: 'orders' };
const ITEMS = { schema: null, table: 'items' };
const AWAY = new PenstockError('UNAVAILABLE', 'The registry is not available; try again');

describe('the catalog', () => {
  it('asks once for a while, then by version', async () => {
    const { clock, asked, state, catalog, call } = setUp();
    const [first] = await catalog.resolve(call(), [ORDERS], true);
    clock.ms += CATALOG_FRESH_MS;
    expect((await catalog.resolve(call(), [ORDERS], true))[0]).to.equal(first);
    expect(asked).to.have.length(1);
    clock.ms += 1;
    state.answer = () => ({ kind: 'unchanged' });
    expect((await catalog.resolve(call(), [ORDERS], true))[0]).to.equal(first);
    expect(asked.map(([reference]) => reference?.knownVersion)).to.deep.equal([null, '1']);
    await catalog.resolve(call(), [ORDERS], true);
    expect(asked).to.have.length(2);
  });

  it('asks anew for a table of a version that was found outdated, however fresh', async () => {
    const { asked, state, catalog, call } = setUp();
    await catalog.resolve(call(), [ORDERS, ITEMS], true);
    state.answer = ({ table: name }) => ({ kind: 'table', table: table(name, '2') });
    const [orders, items] = await catalog.resolve(call(), [ORDERS, ITEMS], true, '1');
    expect(orders).to.deep.equal(table('orders', '2'));
    expect(items).to.deep.equal(table('items', '2'));
    expect(asked[1]).to.deep.equal([
      { ...ORDERS, knownVersion: '1', outdated: true },
      { ...ITEMS, knownVersion: '1', outdated: true },
    ]);
    await catalog.resolve(call(), [ORDERS], true, '1');
    expect(asked).to.have.length(2);
  });

  it('asks only for what it does not hold, and answers in order', async () => {
    const { asked, catalog, call } = setUp();
    await catalog.resolve(call(), [ITEMS], true);
    const answers = await catalog.resolve(call(), [ORDERS, ITEMS], true);
    expect(asked[1]).to.have.length(1);
    expect(answers).to.deep.equal([table('orders'), table('items')]);
  });

  it('keeps tenants apart', async () => {
    const { asked, catalog, call } = setUp();
    await catalog.resolve(call('t1'), [ORDERS], true);
    await catalog.resolve(call('t2'), [ORDERS], true);
    expect(asked).to.have.length(2);
    expect(asked[1]?.[0]?.knownVersion).to.equal(null);
  });

  it("asks anew where a sample may be taken and plan mode's answer had none", async () => {
    const { asked, catalog, call } = setUp();
    await catalog.resolve(call(), [ORDERS], false);
    await catalog.resolve(call(), [ORDERS], true);
    expect(asked[1]?.[0]?.knownVersion).to.equal(null);
    await catalog.resolve(call(), [ORDERS], false);
    expect(asked).to.have.length(2);
  });

  it('hands on the error of a table, and remembers none', async () => {
    const { state, asked, catalog, call } = setUp();
    const error = new PenstockError('TABLE_NOT_FOUND', 'Table not found: app.orders');
    state.answer = () => ({ kind: 'error', error });
    expect(await catalog.resolve(call(), [ORDERS], true)).to.deep.equal([error]);
    expect(await catalog.resolve(call(), [ORDERS], true)).to.deep.equal([error]);
    expect(asked).to.have.length(2);
  });

  it('serves what it holds for as long as a change may take, while the registry is away', async () => {
    const { clock, state, catalog, call } = setUp();
    await catalog.resolve(call(), [ORDERS], true);
    state.answer = () => AWAY;
    clock.ms += CATALOG_STALE_MS_MAX;
    expect(await catalog.resolve(call(), [ORDERS], true)).to.deep.equal([table('orders')]);
    clock.ms += 1;
    const failure = await catalog.resolve(call(), [ORDERS], true).catch((e: unknown) => e);
    expect(failure).to.equal(AWAY);
  });

  it('serves a table that it holds for as long, while the registry cannot say how it is, and checks it after that', async () => {
    const { clock, asked, state, catalog, call } = setUp();
    await catalog.resolve(call(), [ORDERS], true);
    state.answer = ({ table: name }) =>
      name === 'orders' ? { kind: 'error', error: AWAY } : { kind: 'table', table: table(name) };
    clock.ms += CATALOG_STALE_MS_MAX;
    expect(await catalog.resolve(call(), [ORDERS, ITEMS], true)).to.deep.equal([
      table('orders'),
      table('items'),
    ]);
    clock.ms += 1;
    expect(await catalog.resolve(call(), [ORDERS], true)).to.deep.equal([AWAY]);
    state.answer = () => ({ kind: 'unchanged' });
    expect(await catalog.resolve(call(), [ORDERS], true)).to.deep.equal([table('orders')]);
    expect(asked.at(-1)?.[0]?.knownVersion).to.equal('1');
  });

  it('does not serve a table that was found outdated, while the registry cannot say how it is', async () => {
    const { state, catalog, call } = setUp();
    await catalog.resolve(call(), [ORDERS], true);
    state.answer = () => ({ kind: 'error', error: AWAY });
    expect(await catalog.resolve(call(), [ORDERS], true, '1')).to.deep.equal([AWAY]);
  });

  it('waits not long for a registry that is slow where an entry may serve, and takes its answer when it comes', async () => {
    const { clock, state, catalog, call } = setUp();
    await catalog.resolve(call(), [ORDERS], true);
    clock.ms += CATALOG_FRESH_MS + 1;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    state.waitFor = promise;
    state.answer = ({ table: name }) => ({ kind: 'table', table: table(name, '2') });
    const started = performance.now();
    expect(await catalog.resolve(call(), [ORDERS], true)).to.deep.equal([table('orders')]);
    expect(performance.now() - started).to.be.within(0.9 * CATALOG_WAIT_MS_MAX, 2 * CATALOG_WAIT_MS_MAX);
    resolve(undefined);
    await setImmediate();
    expect(await catalog.resolve(call(), [ORDERS], true)).to.deep.equal([table('orders', '2')]);
  });

  it('waits for a slow registry as long as it takes where no entry may serve', async () => {
    const { clock, state, catalog, call } = setUp();
    await catalog.resolve(call(), [ORDERS], true);
    clock.ms += CATALOG_STALE_MS_MAX + 1;
    const slow = 2 * CATALOG_WAIT_MS_MAX;
    // Sleeps: it plays a slow registry.
    state.waitFor = sleep(slow);
    const started = performance.now();
    await catalog.resolve(call(), [ORDERS], true);
    expect(performance.now() - started).to.be.at.least(0.9 * slow);
  });

  it('serves no outdated table while the registry is away', async () => {
    const { state, catalog, call } = setUp();
    await catalog.resolve(call(), [ORDERS], true);
    state.answer = () => AWAY;
    expect(await catalog.resolve(call(), [ORDERS], true, '1').catch((e: unknown) => e)).to.equal(AWAY);
  });

  it('serves nothing that it never held', async () => {
    const { state, catalog, call } = setUp();
    await catalog.resolve(call(), [ORDERS], true);
    state.answer = () => AWAY;
    expect(await catalog.resolve(call(), [ORDERS, ITEMS], true).catch((e: unknown) => e)).to.equal(AWAY);
  });

  it('never serves the old answer for a refusal', async () => {
    const { clock, state, catalog, call } = setUp();
    await catalog.resolve(call(), [ORDERS], true);
    clock.ms += CATALOG_FRESH_MS + 1;
    const refusal = new PenstockError('UNAUTHORIZED', 'Unauthorized');
    state.answer = () => refusal;
    expect(await catalog.resolve(call(), [ORDERS], true).catch((e: unknown) => e)).to.equal(refusal);
  });
});
