import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ExchangeTokenRequestSchema } from '@penstock/common/gen/penstock/auth/v1/oauth_pb.js';
import { expect } from 'chai';
import { useStage } from '../support/stage.ts';
import { failureOf } from '../support/auth-server.ts';
import {
  authorized,
  brief,
  codeIn,
  granted,
  newPkce,
  newUser,
  redeem,
  redirectUri,
  refresh,
  refusalOf,
  register,
  remoteAddress,
} from '../support/sign-in.ts';

const hour = 3600;

describe('ExchangeToken of interactive flows', function () {
  this.timeout(90_000);
  const pkce = newPkce();
  const stage = useStage();
  let clientId: string;

  beforeEach(async () => {
    clientId = await register(stage.one);
  });

  async function newCode(): Promise<string> {
    const { one, user, clock } = stage;
    return codeIn(await authorized(one, { clientId, pkce, user, clock }));
  }
  const tokens = async () =>
    granted(await redeem(stage.two, { clientId, code: await newCode(), verifier: pkce.verifier }));
  const isGood = async (accessToken: string): Promise<boolean> =>
    stage.two.oauth.verifyAccessToken({ accessToken }).then(
      () => true,
      () => false,
    );
  const ask = (change: {
    client?: { clientId?: string };
    grant?: NonNullable<MessageInitShape<typeof ExchangeTokenRequestSchema>['grant']>;
    scope?: string;
    resource?: string[];
  }) => stage.one.oauth.exchangeToken({ client: { clientId }, remoteAddress, ...change });

  it('gives opaque tokens', async () => {
    const { accessToken, refreshToken, tokenType, expiresIn, scope } = await tokens();
    expect({ tokenType, expiresIn, scope }).to.deep.equal({
      tokenType: 'Bearer',
      expiresIn: 600,
      scope: 'query schemas:read',
    });
    for (const token of [accessToken, refreshToken]) expect(token).to.match(/^[\w-]{43}$/);
  });

  describe('a code', () => {
    it('that is replayed ends the tokens it gave', async () => {
      const code = await newCode();
      const first = granted(await redeem(stage.one, { clientId, code, verifier: pkce.verifier }));
      const renewed = granted(await refresh(stage.two, { clientId, refreshToken: first.refreshToken ?? '' }));
      expect(await isGood(first.accessToken)).to.equal(true);
      const replay = refusalOf(await redeem(stage.two, { clientId, code, verifier: pkce.verifier }));
      expect(brief(replay)).to.equal('400 invalid_grant');
      expect(await isGood(first.accessToken)).to.equal(false);
      expect(await isGood(renewed.accessToken)).to.equal(false);
      const dead = await refresh(stage.one, { clientId, refreshToken: renewed.refreshToken ?? '' });
      expect(brief(refusalOf(dead))).to.equal('400 invalid_grant');
    });

    it('is redeemed by one of two who try at once, who gets nothing of it: one of them stole it', async () => {
      for (let round = 0; round < 5; round += 1) {
        const code = await newCode();
        const tries = await Promise.all(
          [stage.one, stage.two].map((replica) =>
            redeem(replica, { clientId, code, verifier: pkce.verifier }),
          ),
        );
        const won = tries.flatMap(({ result }) => (result.case === 'granted' ? [result.value] : []));
        expect(won).to.have.length(1);
        expect(await isGood(won[0]?.accessToken ?? '')).to.equal(false);
        const dead = await refresh(stage.one, { clientId, refreshToken: won[0]?.refreshToken ?? '' });
        expect(brief(refusalOf(dead))).to.equal('400 invalid_grant');
      }
    });

    it('is redeemed by one of ten who try at once, on two replicas', async () => {
      const code = await newCode();
      const tries = await Promise.all(
        Array.from({ length: 10 }, (_, i) =>
          redeem(i % 2 === 0 ? stage.one : stage.two, { clientId, code, verifier: pkce.verifier }),
        ),
      );
      const outcomes = tries.map(({ result }) =>
        result.case === 'error' ? brief(result.value) : String(result.case),
      );
      expect(outcomes.sort()).to.deep.equal([...Array<string>(9).fill('400 invalid_grant'), 'granted']);
    });

    it('needs its own verifier', async () => {
      const code = await newCode();
      const wrong = await redeem(stage.one, { clientId, code, verifier: newPkce().verifier });
      expect(brief(refusalOf(wrong))).to.equal('400 invalid_grant');
      const malformed = await redeem(stage.one, { clientId, code, verifier: 'short' });
      expect(brief(refusalOf(malformed))).to.equal('400 invalid_grant');
      const challenge = await redeem(stage.one, { clientId, code, verifier: pkce.challenge });
      expect(brief(refusalOf(challenge))).to.equal('400 invalid_grant');
      expect(brief(refusalOf(await redeem(stage.one, { clientId, code })))).to.equal('400 invalid_request');
      granted(await redeem(stage.one, { clientId, code, verifier: pkce.verifier }));
    });

    it('is for its own client and redirect URI', async () => {
      const code = await newCode();
      const other = await register(stage.one);
      const { verifier } = pkce;
      const stolen = await redeem(stage.one, { clientId: other, code, verifier });
      expect(brief(refusalOf(stolen))).to.equal('400 invalid_grant');
      for (const uri of ['http://127.0.0.1:3001/callback', 'https://evil.example/callback']) {
        const elsewhere = await redeem(stage.one, { clientId, code, verifier, redirectUri: uri });
        expect(brief(refusalOf(elsewhere))).to.equal('400 invalid_grant');
      }
    });

    it('is good for a minute', async () => {
      const code = await newCode();
      stage.clock.forward(61);
      const late = await redeem(stage.one, { clientId, code, verifier: pkce.verifier });
      expect(brief(refusalOf(late))).to.equal('400 invalid_grant');
    });

    it('that was invented is refused', async () => {
      const { verifier } = pkce;
      expect(brief(refusalOf(await redeem(stage.one, { clientId, code: 'x', verifier })))).to.equal(
        '400 invalid_grant',
      );
    });

    it('is not an access token, nor the other way round', async () => {
      const code = await newCode();
      expect(await isGood(code)).to.equal(false);
      const { accessToken, refreshToken = '' } = granted(
        await redeem(stage.one, { clientId, code, verifier: pkce.verifier }),
      );
      expect(await isGood(refreshToken)).to.equal(false);
      const asRefresh = await refresh(stage.one, { clientId, refreshToken: accessToken });
      expect(brief(refusalOf(asRefresh))).to.equal('400 invalid_grant');
    });
  });

  describe('a refresh token', () => {
    it('is replaced each time, and ends its family when it is used again', async () => {
      const first = await tokens();
      const second = granted(await refresh(stage.one, { clientId, refreshToken: first.refreshToken ?? '' }));
      expect(second.refreshToken).not.to.equal(first.refreshToken);
      expect(second.scope).to.equal('query schemas:read');
      const reuse = await refresh(stage.two, { clientId, refreshToken: first.refreshToken ?? '' });
      expect(brief(refusalOf(reuse))).to.equal('400 invalid_grant');
      const last = await refresh(stage.two, { clientId, refreshToken: second.refreshToken ?? '' });
      expect(brief(refusalOf(last))).to.equal('400 invalid_grant');
      expect(await isGood(first.accessToken)).to.equal(false);
      expect(await isGood(second.accessToken)).to.equal(false);
    });

    it('is used by one of ten who try at once, on two replicas', async () => {
      const { refreshToken = '' } = await tokens();
      const tries = await Promise.all(
        Array.from({ length: 10 }, (_, i) =>
          refresh(i % 2 === 0 ? stage.one : stage.two, { clientId, refreshToken }),
        ),
      );
      expect(tries.filter(({ result }) => result.case === 'granted')).to.have.length(1);
    });

    it('ends twelve hours after the sign-in, however often it is replaced', async () => {
      let { refreshToken = '' } = await tokens();
      for (let i = 0; i < 11; i += 1) {
        stage.clock.forward(hour);
        ({ refreshToken = '' } = granted(await refresh(stage.one, { clientId, refreshToken })));
      }
      stage.clock.forward(hour - 60);
      const last = granted(await refresh(stage.two, { clientId, refreshToken }));
      expect(await isGood(last.accessToken)).to.equal(true);
      stage.clock.forward(61);
      const late = await refresh(stage.two, { clientId, refreshToken: last.refreshToken ?? '' });
      expect(brief(refusalOf(late))).to.equal('400 invalid_grant');
    });

    it('is for its own client', async () => {
      const { refreshToken = '' } = await tokens();
      const other = await register(stage.one);
      const stolen = await refresh(stage.one, { clientId: other, refreshToken });
      expect(brief(refusalOf(stolen))).to.equal('400 invalid_grant');
      granted(await refresh(stage.one, { clientId, refreshToken }));
    });

    it('gives fewer scopes where fewer are asked for, and never more', async () => {
      const { one, user, clock } = stage;
      const change = { scope: 'query' };
      const code = codeIn(await authorized(one, { clientId, pkce, user, clock, change }));
      const narrow = granted(await redeem(one, { clientId, code, verifier: pkce.verifier }));
      const more = await refresh(one, {
        clientId,
        refreshToken: narrow.refreshToken ?? '',
        scope: 'query schemas:read',
      });
      expect(brief(refusalOf(more))).to.equal('400 invalid_scope');
      const { refreshToken = '' } = await tokens();
      const fewer = granted(await refresh(one, { clientId, refreshToken, scope: 'openid schemas:read' }));
      expect(fewer.scope).to.equal('schemas:read');
      const all = granted(await refresh(one, { clientId, refreshToken: fewer.refreshToken ?? '' }));
      expect(all.scope).to.equal('query schemas:read');
    });
  });

  describe('refuses', () => {
    it('a form without a grant type, a client or a parameter', async () => {
      expect(brief(refusalOf(await ask({})))).to.equal('400 invalid_request');
      const noClient = await ask({
        client: {},
        grant: { case: 'refreshToken', value: { refreshToken: 'x' } },
      });
      expect(brief(refusalOf(noClient))).to.equal('400 invalid_request');
      const noToken = await ask({ grant: { case: 'refreshToken', value: {} } });
      expect(brief(refusalOf(noToken))).to.equal('400 invalid_request');
      const value = { codeVerifier: pkce.verifier };
      const noCode = await ask({ grant: { case: 'authorizationCode', value: { ...value, redirectUri } } });
      expect(brief(refusalOf(noCode))).to.equal('400 invalid_request');
      const noUri = await ask({ grant: { case: 'authorizationCode', value: { ...value, code: 'x' } } });
      expect(brief(refusalOf(noUri))).to.equal('400 invalid_request');
      const empty = await ask({ grant: { case: 'refreshToken', value: { refreshToken: '' } } });
      expect(brief(refusalOf(empty))).to.equal('400 invalid_request');
    });

    it('grants that there are not', async () => {
      for (const type of [
        'password',
        'urn:ietf:params:oauth:grant-type:device_code',
        'implicit',
        '__proto__',
      ]) {
        const answer = await ask({ grant: { case: 'otherGrantType', value: type } });
        expect(brief(refusalOf(answer)), type).to.equal('400 unsupported_grant_type');
      }
    });

    it('client_credentials of a client that is nobody', async () => {
      const answer = await ask({ grant: { case: 'clientCredentials', value: {} } });
      expect(brief(refusalOf(answer))).to.equal('400 invalid_request');
    });

    it('unknown clients', async () => {
      const answer = await refresh(stage.one, { clientId: 'mcp_unknown', refreshToken: 'x' });
      expect(brief(refusalOf(answer))).to.equal('401 invalid_client');
    });

    it('another resource', async () => {
      const code = await newCode();
      const value = { code, redirectUri, codeVerifier: pkce.verifier };
      const answer = await ask({
        grant: { case: 'authorizationCode', value },
        resource: ['https://other.example/mcp'],
      });
      expect(brief(refusalOf(answer))).to.equal('400 invalid_request');
    });

    it('fields that no client sends, by name', async () => {
      const failure = await failureOf(ask({ scope: 'x'.repeat(3000) }));
      expect(failure).to.include({ code: 'VALIDATION_ERROR' });
      expect(failure.message).to.include('scope');
    });
  });

  it('ends everything of a user who is disabled, at once', async () => {
    const { one, two, user, clock } = stage;
    const first = await tokens();
    const code = await newCode();
    expect(await isGood(first.accessToken)).to.equal(true);
    await one.admin.disableUser({ userId: user.userId }, one.operator);
    expect(await isGood(first.accessToken)).to.equal(false);
    const dead = await refresh(two, { clientId, refreshToken: first.refreshToken ?? '' });
    expect(brief(refusalOf(dead))).to.equal('400 invalid_grant');
    const late = await redeem(two, { clientId, code, verifier: pkce.verifier });
    expect(brief(refusalOf(late))).to.equal('400 invalid_grant');
    const failure = await authorized(one, { clientId, pkce, user, clock }).catch(
      (error: Error) => error.message,
    );
    expect(failure).to.match(/is wrong/);
  });

  it('leaves tokens alone when the user consents again or another signs in', async () => {
    const { one, user, clock } = stage;
    const first = await tokens();
    await tokens();
    const other = await newUser(one, stage.tenantId);
    await authorized(one, { clientId, pkce, user: other, clock });
    await authorized(one, { clientId, pkce, user, clock, change: { prompt: 'login' } });
    expect(await isGood(first.accessToken)).to.equal(true);
    granted(await refresh(one, { clientId, refreshToken: first.refreshToken ?? '' }));
  });
});
