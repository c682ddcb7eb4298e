import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { startReplica } from '../support/auth-server.ts';
import type { TestReplica } from '../support/auth-server.ts';
import { movableClock } from '../support/clock.ts';
import { startTestDynamo } from '../support/dynamodb.ts';
import type { TestDynamo } from '../support/dynamodb.ts';
import {
  authorize,
  codeIn,
  formOf,
  granted,
  interactionIdOf,
  newBrowser,
  newPkce,
  newUser,
  pageOf,
  redeem,
  redirectOf,
  refresh,
  register,
  signIn,
} from '../support/sign-in.ts';

describe('A restart of auth in the middle of a flow', function () {
  this.timeout(90_000);
  let dynamo: TestDynamo;
  before(async () => {
    dynamo = await startTestDynamo();
  });
  after(() => dynamo.close());

  it('loses no client, interaction, sign-in, session, code or token', async () => {
    const clock = movableClock();
    const table = await dynamo.table(clock);
    const shared = { table, clock, keyEncryptionKeys: [randomBytes(32)] };
    let running: TestReplica | null = null;
    /** A replica that has just started, and knows nothing but the table. */
    const fresh = async (): Promise<TestReplica> => {
      await running?.close();
      running = await startReplica(shared);
      return running;
    };
    const first = await fresh();
    const { tenantId } = await first.admin.createTenant({ name: 'Acme' }, first.operator);
    const user = await newUser(first, tenantId);
    const clientId = await register(first);
    const pkce = newPkce();
    const browser = newBrowser();
    const id = interactionIdOf(
      redirectOf(browser, await authorize(await fresh(), browser, { clientId, pkce })),
    );
    expect((await signIn(await fresh(), browser, id, user, clock)).problem).to.equal(undefined);
    expect((await pageOf(await fresh(), browser, id)).page.case).to.equal('consent');
    const form = await formOf(await fresh(), browser, id);
    const step = await (await fresh()).login.decideConsent({ form, allow: true });
    const code = codeIn(redirectOf(browser, step));
    const tokens = granted(await redeem(await fresh(), { clientId, code, verifier: pkce.verifier }));
    const verified = await (await fresh()).oauth.verifyAccessToken({ accessToken: tokens.accessToken });
    expect(verified.principalId).to.equal(user.userId);
    const next = granted(await refresh(await fresh(), { clientId, refreshToken: tokens.refreshToken ?? '' }));
    await (await fresh()).oauth.verifyAccessToken({ accessToken: next.accessToken });
    const again = await authorize(await fresh(), browser, { clientId, pkce });
    const page = await pageOf(await fresh(), browser, interactionIdOf(redirectOf(browser, again)));
    expect(page.page.case).to.equal('consent');
    await (running as TestReplica | null)?.close();
  });
});
