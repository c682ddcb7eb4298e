import { expect } from 'chai';
import { admin } from '../../../../deploy/local/src/seed/admin.ts';
import type { RunningStack } from '../../../../deploy/local/src/stack/stack.ts';
import { until, untilSome } from '../../../../services/common/test/support/until.ts';
import { http } from '../support/http.ts';
import { sharedStack, STACK_START_TIMEOUT_MS } from '../support/stack.ts';
import {
  newClient,
  newTenant,
  tenantWith,
  tokenOf,
  type Envelope,
  type TestTenant,
} from '../support/tenant.ts';

/** Disabling and rotating take effect on every replica within three seconds. */
const REVOCATION_MS_MAX = 3_000;

describe('contract: authentication', function () {
  this.timeout(STACK_START_TIMEOUT_MS);
  let stack: RunningStack;
  let tenant: TestTenant;
  const post = (path: string, json: unknown) => http<Envelope>('POST', `${stack.baseUrl}${path}`, { json });

  before(async () => {
    stack = await sharedStack();
    tenant = await newTenant(stack);
  });

  it('exchanges client credentials for a token pair of one hour', async () => {
    const { clientId, clientSecret } = tenant.credentials;
    const answer = await post('/v1/auth/token', { clientId, clientSecret });
    expect(answer.status).to.equal(200);
    expect(Object.keys(answer.body)).to.deep.equal(['success', 'data']);
    const data = answer.body.data!;
    expect(Object.keys(data)).to.deep.equal(['accessToken', 'refreshToken', 'expiresIn', 'tokenType']);
    expect(data['expiresIn']).to.equal(3600);
    expect(data['tokenType']).to.equal('Bearer');
    const claims = JSON.parse(
      Buffer.from(String(data['accessToken']).split('.')[1]!, 'base64url').toString(),
    ) as Record<string, unknown>;
    expect(claims['tenantId']).to.equal(tenant.tenantId);
    expect(answer.headers.get('cache-control')).to.equal('no-store');
  });

  it('exchanges a refresh token, more than once, for an access token and no new refresh token', async () => {
    const { clientId, clientSecret } = tenant.credentials;
    const issued = await post('/v1/auth/token', { clientId, clientSecret });
    const refreshToken = issued.body.data!['refreshToken'];
    for (const _ of [1, 2]) {
      const answer = await post('/v1/auth/refresh', { refreshToken });
      expect(answer.status).to.equal(200);
      expect(Object.keys(answer.body.data!)).to.deep.equal(['accessToken', 'expiresIn']);
      const token = String(answer.body.data!['accessToken']);
      expect((await tenant.call('GET', '/v1/schemas', { token })).status).to.equal(200);
    }
  });

  it('answers wrong secrets and unknown clients alike', async () => {
    const { clientId, clientSecret } = tenant.credentials;
    const wrong = await post('/v1/auth/token', { clientId, clientSecret: `${clientSecret}x` });
    const unknown = await post('/v1/auth/token', { clientId: 'nobody', clientSecret });
    for (const answer of [wrong, unknown]) {
      expect(answer.status).to.equal(401);
      expect(answer.body.error!.code).to.equal('UNAUTHORIZED');
      expect(answer.body.error!.requestId).to.equal(answer.headers.get('x-request-id'));
    }
    expect(wrong.body.error!.message).to.equal(unknown.body.error!.message);
    expect((await post('/v1/auth/refresh', { refreshToken: 'pst_nothing' })).status).to.equal(401);
  });

  it('names the field that is missing, wrong or unknown', async () => {
    for (const [json, field] of [
      [{ clientId: 'x' }, 'clientSecret'],
      [{ clientId: 7, clientSecret: 'x' }, 'clientId'],
      [{ clientId: 'x', clientSecret: 'y', clientSecrte: 'z' }, 'clientSecrte'],
    ] as const) {
      const answer = await post('/v1/auth/token', json);
      expect(answer.status).to.equal(400);
      expect(answer.body.error!.code).to.equal('VALIDATION_ERROR');
      expect(answer.body.error!.message).to.include(field);
    }
    expect((await post('/v1/auth/refresh', {})).body.error!.message).to.include('refreshToken');
  });

  it('refuses every request without a good token as Unauthorized', async () => {
    const [header, payload] = tenant.token.split('.');
    const none = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url');
    const cases: readonly (readonly [authorization: string | undefined, why: string])[] = [
      [undefined, 'has no token: send Authorization'],
      ['Bearer', 'The Authorization header has no token'],
      ['Bearer nonsense', 'not one that this service signed'],
      [`Basic ${Buffer.from('a:b').toString('base64')}`, 'The Authorization header has no token'],
      [`Bearer ${header}.${payload}.AAAA`, 'not one that this service signed'],
      [`Bearer ${none}.${payload}.`, 'not one that this service signed'],
    ];
    for (const [authorization, why] of cases) {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
      const answer = await http<Envelope>('GET', `${stack.baseUrl}/v1/schemas`, { headers });
      expect(answer.status, authorization).to.equal(401);
      expect(answer.body.error!.message).to.equal('Unauthorized');
      const challenge = answer.headers.get('www-authenticate') ?? '';
      if (why.startsWith('not')) expect(challenge).to.include('error="invalid_token"').and.to.include(why);
      else expect(challenge).to.equal('Bearer realm="penstock"');
      const query = await http<{ error: string; detailedError: string }>(
        'POST',
        `${stack.baseUrl}/v1/query`,
        {
          ...{ headers, json: {} },
        },
      );
      expect(query.status).to.equal(401);
      expect(query.body.error).to.equal('Unauthorized');
      expect(query.body.detailedError).to.include(why);
    }
  });

  it('gives new clients query and schemas:read by default', async () => {
    const credentials = await admin<{ clientId: string; clientSecret: string }>(
      stack.dataDir,
      ...['client', 'create', '--tenant', tenant.tenantId, '--name', 'default scopes'],
    );
    const client = await tenantWith(stack, tenant.tenantId, credentials);
    expect((await client.call('GET', '/v1/schemas')).status).to.equal(200);
    expect((await client.call('GET', '/v1/usage/summary')).status).to.equal(403);
  });

  it('ends the tokens of a disabled client and of a rotated secret within three seconds', async () => {
    const [disabled, rotated] = [
      await newClient(stack, tenant.tenantId, 'schemas:read'),
      await newClient(stack, tenant.tenantId, 'schemas:read'),
    ];
    const tokens = [await tokenOf(stack, disabled), await tokenOf(stack, rotated)];
    await admin(stack.dataDir, 'client', 'disable', '--client', disabled.clientId);
    const fresh = await admin<{ clientSecret: string }>(
      stack.dataDir,
      ...['client', 'rotate-secret', '--client', rotated.clientId],
    );
    const statuses = () =>
      Promise.all(tokens.map(async (token) => (await tenant.call('GET', '/v1/schemas', { token })).status));
    await until(async () => (await statuses()).every((status) => status === 401), {
      timeoutMs: REVOCATION_MS_MAX,
      what: 'both tokens are refused',
    });
    expect((await post('/v1/auth/token', { ...disabled })).status).to.equal(401);
    expect((await post('/v1/auth/token', { ...rotated })).status).to.equal(401);
    const again = await tokenOf(stack, { clientId: rotated.clientId, clientSecret: fresh.clientSecret });
    expect((await tenant.call('GET', '/v1/schemas', { token: again })).status).to.equal(200);
  });

  it('rotates signing keys without ending anybody’s token', async () => {
    const before = await http<{ keys: { kid: string }[] }>('GET', `${stack.baseUrl}/.well-known/jwks.json`);
    await admin(stack.dataDir, 'key', 'rotate');
    const kid = (t: string): string =>
      (JSON.parse(Buffer.from(t.split('.')[0]!, 'base64url').toString()) as { kid: string }).kid;
    const withNewKey = async (): Promise<string | null> => {
      const token = await tokenOf(stack, tenant.credentials);
      return kid(token) === kid(tenant.token) ? null : token;
    };
    const token = await untilSome(withNewKey, {
      timeoutMs: REVOCATION_MS_MAX,
      what: 'tokens are signed with the new key',
    });
    expect((await tenant.call('GET', '/v1/schemas')).status).to.equal(200);
    expect((await tenant.call('GET', '/v1/schemas', { token })).status).to.equal(200);
    expect(before.body.keys.map((key) => key.kid)).to.include(kid(tenant.token));
    expect(JSON.stringify(before.body)).to.not.include('"d"');
  });
});
