import { expect } from 'chai';
import { callOptions } from '@penstock/common/rpc/client.ts';
import { failureOf } from '../support/auth-server.ts';
import { consoleSession } from '../support/console.ts';
import { authorized, codeIn, granted, newPkce, newUser, redeem, register } from '../support/sign-in.ts';
import { useStage } from '../support/stage.ts';

/** Every RPC of the console, by who may call it. */
const OWN = [
  ['account', 'getAccount', {}],
  ['account', 'createEnrollmentLink', { sessionId: 'x' }],
  ['account', 'removePasskey', { passkeyId: 'x', sessionId: 'x' }],
  ['account', 'removeSession', { sessionId: 'x' }],
  ['account', 'removeAllSessions', {}],
  ['account', 'listAgents', {}],
  ['account', 'removeAgent', { agentId: 'x' }],
  ['savedQueries', 'listSavedQueries', {}],
  ['savedQueries', 'getSavedQuery', { savedQueryId: 'x' }],
  ['savedQueries', 'createSavedQuery', { name: 'n', sql: 's' }],
  ['savedQueries', 'updateSavedQuery', { savedQueryId: 'x', sql: 's' }],
  ['savedQueries', 'listSavedQueryTexts', { savedQueryId: 'x' }],
  ['savedQueries', 'deleteSavedQuery', { savedQueryId: 'x' }],
] as const;
const ADMINS = [
  ['tenantAdmin', 'listTenantClients', {}],
  ['tenantAdmin', 'createTenantClient', { name: 'n' }],
  ['tenantAdmin', 'rotateTenantClientSecret', { clientId: 'x' }],
  ['tenantAdmin', 'setTenantClientStatus', { clientId: 'x', active: true }],
  ['tenantAdmin', 'listPeople', {}],
  ['tenantAdmin', 'invitePerson', { email: 'x@example.com', role: 'admin' }],
  ['tenantAdmin', 'setPersonRole', { userId: 'x', role: 'admin' }],
  ['tenantAdmin', 'setPersonStatus', { userId: 'x', active: true }],
  ['tenantAdmin', 'reenrollPerson', { userId: 'x' }],
  ['tenantAdmin', 'listTenantBudgets', {}],
  ['tenantAdmin', 'setTenantBudget', { unitsPerDay: 1 }],
] as const;

