import { expect } from 'chai';
import { useStage } from '../support/stage.ts';
import {
  authorize,
  authorized,
  brief,
  codeIn,
  errorOf,
  granted,
  interactionIdOf,
  newBrowser,
  newPkce,
  pageOf,
  redeem,
  redirectOf,
  redirectUri,
  register,
} from '../support/sign-in.ts';
import type { AuthorizeChange, TestBrowser } from '../support/sign-in.ts';

describe('BeginAuthorization', function () {
  this.timeout(90_000);
  const pkce = newPkce();
  const stage = useStage('suite');
  let clientId: string;

  before(async () => {
    clientId = await register(stage.one);
  });

  const begin = (change: AuthorizeChange = {}, browser: TestBrowser = newBrowser()) =>
    authorize(stage.one, browser, { clientId, pkce }, change);
  /** The error that the client is told. */
  async function told(change: AuthorizeChange) {
    const url = redirectOf(newBrowser(), await begin(change));
    expect(url.origin + url.pathname).to.equal(redirectUri);
    expect(url.searchParams.get('state')).to.equal('the-state');
    expect(url.searchParams.get('iss')).to.equal('http://mcp.test');
    expect(url.searchParams.get('code')).to.equal(null);
    return url.searchParams.get('error');
  }

  it('sends the browser to the login page, with a cookie that scripts cannot read', async () => {
    const step = await begin();
    expect(step.setCookies).to.have.length(1);
    expect(step.setCookies[0]).to.match(
      /^penstock-sign-in-[\w-]{12}=\.[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/,
    );
    const url = redirectOf(newBrowser(), step);
    expect(url.origin + url.pathname).to.equal('http://mcp.test/login');
    expect(interactionIdOf(url)).to.match(/^[\w-]{43}$/);
  });

  it('uses __Host- cookies where the pages are served over https', async () => {
    const secure = await stage.another({ mcpUrl: 'https://mcp.test' });
    const id = await register(secure.one);
    const step = await authorize(secure.one, newBrowser(), { clientId: id, pkce });
    expect(step.setCookies[0]).to.match(/^__Host-penstock-sign-in-.*; Path=\/; .*; Secure;/);
    expect(redirectOf(newBrowser(), step).protocol).to.equal('https:');
  });

  describe('shows an error page, and redirects nowhere, for', () => {
    const wrong: Record<string, AuthorizeChange> = {
      'no client': { clientId: undefined },
      'no redirect URI': { redirectUri: undefined },
      'another path': { redirectUri: 'http://127.0.0.1:3000/other' },
      'another loopback host': { redirectUri: 'http://localhost:3000/callback' },
      'a host that poses as loopback': { redirectUri: 'http://127.0.0.1:80@evil.example/callback' },
      'another scheme': { redirectUri: 'https://127.0.0.1:3000/callback' },
    };
    for (const [what, change] of Object.entries(wrong)) {
      it(what, async () => {
        expect(brief(errorOf(await begin(change)))).to.equal('400 invalid_request');
      });
    }
    it('an unknown client', async () => {
      const step = await begin({ clientId: 'mcp_00000000000000000000000000000000' });
      expect(brief(errorOf(step))).to.equal('400 invalid_client');
    });
    it('an API client, which has no redirect URI', async () => {
      const api = await stage.newClient();
      expect(brief(errorOf(await begin({ clientId: api.clientId })))).to.equal('400 invalid_request');
    });
  });

  it('takes any port of the loopback address', async () => {
    const url = redirectOf(newBrowser(), await begin({ redirectUri: 'http://127.0.0.1:54321/callback' }));
    expect(url.pathname).to.equal('/login');
  });

  describe('tells the client', () => {
    const wrong: Record<string, [AuthorizeChange, string]> = {
      'that a response type is required': [{ responseType: undefined }, 'invalid_request'],
      'that only code is supported': [{ responseType: 'token' }, 'unsupported_response_type'],
      'that PKCE is required': [
        { codeChallenge: undefined, codeChallengeMethod: undefined },
        'invalid_request',
      ],
      'that the PKCE method is required': [{ codeChallengeMethod: undefined }, 'invalid_request'],
      'that plain PKCE is refused': [{ codeChallengeMethod: 'plain' }, 'invalid_request'],
      'that the challenge is malformed': [{ codeChallenge: 'short' }, 'invalid_request'],
      'that another resource is refused': [{ resource: ['https://other.example/mcp'] }, 'invalid_request'],
      'that one of several resources is refused': [
        { resource: ['http://mcp.test/mcp', 'https://other.example/mcp'] },
        'invalid_request',
      ],
      'that there is no form_post': [{ responseMode: 'form_post' }, 'unsupported_response_mode'],
      'that there is no fragment': [{ responseMode: 'fragment' }, 'unsupported_response_mode'],
      'that an unknown prompt is refused': [{ prompt: 'create' }, 'invalid_request'],
      'that none cannot be combined': [{ prompt: 'none login' }, 'invalid_request'],
      'that the user has to sign in, where it asks for none': [{ prompt: 'none' }, 'login_required'],
    };
    for (const [what, [change, error]] of Object.entries(wrong)) {
      it(what, async () => expect(await told(change)).to.equal(error));
    }
  });

  describe('scopes', () => {
    const asked = async (change: AuthorizeChange): Promise<string> => {
      const url = await authorized(stage.one, {
        clientId,
        pkce,
        user: stage.user,
        clock: stage.clock,
        change,
      });
      return granted(await redeem(stage.two, { clientId, code: codeIn(url), verifier: pkce.verifier })).scope;
    };
    it('are all where none is asked for', async () => {
      expect(await asked({})).to.equal('query schemas:read');
    });
    it('are those asked for', async () => {
      expect(await asked({ scope: 'schemas:read' })).to.equal('schemas:read');
    });
    it('that are no MCP scopes are ignored', async () => {
      expect(await asked({ scope: 'openid query offline_access usage:read' })).to.equal('query');
      expect(await asked({ scope: 'openid offline_access' })).to.equal('query schemas:read');
    });
    it('are asked for the one resource there is, named or not', async () => {
      expect(await asked({ resource: ['http://mcp.test/mcp'], scope: 'query' })).to.equal('query');
    });
  });

  describe('for a browser that is signed in', () => {
    let browser: TestBrowser;
    before(async () => {
      browser = newBrowser();
      await authorized(stage.one, { browser, clientId, pkce, user: stage.user, clock: stage.clock });
    });
    const pageFor = async (change: AuthorizeChange) => {
      const id = interactionIdOf(redirectOf(browser, await begin(change, browser)));
      return (await pageOf(stage.two, browser, id)).page.case;
    };

    it('asks for consent each time', async () => {
      expect(await pageFor({})).to.equal('consent');
      expect(await pageFor({})).to.equal('consent');
    });
    it('asks to sign in again where the client wants that', async () => {
      expect(await pageFor({ prompt: 'login' })).to.equal('signIn');
    });
    it('never gives a code without asking', async () => {
      const url = redirectOf(browser, await begin({ prompt: 'none' }, browser));
      expect(url.searchParams.get('error')).to.equal('interaction_required');
      expect(url.searchParams.get('code')).to.equal(null);
    });
    it('asks to sign in after an hour', async () => {
      stage.clock.forward(3599 - 60);
      expect(await pageFor({})).to.equal('consent');
      stage.clock.forward(61);
      expect(await pageFor({})).to.equal('signIn');
    });
  });
});
