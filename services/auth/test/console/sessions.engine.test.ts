import { expect } from 'chai';
import { createConsoleSessionStore } from '../../src/store/console-sessions.ts';
import { failureOf } from '../support/auth-server.ts';
import { consoleCode, consoleSession } from '../support/console.ts';
import { newUser, redeem, refusalOf, remoteAddress } from '../support/sign-in.ts';
import { useStage } from '../support/stage.ts';

const HOUR_S = 3600;

describe('a session of the console', () => {
  const stage = useStage();
  const verify = (sessionToken: string, replica = stage.one) =>
    replica.consoleSessions.verifySession({ sessionToken });
  const isOver = async (sessionToken: string): Promise<boolean> =>
    (await failureOf(verify(sessionToken))).code === 'UNAUTHORIZED';
  const begin = (user = stage.user) => consoleSession(stage.one, user, stage.clock);

  it('names who is signed in, on every replica', async () => {
    const before = stage.clock.now() / 1000;
    const token = await begin();
    const after = stage.clock.now() / 1000;
    for (const replica of [stage.one, stage.two]) {
      const found = await verify(token, replica);
      expect(found).to.include({
        userId: stage.user.userId,
        email: stage.user.email,
        role: 'member',
        tenantId: stage.tenantId,
        tenantName: 'Acme',
      });
      expect(Number(found.signedInAt)).to.be.within(Math.floor(before), Math.ceil(after));
    }
  });

  it('ends 12 hours after its last use, and lives on while it is used', async () => {
    const [used, unused] = [await begin(), await begin()];
    for (let hours = 0; hours < 30; hours += 6) {
      stage.clock.forward(6 * HOUR_S);
      expect((await verify(used)).renewed).to.equal(true);
    }
    expect(await isOver(unused)).to.equal(true);
    expect((await verify(used)).renewed).to.equal(false);
    stage.clock.forward(12 * HOUR_S + 1);
    expect(await isOver(used)).to.equal(true);
  });

  it('ends after 30 days, however much it is used', async () => {
    const token = await begin();
    for (let hours = 0; hours < 30 * 24 - 10; hours += 10) {
      stage.clock.forward(10 * HOUR_S);
      await verify(token);
    }
    stage.clock.forward(11 * HOUR_S);
    expect(await isOver(token)).to.equal(true);
  });

  it('ends for a user who is disabled, and stays so when they are let in again', async () => {
    const token = await begin();
    const { userId } = stage.user;
    await stage.one.admin.disableUser({ userId }, stage.one.operator);
    expect(await isOver(token)).to.equal(true);
    await stage.one.admin.enableUser({ userId }, stage.one.operator);
    expect(await isOver(token)).to.equal(true);
  });

  it('ends when one signs out, and when the browser signs in again', async () => {
    const first = await begin();
    await stage.one.consoleSessions.endSession({ sessionToken: first });
    expect(await isOver(first)).to.equal(true);
    const second = await begin();
    await consoleSession(stage.one, stage.user, stage.clock, second);
    expect(await isOver(second)).to.equal(true);
  });

  it("is one of 50 at most: then the user's own that was used longest ago ends", async () => {
    const [first, other] = [await begin(), await newUser(stage.one, stage.tenantId)];
    const others = await begin(other);
    const store = createConsoleSessionStore(stage.table);
    const [known] = await store.list(stage.user.userId);
    const later = { lastUsedAtS: known!.lastUsedAtS + 60 };
    for (let i = 1; i < 50; i += 1) await store.create({ ...known!, ...later, sessionId: `made-${i}` });
    expect((await verify(first)).userId).to.equal(stage.user.userId);
    const last = await begin();
    expect(await isOver(first)).to.equal(true);
    expect(await store.list(stage.user.userId)).to.have.length(50);
    expect((await verify(last)).userId).to.equal(stage.user.userId);
    expect((await verify(others)).userId).to.equal(other.userId);
  });

  it('begins by a code of its own once, with the verifier that belongs to it', async () => {
    const attempt = (signIn: { code: string; codeVerifier: string }) =>
      stage.one.consoleSessions.beginSession({ userAgent: '', remoteAddress, ...signIn });
    const code = await consoleCode(stage.one, stage.user, stage.clock);
    const wrong = { ...code, codeVerifier: 'x'.repeat(43) };
    expect((await failureOf(attempt(wrong))).code).to.equal('UNAUTHORIZED');
    const another = await consoleCode(stage.one, stage.user, stage.clock);
    await attempt(another);
    expect((await failureOf(attempt(another))).code).to.equal('UNAUTHORIZED');
    const late = await consoleCode(stage.one, stage.user, stage.clock);
    stage.clock.forward(61);
    expect((await failureOf(attempt(late))).code).to.equal('UNAUTHORIZED');
  });

  it('is all that its codes are good for: the token endpoint refuses them', async () => {
    const { code, codeVerifier: verifier } = await consoleCode(stage.one, stage.user, stage.clock);
    const redirectUri = 'http://penstock.test/console/callback';
    const request = { clientId: 'penstock-console', code, verifier, redirectUri };
    expect(refusalOf(await redeem(stage.one, request))).to.include({ error: 'invalid_client' });
  });

  it('is kept and logged without its token or its code', async () => {
    const { code, codeVerifier } = await consoleCode(stage.one, stage.user, stage.clock);
    const { sessionToken } = await stage.one.consoleSessions.beginSession({
      ...{ code, codeVerifier, userAgent: 'x', remoteAddress },
    });
    const { internalToken } = await verify(sessionToken);
    const kept = await stage.kept();
    for (const secret of [sessionToken, sessionToken.split('.')[1] ?? '', code, codeVerifier, internalToken])
      expect(kept).to.not.include(secret);
  });

  it('is none that was made up', async () => {
    for (const token of ['x', `usr_${'0'.repeat(32)}.pst_se_${'A'.repeat(43)}`, 'a'.repeat(256)])
      expect(await isOver(token), token).to.equal(true);
  });
});
