import { expect } from 'chai';
import { SignInProblemCode } from '@penstock/common/gen/penstock/auth/v1/login_pb.js';
import { useStage } from '../support/stage.ts';
import {
  begunSignIn,
  codeOf,
  formOf,
  newBrowser,
  newPkce,
  newUser,
  pageOf,
  register,
  remoteAddress,
} from '../support/sign-in.ts';
import type { TestBrowser, TestUser } from '../support/sign-in.ts';

const { WRONG_CREDENTIALS, TOO_MANY_TRIES } = SignInProblemCode;

describe('An address that users of several tenants have', function () {
  this.timeout(90_000);
  const pkce = newPkce();
  const stage = useStage();
  let clientId: string;
  let browser: TestBrowser;
  let id: string;
  let other: TestUser;

  async function begin(from: TestBrowser): Promise<void> {
    browser = from;
    id = await begunSignIn(stage.one, browser, { clientId, pkce });
  }

  beforeEach(async () => {
    const { one, user } = stage;
    clientId = await register(one);
    const { tenantId } = await one.admin.createTenant({ name: 'Beta' }, one.operator);
    const change = { email: user.email.toUpperCase(), password: 'another horse battery' };
    other = await newUser(one, tenantId, change);
    await begin(newBrowser());
  });

  async function attempt(change: { password?: string; code?: string } = {}) {
    const { one, user, clock } = stage;
    const step = await one.login.signInWithPassword({
      form: await formOf(one, browser, id),
      email: user.email,
      password: user.password,
      code: codeOf(user.totpSecret, clock),
      remoteAddress,
      ...change,
    });
    browser.take(step.setCookies);
    return step;
  }

  const attemptAs = ({ password, totpSecret }: TestUser) =>
    attempt({ password, code: codeOf(totpSecret, stage.clock) });

  const tenantShown = async (): Promise<string> => {
    const { page } = await pageOf(stage.one, browser, id);
    return page.case === 'consent' ? page.value.tenantName : (page.case ?? '');
  };

  it('lets in the one whose code it is', async () => {
    expect((await attempt()).problem).to.equal(undefined);
    expect(await tenantShown()).to.equal('Acme');
    await begin(newBrowser());
    expect((await attemptAs(other)).problem).to.equal(undefined);
    expect(await tenantShown()).to.equal('Beta');
  });

  it('lets nobody in by the password of one and the code of the other', async () => {
    expect((await attempt({ password: other.password })).problem?.code).to.equal(WRONG_CREDENTIALS);
    const code = codeOf(other.totpSecret, stage.clock);
    expect((await attempt({ code })).problem?.code).to.equal(WRONG_CREDENTIALS);
    await stage.one.admin.disableUser({ userId: other.userId }, stage.one.operator);
    expect((await attemptAs(other)).problem?.code).to.equal(WRONG_CREDENTIALS);
    expect((await attempt()).problem).to.equal(undefined);
  });

  it('enrolls a second factor of the one who has none', async () => {
    const password = 'third horse battery';
    const { tenantId } = await stage.one.admin.createTenant({ name: 'Gamma' }, stage.one.operator);
    const fresh = { tenantId, email: stage.user.email, role: 'member', password, enrollAtSignIn: true };
    await stage.one.admin.createUser(fresh, stage.one.operator);
    const { problem, interaction } = await attempt({ password, code: '' });
    expect([problem, interaction?.page.case]).to.deep.equal([undefined, 'secondFactor']);
    expect((await attempt({ code: '' })).problem?.code).to.equal(WRONG_CREDENTIALS);
    // Nor does a browser that is known as the one whose code it is try the other's password.
    await begin(newBrowser());
    expect((await attempt()).problem).to.equal(undefined);
    stage.clock.forward(30);
    await begin(browser);
    expect((await attempt({ password })).problem?.code).to.equal(WRONG_CREDENTIALS);
  });

  it('knows a browser as one of them: to the other it is a stranger, and locks nobody out', async () => {
    const [mine, theirs] = [newBrowser(), newBrowser()];
    const signInBy = async (who: TestUser, from: TestBrowser): Promise<void> => {
      await begin(from);
      expect((await attemptAs(who)).problem).to.equal(undefined);
      // A code works once.
      stage.clock.forward(30);
    };
    await signInBy(stage.user, mine);
    // Each sign-in makes another name for the browser: none of them counts wrong tries at the other's password.
    for (let i = 0; i < 12; i += 1) {
      await signInBy(other, theirs);
      await begin(theirs);
      const { problem } = await attempt({ password: 'guessed' });
      expect(problem?.code).to.equal(i < 10 ? WRONG_CREDENTIALS : TOO_MANY_TRIES);
    }
    await signInBy(stage.user, mine);
  });
});