describe("auth's part of the console", () => {
  const stage = useStage('suite');

  type Call = (request: object, options: object) => Promise<unknown>;
  const send = ([service, method, request]: (typeof OWN | typeof ADMINS)[number], token: string | null) => {
    const calls = stage.one[service] as unknown as Readonly<Record<string, Call>>;
    return calls[method]!(request, callOptions({ token, requestId: 'test' }));
  };

  async function consoleToken(role: string): Promise<string> {
    const user = await newUser(stage.one, stage.tenantId, { role });
    const sessionToken = await consoleSession(stage.one, user, stage.clock);
    return (await stage.one.consoleSessions.verifySession({ sessionToken })).internalToken;
  }

  it('is all of its RPCs', () => {
    const known = [...OWN, ...ADMINS].map(([, method]) => method).sort();
    const served = (['account', 'savedQueries', 'tenantAdmin'] as const).flatMap((service) =>
      Object.keys(stage.one[service]),
    );
    expect(known).to.deep.equal(served.sort());
  });

  it('refuses who has no token, an API client, and an agent that an administrator allowed', async () => {
    const { clientId, clientSecret } = await stage.newClient([
      'query',
      'schemas:read',
      'schemas:write',
      'usage:read',
    ]);
    const { accessToken } = await stage.one.tokens.issueToken({ clientId, clientSecret });
    const admin = await newUser(stage.one, stage.tenantId, { role: 'admin' });
    const [agent, pkce] = [await register(stage.one), newPkce()];
    const back = await authorized(stage.one, { clientId: agent, pkce, user: admin, clock: stage.clock });
    const tokens = granted(
      await redeem(stage.one, { clientId: agent, code: codeIn(back), verifier: pkce.verifier }),
    );
    const { internalToken } = await stage.one.oauth.verifyAccessToken({ accessToken: tokens.accessToken });
    for (const token of [null, accessToken, internalToken, tokens.accessToken, 'x']) {
      for (const rpc of [...OWN, ...ADMINS])
        expect((await failureOf(send(rpc, token))).code, rpc[1]).to.equal('UNAUTHORIZED');
    }
  });

  it("takes no token of a session for the operator's service", async () => {
    const token = await consoleToken('admin');
    const call = stage.one.admin.listTenants({}, callOptions({ token, requestId: 'test' }));
    expect((await failureOf(call)).code).to.equal('UNAUTHORIZED');
  });

  it('tells a member that an administrator is needed', async () => {
    const token = await consoleToken('member');
    for (const rpc of ADMINS)
      expect((await failureOf(send(rpc, token))).code, rpc[1]).to.equal('TENANT_ADMIN_REQUIRED');
  });

  it('wants a sign-in of the last 15 minutes where an administrator lets somebody in, or makes a secret', async () => {
    const admin = await newUser(stage.one, stage.tenantId, { role: 'admin' });
    const other = await newUser(stage.one, stage.tenantId, { role: 'member' });
    const { clientId } = await stage.newClient(['query']);
    const sessionToken = await consoleSession(stage.one, admin, stage.clock);
    const lets = [
      ['tenantAdmin', 'createTenantClient', { name: 'n', scopes: ['query'] }],
      ['tenantAdmin', 'rotateTenantClientSecret', { clientId }],
      ['tenantAdmin', 'setTenantClientStatus', { clientId, active: true }],
      ['tenantAdmin', 'invitePerson', { email: `${admin.userId}@example.com`, role: 'admin' }],
      ['tenantAdmin', 'setPersonRole', { userId: other.userId, role: 'admin' }],
      ['tenantAdmin', 'setPersonStatus', { userId: other.userId, active: true }],
      ['tenantAdmin', 'reenrollPerson', { userId: other.userId }],
    ] as unknown as (typeof ADMINS)[number][];
    const tokenNow = async () =>
      (await stage.one.consoleSessions.verifySession({ sessionToken })).internalToken;
    stage.clock.forward(16 * 60);
    for (const rpc of lets)
      expect((await failureOf(send(rpc, await tokenNow()))).code, rpc[1]).to.equal('SIGN_IN_AGAIN');
    const takesAway = ['tenantAdmin', 'setPersonStatus', { userId: other.userId, active: false }];
    await send(takesAway as unknown as (typeof ADMINS)[number], await tokenNow());
  });

  it('gives no administrator a link for their own account, which a thief of the session would keep', async () => {
    const admin = await newUser(stage.one, stage.tenantId, { role: 'admin' });
    const sessionToken = await consoleSession(stage.one, admin, stage.clock);
    const { internalToken } = await stage.one.consoleSessions.verifySession({ sessionToken });
    const own = ['tenantAdmin', 'reenrollPerson', { userId: admin.userId }];
    expect((await failureOf(send(own as unknown as (typeof ADMINS)[number], internalToken))).code).to.equal(
      'CONFLICT',
    );
  });

  it('wants a sign-in of the last 15 minutes where ways to sign in change', async () => {
    const user = await newUser(stage.one, stage.tenantId);
    const sessionToken = await consoleSession(stage.one, user, stage.clock);
    const asked = async () => {
      const { internalToken: token, sessionId } = await stage.one.consoleSessions.verifySession({
        sessionToken,
      });
      return stage.one.account.createEnrollmentLink({ sessionId }, callOptions({ token, requestId: 't' }));
    };
    expect((await asked()).enrollUrl).to.match(/\/enroll\?token=/);
    stage.clock.forward(16 * 60);
    expect((await failureOf(asked())).code).to.equal('SIGN_IN_AGAIN');
  });
});
