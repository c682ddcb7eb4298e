import { expect } from 'chai';
import { createTokenVerifier } from '@penstock/common/token/verifier.ts';
import type { JSONWebKeySet } from 'jose';
import { useStage } from '../support/stage.ts';
import { failureOf, issuer } from '../support/auth-server.ts';
import { brief, granted, refusalOf, remoteAddress } from '../support/sign-in.ts';

describe('ExchangeToken of API clients', function () {
  this.timeout(90_000);
  const stage = useStage();
  let api: { clientId: string; clientSecret: string };

  beforeEach(async () => {
    api = await stage.newClient();
  });

  const basic = (id: string, secret: string): string =>
    `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`;
  const ask = (
    client: { authorization?: string; clientId?: string; clientSecret?: string },
    change: { scope?: string; resource?: string[]; remoteAddress?: string } = {},
  ) =>
    stage.one.oauth.exchangeToken({
      client,
      grant: { case: 'clientCredentials', value: {} },
      remoteAddress,
      ...change,
    });

  it('takes the secret from HTTP Basic and from the form, and gives no refresh token', async () => {
    for (const client of [{ authorization: basic(api.clientId, api.clientSecret) }, api]) {
      const tokens = granted(await ask(client));
      expect({ ...tokens, accessToken: '' }).to.deep.include({
        tokenType: 'Bearer',
        expiresIn: 600,
        scope: 'query schemas:read',
      });
      expect(tokens.refreshToken).to.equal(undefined);
    }
  });

  it('gives a token that stands for the client at /mcp', async () => {
    const { accessToken } = granted(await ask(api, { scope: 'query' }));
    const verified = await stage.two.oauth.verifyAccessToken({ accessToken });
    expect(verified).to.include({
      clientId: api.clientId,
      principalId: api.clientId,
      principalType: 'client',
      tenantId: stage.tenantId,
      resource: 'http://mcp.test/mcp',
    });
    expect(verified.scopes).to.deep.equal(['query']);
    expect(Number(verified.expiresAt)).to.be.closeTo(Date.now() / 1000 + 600, 60);
    const verifier = createTokenVerifier({
      issuer,
      fetchKeySet: async () => JSON.parse((await stage.one.tokens.getKeySet({})).jwksJson) as JSONWebKeySet,
    });
    expect(await verifier.verify(verified.internalToken)).to.deep.include({
      tenantId: stage.tenantId,
      principalId: api.clientId,
      principalType: 'client',
      scopes: ['query'],
      role: null,
      tokenType: 'mcp',
    });
  });

  it('carries the limits of the tenant', async () => {
    await stage.one.admin.setTenantLimits({ tenantId: stage.tenantId, rateLimitRps: 7 }, stage.one.operator);
    const { accessToken } = granted(await ask(api));
    expect(await stage.two.oauth.verifyAccessToken({ accessToken })).to.include({
      rateLimitRps: 7,
      rateLimitBurst: 100,
    });
  });

  describe('scopes', () => {
    it('are those that the client has, of MCP', async () => {
      const writer = await stage.newClient(['schemas:read', 'schemas:write']);
      expect(granted(await ask(writer)).scope).to.equal('schemas:read');
    });
    it('beyond those of the client are refused', async () => {
      const reader = await stage.newClient(['schemas:read']);
      for (const scope of ['query', 'query schemas:read', 'openid query']) {
        expect(brief(refusalOf(await ask(reader, { scope })))).to.equal('400 invalid_scope');
      }
    });
    it('that are no MCP scopes are ignored', async () => {
      expect(granted(await ask(api, { scope: 'openid schemas:write query' })).scope).to.equal('query');
      expect(granted(await ask(api, { scope: 'offline_access' })).scope).to.equal('query schemas:read');
    });
    it('cannot be none', async () => {
      const writer = await stage.newClient(['schemas:write']);
      expect(brief(refusalOf(await ask(writer)))).to.equal('400 invalid_scope');
    });
  });

  it('refuses wrong credentials alike, whoever they are of', async () => {
    const other = await stage.newClient();
    const disabled = await stage.newClient();
    await stage.one.admin.disableClient({ clientId: disabled.clientId }, stage.one.operator);
    const wrong = [
      { ...api, clientSecret: 'pst_cs_wrong' },
      { ...api, clientId: 'cli_unknown' },
      { ...api, clientSecret: other.clientSecret },
      { authorization: basic(api.clientId, 'wrong') },
      { clientId: api.clientId },
      disabled,
    ];
    for (const client of wrong) {
      const failure = refusalOf(await ask(client));
      expect(brief(failure)).to.equal('401 invalid_client');
      expect(failure.errorDescription).to.equal('client authentication failed');
      expect(failure.wwwAuthenticate === undefined).to.equal(!('authorization' in client));
    }
  });

  it('names no scope to who has not proved who they are', async () => {
    const failure = refusalOf(await ask({ ...api, clientSecret: 'wrong' }, { scope: 'query' }));
    expect(brief(failure)).to.equal('401 invalid_client');
  });

  it('refuses two ways of authentication at once, and malformed ones', async () => {
    const authorization = basic(api.clientId, api.clientSecret);
    const malformed = [
      { ...api, authorization },
      { clientSecret: api.clientSecret, authorization },
      { clientId: 'cli_other', authorization },
      { authorization: 'Basic !!!' },
      { authorization: 'Basic' },
      { authorization: `Basic ${Buffer.from('no-colon').toString('base64')}` },
      { authorization: `Bearer ${api.clientSecret}` },
      { clientSecret: api.clientSecret },
    ];
    for (const client of malformed) {
      expect(brief(refusalOf(await ask(client))), JSON.stringify(Object.keys(client))).to.equal(
        '400 invalid_request',
      );
    }
  });

  it('refuses another resource', async () => {
    expect(brief(refusalOf(await ask(api, { resource: ['http://mcp.test/other'] })))).to.equal(
      '400 invalid_request',
    );
    const two = ['http://mcp.test/mcp', 'http://mcp.test/other'];
    expect(brief(refusalOf(await ask(api, { resource: two })))).to.equal('400 invalid_request');
    granted(await ask(api, { resource: ['http://mcp.test/mcp'] }));
  });

  it('refuses interactive grants', async () => {
    const answer = await stage.one.oauth.exchangeToken({
      client: api,
      grant: { case: 'refreshToken', value: { refreshToken: 'x' } },
      remoteAddress,
    });
    expect(brief(refusalOf(answer))).to.equal('400 invalid_request');
  });

  it('ends tokens with the client, and with its secret, at once and on every replica', async () => {
    const first = granted(await ask(api));
    const rotated = await stage.one.admin.rotateClientSecret({ clientId: api.clientId }, stage.one.operator);
    const verify = (accessToken: string) => stage.two.oauth.verifyAccessToken({ accessToken });
    expect(await failureOf(verify(first.accessToken))).to.include({ code: 'UNAUTHORIZED' });
    expect(brief(refusalOf(await ask(api)))).to.equal('401 invalid_client');
    const second = granted(await ask({ ...api, clientSecret: rotated.clientSecret }));
    await verify(second.accessToken);
    await stage.one.admin.disableClient({ clientId: api.clientId }, stage.one.operator);
    expect(await failureOf(verify(second.accessToken))).to.include({ code: 'UNAUTHORIZED' });
  });

  it('ends tokens after ten minutes', async () => {
    const { accessToken } = granted(await ask(api));
    stage.clock.forward(595);
    await stage.two.oauth.verifyAccessToken({ accessToken });
    stage.clock.forward(10);
    expect(await failureOf(stage.two.oauth.verifyAccessToken({ accessToken }))).to.include({
      code: 'UNAUTHORIZED',
    });
  });

  it('does not take REST tokens, internal tokens or invented ones at /mcp', async () => {
    const rest = await stage.one.tokens.issueToken(api);
    const { accessToken } = granted(await ask(api));
    const { internalToken } = await stage.one.oauth.verifyAccessToken({ accessToken });
    for (const wrong of [rest.accessToken, rest.refreshToken, internalToken, 'x', api.clientSecret]) {
      const failure = await failureOf(stage.one.oauth.verifyAccessToken({ accessToken: wrong }));
      expect(failure).to.include({ code: 'UNAUTHORIZED', message: 'Unauthorized' });
    }
  });

  it('refuses wrong secrets after 300 from an address, right ones never', async () => {
    for (let i = 0; i < 5; i += 1) granted(await ask(api));
    for (let i = 0; i < 300; i += 1) {
      expect(brief(refusalOf(await ask({ ...api, clientSecret: 'wrong' })))).to.equal('401 invalid_client');
    }
    const failure = refusalOf(await ask({ ...api, clientSecret: 'wrong' }));
    expect(brief(failure)).to.equal('429 temporarily_unavailable');
    expect(failure.retryAfterS).to.be.within(1, 900);
    granted(await ask(api));
    const elsewhere = { remoteAddress: '192.0.2.8' };
    expect(brief(refusalOf(await ask({ ...api, clientSecret: 'wrong' }, elsewhere)))).to.equal(
      '401 invalid_client',
    );
  });
});
