import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../../services/common/test/support/until.ts';
import { CLIENT } from '../../../services/common/test/token/signer.ts';
import { EVERYTHING, startGateway, type TestGateway } from '../support/gateway.ts';

describe('tokens at the gateway', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
    gateway.fakes.schemas = { listSchemas: () => ({ items: [] }) };
  });
  afterEach(() => gateway.close());

  async function statusWith(authorization: string): Promise<number> {
    const { status } = await gateway.send('GET', '/v1/schemas', { as: null, headers: { authorization } });
    return status;
  }

  it('are taken from a Bearer header only', async () => {
    const token = await gateway.signer.sign();
    expect(await statusWith(`Bearer ${token}`)).to.equal(200);
    expect(await statusWith(`bearer ${token}`)).to.equal(200);
    for (const bad of [
      'Bearer',
      'Bearer ',
      `Basic ${token}`,
      token,
      `Bearer ${token} x`,
      `Bearer ${token}x`,
    ]) {
      expect(await statusWith(bad), bad.slice(0, 12)).to.equal(401);
    }
    const inQuery = await gateway.send('GET', `/v1/schemas?access_token=${token}`, { as: null });
    expect(inQuery.status).to.equal(401);
  });

  it('of MCP calls are refused', async () => {
    const internal = await gateway.signer.sign({ ...EVERYTHING, tokenType: 'mcp' });
    expect(await statusWith(`Bearer ${internal}`)).to.equal(401);
  });

  it('of a revoked generation are refused within the next poll, later ones are not', async () => {
    const old = `Bearer ${await gateway.signer.sign()}`;
    const renewed = `Bearer ${await gateway.signer.sign({ ...CLIENT, generation: 4 })}`;
    const other = `Bearer ${await gateway.signer.sign({ ...CLIENT, principalId: 'client-2', generation: 0 })}`;
    expect(await statusWith(old)).to.equal(200);
    gateway.fakes.tokens.listRevocations = () => ({
      revocations: [{ principalId: 'client-1', minimumGeneration: 4n }],
    });
    await until(async () => (await statusWith(old)) === 401, { what: 'the old one is refused' });
    expect(await statusWith(renewed)).to.equal(200);
    expect(await statusWith(other)).to.equal(200);
  });

  it('that were revoked stay so while auth is away, and good ones stay good', async () => {
    gateway.fakes.tokens.listRevocations = () => ({
      revocations: [{ principalId: 'client-1', minimumGeneration: 4n }],
    });
    const good = `Bearer ${await gateway.signer.sign({ ...CLIENT, principalId: 'client-2' })}`;
    const old = `Bearer ${await gateway.signer.sign()}`;
    await until(async () => (await statusWith(old)) === 401, { what: 'the old one is refused' });
    expect(await statusWith(good)).to.equal(200);
    let asked = 0;
    gateway.fakes.tokens.listRevocations = () => {
      asked++;
      throw new Error('away');
    };
    const complaints = () =>
      gateway.lines.filter(({ msg }) => String(msg).includes('revocations cannot be read'));
    await until(() => complaints().length > 0 && asked > 2, { what: 'auth was asked more than once' });
    expect(await statusWith(good)).to.equal(200);
    expect(await statusWith(old)).to.equal(401);
    expect(complaints()).to.have.length(1);
  });

  it('are answered 503 while they were never possible to check', async () => {
    const fresh = await startGateway();
    try {
      fresh.fakes.tokens = {};
      await sleep(50);
      const { status, body } = await fresh.send('GET', '/v1/schemas');
      expect(status).to.equal(503);
      expect(body.error.message).to.equal('Tokens cannot be checked at the moment; try again');
    } finally {
      await fresh.close();
    }
  });

  it('limit the requests of their tenant together, over all endpoints, and of no other', async () => {
    const slow = { rps: 1, burst: 3 };
    const as = (tenantId: string, principalId: string) => ({
      ...EVERYTHING,
      tenantId,
      principalId,
      rateLimit: slow,
    });
    const statuses: number[] = [];
    for (let i = 0; i < 5; i++) {
      statuses.push((await gateway.send('GET', '/v1/schemas', { as: as('t-a', `c-${i}`) })).status);
    }
    expect(statuses).to.deep.equal([200, 200, 200, 429, 429]);
    expect((await gateway.send('GET', '/v1/usage/summary', { as: as('t-a', 'c') })).status).to.equal(429);
    const refused = await gateway.send('GET', '/v1/schemas', { as: as('t-a', 'c') });
    expect(refused.headers.get('retry-after')).to.equal('1');
    expect(refused.body.error.code).to.equal('RATE_LIMITED');
    expect((await gateway.send('GET', '/v1/schemas', { as: as('t-b', 'c') })).status).to.equal(200);
  });

  it('without limits of their own are held to those of the deployment', async () => {
    const own = await startGateway({ rps: 1, burst: 2 });
    try {
      own.fakes.schemas = { listSchemas: () => ({ items: [] }) };
      const statuses: number[] = [];
      for (let i = 0; i < 3; i++) statuses.push((await own.send('GET', '/v1/schemas')).status);
      expect(statuses).to.deep.equal([200, 200, 429]);
    } finally {
      await own.close();
    }
  });

  it('that lack the scope are refused before they use up the limit', async () => {
    const as = { ...CLIENT, scopes: [], tenantId: 't-c', rateLimit: { rps: 1, burst: 1 } };
    for (let i = 0; i < 3; i++)
      expect((await gateway.send('GET', '/v1/schemas', { as })).status).to.equal(403);
  });
});
