import { expect } from 'chai';
import { until } from '../../../../services/common/test/support/until.ts';
import { isAway, isOffline, waiting } from '../../../src/console/web/net/connection.ts';
import { ask } from '../../../src/console/web/net/request.ts';
import { guardShownOnce, secrets } from '../../../src/console/web/pages/access/shown-once.ts';

describe('A request while Penstock is away', () => {
  const { fetch } = globalThis;
  let isThere = false;
  let tries = 0;

  before(() => {
    globalThis.fetch = async () => {
      tries += 1;
      if (!isThere) throw new TypeError('fetch failed');
      return Response.json({ success: true, data: 'here' });
    };
  });
  beforeEach(() => {
    [isThere, tries] = [false, 0];
  });
  after(() => {
    globalThis.fetch = fetch;
    isOffline.value = false;
  });

  it('is tried again where it only looks, which is said', async () => {
    const asking = ask<string>('/v1/schemas');
    await until(() => waiting.value === 1, { what: 'a request that waits' });
    expect(isAway.value).to.equal(true);
    isThere = true;
    expect(await asking).to.deep.include({ ok: true, value: 'here' });
    expect([isAway.value, waiting.value]).to.deep.equal([false, 0]);
  });

  it('is not tried again where it may have changed something, and nothing says that it is', async () => {
    const outcome = await ask('/v1/schemas', { method: 'POST', body: {} });
    expect([outcome.ok, tries, isAway.value, waiting.value]).to.deep.equal([false, 1, true, 0]);
  });

  it('is sent once the browser is online again, whatever it is: it had not left', async () => {
    isOffline.value = true;
    const asking = ask<string>('/v1/query', { method: 'POST', body: {} });
    await until(() => waiting.value === 1, { what: 'a request that waits' });
    isThere = true;
    isOffline.value = false;
    expect(await asking).to.deep.include({ ok: true, value: 'here' });
    expect(tries).to.be.greaterThan(1);
  });
});

describe('A secret that is shown this once', () => {
  const client = { clientId: 'c', name: 'n' } as (typeof secrets.shown.value)[number]['client'];

  it('stays until it is stored, beside one that comes later, and the browser asks before it is lost', () => {
    const page = new EventTarget();
    const leaves = (): boolean => page.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    const end = guardShownOnce(page);
    const [first, second] = [
      { client, clientSecret: 's1' },
      { client, clientSecret: 's2' },
    ];
    expect(leaves()).to.equal(true);
    secrets.show(first);
    secrets.show(second);
    expect(secrets.shown.value).to.deep.equal([second, first]);
    expect(leaves()).to.equal(false);
    secrets.forget(second);
    expect([secrets.shown.value, leaves()]).to.deep.equal([[first], false]);
    secrets.forget(first);
    expect(leaves()).to.equal(true);
    end();
  });
});
