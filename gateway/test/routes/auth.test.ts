import { expect } from 'chai';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';

describe('/v1/auth', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
    Object.assign(gateway.fakes.tokens, {
      issueToken: ({ clientId, clientSecret }: { clientId: string; clientSecret: string }) => {
        if (clientSecret !== 'right') throw new PenstockError('UNAUTHORIZED', 'Unauthorized');
        return { accessToken: `for ${clientId}`, refreshToken: 'again', expiresInS: 3600 };
      },
      refreshToken: ({ refreshToken }: { refreshToken: string }) => {
        if (refreshToken !== 'again') throw new PenstockError('UNAUTHORIZED', 'Unauthorized');
        return { accessToken: 'new', expiresInS: 3600 };
      },
    });
  });
  afterEach(() => gateway.close());

  const token = (json: unknown, headers: Record<string, string> = {}) =>
    gateway.send('POST', '/v1/auth/token', { json, headers, as: null });
  const refresh = (json: unknown) => gateway.send('POST', '/v1/auth/refresh', { json, as: null });

  it('exchanges credentials for a token pair that nobody may store', async () => {
    const { status, body, headers } = await token({ clientId: 'c', clientSecret: 'right' });
    expect(status).to.equal(200);
    expect(body).to.deep.equal({
      success: true,
      data: { accessToken: 'for c', refreshToken: 'again', expiresIn: 3600, tokenType: 'Bearer' },
    });
    expect(Object.keys(body.data)).to.deep.equal(['accessToken', 'refreshToken', 'expiresIn', 'tokenType']);
    expect(headers.get('cache-control')).to.equal('no-store');
  });

  it('exchanges a refresh token for an access token', async () => {
    const { status, body, headers } = await refresh({ refreshToken: 'again' });
    expect(status).to.equal(200);
    expect(body).to.deep.equal({ success: true, data: { accessToken: 'new', expiresIn: 3600 } });
    expect(headers.get('cache-control')).to.equal('no-store');
  });

  it('answers wrong credentials with 401, and logs none of them', async () => {
    const answer = await token({ clientId: 'c', clientSecret: 'wr0ng-secret' });
    expect(answer.status).to.equal(401);
    expect(answer.body.error).to.deep.equal({
      message: 'Unauthorized',
      code: 'UNAUTHORIZED',
      requestId: answer.headers.get('x-request-id'),
    });
    expect((await refresh({ refreshToken: 'wr0ng-secret' })).status).to.equal(401);
    expect(JSON.stringify(gateway.lines)).to.not.contain('wr0ng-secret');
  });

  for (const [json, named] of [
    [{ clientId: 'c' }, 'clientSecret is required'],
    [{ clientId: 7, clientSecret: 's' }, 'clientId must be a string'],
    [{ clientId: '', clientSecret: 's' }, 'clientId must not be empty'],
    [{ clientId: 'c', clientSecret: 'x'.repeat(513) }, 'clientSecret must have at most 512 characters'],
    [{ clientId: 'c', clientSecret: 's', extra: 1 }, 'Unknown field: extra'],
  ] as const) {
    it(`refuses a body: ${named}`, async () => {
      const { status, body } = await token(json);
      expect(status).to.equal(400);
      expect(body.error).to.include({ code: 'VALIDATION_ERROR', message: named });
    });
  }

  it('refuses a refresh without its token', async () => {
    expect((await refresh({})).body.error.message).to.equal('refreshToken is required');
  });

  it('refuses wrong secrets after 300 of an address, right ones never', async function () {
    this.timeout(90_000);
    const from = (address: string) => ({ 'x-forwarded-for': address });
    for (let i = 0; i < 300; i += 30) {
      await Promise.all(
        Array.from({ length: 30 }, () => token({ clientId: 'c', clientSecret: 'wrong' }, from('192.0.2.1'))),
      );
    }
    const refused = await token({ clientId: 'c', clientSecret: 'wrong' }, from('192.0.2.1'));
    expect(refused.status).to.equal(429);
    expect(refused.body.error.code).to.equal('RATE_LIMITED');
    expect(Number(refused.headers.get('retry-after'))).to.be.within(880, 900);
    for (const address of ['192.0.2.1', '192.0.2.2'])
      expect((await token({ clientId: 'c', clientSecret: 'right' }, from(address))).status).to.equal(200);
    expect((await token({ clientId: 'c', clientSecret: 'wrong' }, from('192.0.2.2'))).status).to.equal(401);
  });

  it('does not count right secrets', async () => {
    for (let i = 0; i < 310; i++) await token({ clientId: 'c', clientSecret: 'right' });
    expect((await token({ clientId: 'c', clientSecret: 'right' })).status).to.equal(200);
  });

  it('answers 503 when auth is away', async () => {
    await gateway.services.close();
    const { status, body, headers } = await token({ clientId: 'c', clientSecret: 'right' });
    expect(status).to.equal(503);
    expect(body.error.message).to.equal('The auth service is not available; try again');
    expect(headers.get('retry-after')).to.equal('1');
  });
});
