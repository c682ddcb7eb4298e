import { expect } from 'chai';
import { createCheckedTables } from '../src/clients/checked-tables.ts';
import { BUDGETS_LOOK_MS } from '../src/host/limits.ts';
import { CATALOG_FRESH_MS } from '../src/limits.ts';
import { readEngineSettings, workerSettings } from '../src/settings.ts';

const REQUIRED = {
  PENSTOCK_RPC_PORT: '0',
  PENSTOCK_REDIS_URL: 'redis://127.0.0.1:1',
  PENSTOCK_AUTH_TARGET: 'ipv4:127.0.0.1:1',
  PENSTOCK_REGISTRY_TARGET: 'ipv4:127.0.0.1:1',
  PENSTOCK_USAGE_TARGET: 'ipv4:127.0.0.1:1',
  PENSTOCK_BASE_URL: 'http://127.0.0.1',
};

describe('intervals of an engine that its settings shorten', () => {
  it('are those of the contract where nothing is set', () => {
    const settings = readEngineSettings(REQUIRED);
    expect(settings.PENSTOCK_CATALOG_FRESH_MS).to.equal(CATALOG_FRESH_MS).and.to.be.below(5_000);
    expect(settings.PENSTOCK_BUDGETS_LOOK_MS).to.equal(BUDGETS_LOOK_MS).and.to.be.below(4_000);
    expect(workerSettings(settings, 0).catalogFreshMs).to.equal(CATALOG_FRESH_MS);
  });

  it('may be shorter, in workers as in their host, and not longer', () => {
    const settings = readEngineSettings({ ...REQUIRED, PENSTOCK_CATALOG_FRESH_MS: '500' });
    expect(workerSettings(settings, 0).catalogFreshMs).to.equal(500);
    for (const name of ['PENSTOCK_CATALOG_FRESH_MS', 'PENSTOCK_BUDGETS_LOOK_MS'])
      expect(() => readEngineSettings({ ...REQUIRED, [name]: '5000' })).to.throw(name);
  });

  it('are when tables are asked for again', async () => {
    let now = 1_000_000;
    let asked = 0;
    const source = {
      resolve: async () => {
        asked++;
        return [{ kind: 'table', table: { version: 'v', isSampled: true }, checkedAt: now } as const];
      },
    };
    const tables = createCheckedTables(source, { now: () => now }, 500);
    const call = { token: 't', tenantId: 'tnt_a', requestId: 'r', signal: new AbortController().signal };
    const resolve = () => tables.resolve(call, [{ schema: 's', table: 't' }], false);
    await resolve();
    now += 499;
    await resolve();
    expect(asked).to.equal(1);
    now += 2;
    await resolve();
    expect(asked).to.equal(2);
  });
});
