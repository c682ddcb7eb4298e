import { expect } from 'chai';
import { SignInProblemCode } from '@penstock/common/gen/penstock/auth/v1/login_pb.js';
import { useStage } from '../support/stage.ts';
import { failureOf } from '../support/auth-server.ts';
import type { TestReplica } from '../support/auth-server.ts';
import {
  authorize,
  begunSignIn,
  codeIn,
  codeOf,
  formOf,
  granted,
  interactionIdOf,
  newBrowser,
  newPkce,
  newUser,
  pageOf,
  redeem,
  redirectOf,
  register,
  remoteAddress,
  signIn,
} from '../support/sign-in.ts';
import type { TestBrowser } from '../support/sign-in.ts';

const { WRONG_CREDENTIALS, TOO_MANY_TRIES } = SignInProblemCode;

describe('SignInWithPassword', function () {
  this.timeout(90_000);
  const pkce = newPkce();
  const stage = useStage();
  let clientId: string;
  let browser: TestBrowser;
  let id: string;

  beforeEach(async () => {
    clientId = await register(stage.one);
    browser = newBrowser();
    id = await begunSignIn(stage.one, browser, { clientId, pkce });
  });

  async function attempt(
    change: { email?: string; password?: string; code?: string; remoteAddress?: string } = {},
    replica: TestReplica = stage.one,
  ) {
    const { user, clock } = stage;
    const step = await replica.login.signInWithPassword({
      form: await formOf(replica, browser, id),
      email: user.email,
      password: user.password,
      code: codeOf(user.totpSecret, clock),
      remoteAddress,
      ...change,
    });
    browser.take(step.setCookies);
    return step;
  }

  it('shows who wants access, then asks for consent', async () => {
    const before = await pageOf(stage.two, browser, id);
    expect(before.page.case).to.equal('signIn');
    expect(before.client).to.deep.include({
      name: 'Test agent',
      redirectHost: '127.0.0.1:3000',
      redirectOrigin: 'http://127.0.0.1:3000',
      redirectsToLocalhost: true,
      identityHost: '',
    });
    const { problem, interaction } = await attempt({
      code: ` ${codeOf(stage.user.totpSecret, stage.clock)} `,
    });
    expect(problem).to.equal(undefined);
    expect(interaction?.page).to.deep.include({ case: 'consent' });
    const after = await pageOf(stage.two, browser, id);
    if (after.page.case !== 'consent') throw new Error('consent was expected');
    expect(after.page.value).to.deep.include({
      email: stage.user.email,
      tenantName: 'Acme',
      scopes: ['query', 'schemas:read'],
    });
  });

  it('finds the user whatever the case of the address', async () => {
    expect((await attempt({ email: stage.user.email.toUpperCase() })).problem).to.equal(undefined);
  });

  it('answers alike, whatever is wrong', async () => {
    const disabled = await newUser(stage.one, stage.tenantId);
    await stage.one.admin.disableUser({ userId: disabled.userId }, stage.one.operator);
    const answers = [
      await attempt({ email: 'nobody@example.com' }),
      await attempt({ password: 'wrong' }),
      await attempt({ code: '000000' }),
      await attempt({ code: '' }),
      await attempt({ password: 'wrong', code: '' }),
      await attempt({ password: '', code: '' }),
      await attempt({ email: disabled.email, code: codeOf(disabled.totpSecret, stage.clock) }),
    ];
    for (const { problem, interaction } of answers) {
      expect(problem).to.deep.include({ code: WRONG_CREDENTIALS });
      expect(problem?.message).to.equal(answers[0]?.problem?.message);
      expect(interaction?.page.case).to.equal('signIn');
    }
  });

  it('takes about as long for an unknown user as for a wrong password', async () => {
    const times = new Map<string, number[]>([
      ['nobody@example.com', []],
      [stage.user.email, []],
    ]);
    const form = await formOf(stage.one, browser, id);
    for (let i = 0; i < 9; i += 1) {
      for (const [email, taken] of times) {
        const start = performance.now();
        await stage.one.login.signInWithPassword({ form, email, password: 'wrong', code: '', remoteAddress });
        taken.push(performance.now() - start);
      }
    }
    const [unknown = 0, wrong = 0] = [...times.values()].map((taken) => taken.sort((a, b) => a - b)[4] ?? 0);
    expect(unknown / wrong).to.be.within(0.5, 2);
  });

  it('takes a code once, on every replica', async () => {
    const code = codeOf(stage.user.totpSecret, stage.clock);
    expect((await attempt({ code })).problem).to.equal(undefined);
    expect((await attempt({ code }, stage.two)).problem?.code).to.equal(WRONG_CREDENTIALS);
    stage.clock.forward(30);
    expect((await attempt({}, stage.two)).problem).to.equal(undefined);
  });

  it('takes a code once where several present it at the same moment', async () => {
    const { user, clock } = stage;
    const code = codeOf(user.totpSecret, clock);
    const forms = [];
    for (let i = 0; i < 6; i += 1) {
      const another = newBrowser();
      const login = redirectOf(another, await authorize(stage.one, another, { clientId, pkce }));
      forms.push(await formOf(stage.one, another, interactionIdOf(login)));
    }
    const { email, password } = user;
    const tries = await Promise.all(
      forms.map((form, i) =>
        (i % 2 === 0 ? stage.one : stage.two).login.signInWithPassword({
          form,
          email,
          password,
          code,
          remoteAddress,
        }),
      ),
    );
    expect(tries.filter(({ problem }) => problem === undefined)).to.have.length(1);
  });

  it('does not use a code up with a wrong password', async () => {
    const code = codeOf(stage.user.totpSecret, stage.clock);
    expect((await attempt({ code, password: 'wrong' })).problem?.code).to.equal(WRONG_CREDENTIALS);
    expect((await attempt({ code })).problem).to.equal(undefined);
  });

  it('takes the code of the step before and after, and none further away', async () => {
    const { totpSecret } = stage.user;
    const shifted = (steps: number): string =>
      codeOf(totpSecret, { now: () => stage.clock.now() + steps * 30_000, forward: () => undefined });
    expect((await attempt({ code: shifted(-2) })).problem?.code).to.equal(WRONG_CREDENTIALS);
    expect((await attempt({ code: shifted(2) })).problem?.code).to.equal(WRONG_CREDENTIALS);
    expect((await attempt({ code: shifted(-1) })).problem).to.equal(undefined);
    expect((await attempt({ code: shifted(1) })).problem).to.equal(undefined);
    // Older than one that was accepted.
    expect((await attempt({ code: shifted(0) })).problem?.code).to.equal(WRONG_CREDENTIALS);
  });

  it('refuses the account after ten wrong tries for a quarter of an hour, from that address', async () => {
    for (let i = 0; i < 10; i += 1) {
      const { problem } = await attempt({ password: 'wrong' });
      expect(problem?.code).to.equal(WRONG_CREDENTIALS);
    }
    const { problem, interaction } = await attempt();
    expect(problem?.code).to.equal(TOO_MANY_TRIES);
    expect(problem?.retryAfterS).to.be.within(800, 900);
    expect(interaction?.page.case).to.equal('signIn');
  });

  it('refuses an unknown account after as many tries, so that the limit does not tell either', async () => {
    const email = 'nobody@example.com';
    for (let i = 0; i < 10; i += 1) await attempt({ email });
    expect((await attempt({ email })).problem?.code).to.equal(TOO_MANY_TRIES);
  });

  it('lets no more than ten of many parallel guesses be checked', async () => {
    const form = await formOf(stage.one, browser, id);
    const guesses = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        stage.one.login.signInWithPassword({
          form,
          email: stage.user.email,
          password: stage.user.password,
          code: String(i).padStart(6, '0'),
          remoteAddress,
        }),
      ),
    );
    expect(guesses.filter(({ problem }) => problem?.code === WRONG_CREDENTIALS)).to.have.length(10);
  });

  it('does not count right tries', async () => {
    for (let i = 0; i < 12; i += 1) {
      expect((await signIn(stage.one, browser, id, stage.user, stage.clock)).problem).to.equal(undefined);
    }
  });

  describe('is for the browser that began it:', () => {
    const gone = 'This sign-in has expired or was completed. Go back to the application and start again.';

    it('another one, with or without a sign-in of its own, sees nothing', async () => {
      const other = newBrowser();
      redirectOf(other, await authorize(stage.one, other, { clientId, pkce }));
      for (const stranger of [newBrowser(), other]) {
        const failure = await failureOf(pageOf(stage.one, stranger, id));
        expect(failure).to.include({ code: 'NOT_FOUND', message: gone });
      }
    });

    it('a cookie cannot be made up', async () => {
      const forged = newBrowser();
      for (const name of browser.jar.keys()) forged.jar.set(name, id);
      expect(await failureOf(pageOf(stage.one, forged, id))).to.include({ code: 'NOT_FOUND' });
    });

    it('two in two tabs do not disturb each other', async () => {
      const second = await begunSignIn(stage.one, browser, { clientId, pkce });
      expect((await pageOf(stage.one, browser, id)).page.case).to.equal('signIn');
      expect((await pageOf(stage.one, browser, second)).page.case).to.equal('signIn');
    });

    it('a form without its token is refused', async () => {
      const other = newBrowser();
      const otherId = await begunSignIn(stage.one, other, { clientId, pkce });
      const { csrfToken } = await formOf(stage.one, other, otherId);
      for (const wrong of ['', 'x', csrfToken]) {
        const form = { browser: { interactionId: id, cookieHeader: browser.header() }, csrfToken: wrong };
        const failure = await failureOf(stage.one.login.decideConsent({ form, allow: true }));
        expect(failure).to.include({ code: 'VALIDATION_ERROR' });
      }
    });

    it('it is over after ten minutes', async () => {
      stage.clock.forward(601);
      expect(await failureOf(pageOf(stage.one, browser, id))).to.include({
        code: 'NOT_FOUND',
        message: gone,
      });
    });
  });

  describe('consent', () => {
    const decide = async (allow: boolean, replica = stage.one) =>
      replica.login.decideConsent({ form: await formOf(replica, browser, id), allow });

    it('cannot be given before the sign-in', async () => {
      expect(await failureOf(decide(true))).to.include({ code: 'NOT_FOUND' });
      expect((await pageOf(stage.one, browser, id)).page.case).to.equal('signIn');
    });

    it('that is denied is told to the client, signed in or not', async () => {
      for (const isSignedIn of [false, true]) {
        browser = newBrowser();
        id = await begunSignIn(stage.one, browser, { clientId, pkce });
        if (isSignedIn) await signIn(stage.one, browser, id, stage.user, stage.clock);
        const url = redirectOf(browser, await decide(false));
        expect(url.searchParams.get('error')).to.equal('access_denied');
        expect(url.searchParams.get('state')).to.equal('the-state');
        expect(url.searchParams.get('iss')).to.equal('http://mcp.test');
        expect(url.searchParams.get('code')).to.equal(null);
        expect(await failureOf(pageOf(stage.one, browser, id))).to.include({ code: 'NOT_FOUND' });
      }
    });

    it('gives one code, however often the form is sent', async () => {
      await signIn(stage.one, browser, id, stage.user, stage.clock);
      const form = await formOf(stage.one, browser, id);
      const step = await stage.one.login.decideConsent({ form, allow: true });
      codeIn(redirectOf(browser, step));
      const again = stage.one.login.decideConsent({ form, allow: true });
      expect(await failureOf(again)).to.include({ code: 'NOT_FOUND' });
    });

    it('signs the browser in under a new session, and forgets the cookie of the sign-in', async () => {
      await signIn(stage.one, browser, id, stage.user, stage.clock);
      const step = await decide(true);
      redirectOf(browser, step);
      expect([...browser.jar.keys()].filter((name) => !name.startsWith('penstock-browser-'))).to.deep.equal([
        'penstock-session',
      ]);
      expect(step.setCookies.join()).to.match(/penstock-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax/);
      const first = browser.jar.get('penstock-session');
      const change = { prompt: 'login' };
      id = await begunSignIn(stage.one, browser, { clientId, pkce }, change);
      await signIn(stage.one, browser, id, stage.user, stage.clock);
      redirectOf(browser, await decide(true));
      expect(browser.jar.get('penstock-session')).not.to.equal(first);
      const stale = newBrowser();
      stale.jar.set('penstock-session', first ?? '');
      const staleId = await begunSignIn(stage.one, stale, { clientId, pkce });
      expect((await pageOf(stage.one, stale, staleId)).page.case).to.equal('signIn');
    });

    it('takes no session that somebody else planted', async () => {
      browser.jar.set('penstock-session', 'planted-by-somebody-else-000000000000000000');
      await signIn(stage.one, browser, id, stage.user, stage.clock);
      redirectOf(browser, await decide(true));
      expect(browser.jar.get('penstock-session')).not.to.match(/planted/);
    });

    it('goes to whom signs in, where another was signed in before', async () => {
      await signIn(stage.one, browser, id, stage.user, stage.clock);
      redirectOf(browser, await decide(true));
      const other = await newUser(stage.one, stage.tenantId);
      const change = { prompt: 'login' };
      id = await begunSignIn(stage.one, browser, { clientId, pkce }, change);
      await signIn(stage.one, browser, id, other, stage.clock);
      codeIn(redirectOf(browser, await decide(true)));
      id = await begunSignIn(stage.one, browser, { clientId, pkce });
      const { page } = await pageOf(stage.two, browser, id);
      expect(page.case === 'consent' ? page.value.email : page.case).to.equal(other.email);
    });

    it('can be left to another account: the sign-in comes first again, and nobody is signed out before', async () => {
      await signIn(stage.one, browser, id, stage.user, stage.clock);
      redirectOf(browser, await decide(true));
      const [other, clock] = [await newUser(stage.one, stage.tenantId), stage.clock];
      for (const user of [other, other]) {
        id = await begunSignIn(stage.one, browser, { clientId, pkce });
        expect((await pageOf(stage.one, browser, id)).page.case).to.equal('consent');
        await stage.one.login.useAnotherAccount({ form: await formOf(stage.one, browser, id) });
        expect((await pageOf(stage.two, browser, id)).page.case).to.equal('signIn');
        expect(await failureOf(decide(true))).to.include({ code: 'NOT_FOUND' });
        await signIn(stage.two, browser, id, user, clock);
        const { page } = await pageOf(stage.one, browser, id);
        expect(page.case === 'consent' ? page.value.email : page.case).to.equal(user.email);
        const code = codeIn(redirectOf(browser, await decide(true)));
        const tokens = granted(await redeem(stage.one, { clientId, code, verifier: pkce.verifier }));
        const holder = await stage.one.oauth.verifyAccessToken({ accessToken: tokens.accessToken });
        expect(holder.principalId).to.equal(user.userId);
      }
      id = await begunSignIn(stage.one, browser, { clientId, pkce });
      await stage.one.login.useAnotherAccount({ form: await formOf(stage.one, browser, id) });
      expect(redirectOf(browser, await decide(false)).searchParams.get('error')).to.equal('access_denied');
    });

    it('is asked for again of a user who was disabled meanwhile, who cannot give it', async () => {
      await signIn(stage.one, browser, id, stage.user, stage.clock);
      const form = await formOf(stage.one, browser, id);
      await stage.one.admin.disableUser({ userId: stage.user.userId }, stage.one.operator);
      expect(await failureOf(stage.two.login.decideConsent({ form, allow: true }))).to.include({
        code: 'NOT_FOUND',
      });
    });
  });
});
