import { expect } from 'chai';
import { useStage } from '../support/stage.ts';
import {
  authorized,
  brief,
  codeIn,
  granted,
  newPkce,
  redeem,
  refresh,
  refusalOf,
  register,
  remoteAddress,
} from '../support/sign-in.ts';

describe('RevokeToken', function () {
  this.timeout(90_000);
  const pkce = newPkce();
  const stage = useStage('suite');
  let clientId: string;

  before(async () => {
    clientId = await register(stage.one);
  });

  async function tokens() {
    const { one, user, clock } = stage;
    const code = codeIn(await authorized(one, { clientId, pkce, user, clock }));
    const { accessToken, refreshToken = '' } = granted(
      await redeem(one, { clientId, code, verifier: pkce.verifier }),
    );
    return { accessToken, refreshToken };
  }
  const revoke = async (token: string | undefined, client: object = { clientId }) =>
    (await stage.one.oauth.revokeToken({ client, ...(token === undefined ? {} : { token }), remoteAddress }))
      .error;
  const isGood = async (accessToken: string): Promise<boolean> =>
    stage.two.oauth.verifyAccessToken({ accessToken }).then(
      () => true,
      () => false,
    );

  for (const kind of ['accessToken', 'refreshToken'] as const) {
    it(`ends the whole family by its ${kind}`, async () => {
      const family = await tokens();
      expect(await revoke(family[kind])).to.equal(undefined);
      expect(await isGood(family.accessToken)).to.equal(false);
      const dead = await refresh(stage.two, { clientId, refreshToken: family.refreshToken });
      expect(brief(refusalOf(dead))).to.equal('400 invalid_grant');
    });
  }

  it('ends a token of an API client', async () => {
    const api = await stage.newClient();
    const { accessToken } = granted(
      await stage.one.oauth.exchangeToken({
        client: api,
        grant: { case: 'clientCredentials', value: {} },
        remoteAddress,
      }),
    );
    expect(await isGood(accessToken)).to.equal(true);
    expect(brief((await revoke(accessToken, { ...api, clientSecret: 'x' }))!)).to.equal('401 invalid_client');
    expect(await isGood(accessToken)).to.equal(true);
    expect(await revoke(accessToken, api)).to.equal(undefined);
    expect(await isGood(accessToken)).to.equal(false);
  });

  it('succeeds for tokens that are unknown or of another client, and leaves these alone', async () => {
    const family = await tokens();
    const other = await register(stage.one);
    expect(await revoke('unknown')).to.equal(undefined);
    expect(await revoke(family.accessToken, { clientId: other })).to.equal(undefined);
    expect(await isGood(family.accessToken)).to.equal(true);
  });

  it('needs a token and a client', async () => {
    expect(brief((await revoke(undefined))!)).to.equal('400 invalid_request');
    expect(brief((await revoke('x', {}))!)).to.equal('400 invalid_request');
    expect(brief((await revoke('x', { clientId: 'mcp_unknown' }))!)).to.equal('401 invalid_client');
  });
});
