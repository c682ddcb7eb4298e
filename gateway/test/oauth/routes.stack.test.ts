import { expect } from 'chai';
import * as oauth from 'oauth4webapi';
import type { RunningStack } from '../../../deploy/local/src/stack/stack.ts';
import { sharedStack, STACK_START_TIMEOUT_MS } from '../e2e/support/stack.ts';
import { newTenant, type TestTenant } from '../e2e/support/tenant.ts';
import { registration } from '../login/support/sign-in.ts';

const insecure = { [oauth.allowInsecureRequests]: true };

describe('the OAuth routes', function () {
  this.timeout(STACK_START_TIMEOUT_MS);
  let stack: RunningStack;
  let tenant: TestTenant;
  let server: oauth.AuthorizationServer;

  const post = (path: string, body: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${stack.mcpUrl}${path}`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    });

  before(async () => {
    stack = await sharedStack();
    tenant = await newTenant(stack);
    const issuer = new URL(stack.mcpUrl);
    const found = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
    server = await oauth.processDiscoveryResponse(issuer, found);
  });

  it('give an API client a token by HTTP Basic and by form fields, and revoke it', async () => {
    const client = { client_id: tenant.credentials.clientId };
    const secret = tenant.credentials.clientSecret;
    for (const authenticate of [oauth.ClientSecretBasic(secret), oauth.ClientSecretPost(secret)]) {
      const form = { scope: 'query' };
      const answer = await oauth.clientCredentialsGrantRequest(server, client, authenticate, form, insecure);
      expect(answer.headers.get('cache-control')).to.equal('no-store');
      const granted = await oauth.processClientCredentialsResponse(server, client, answer);
      expect(granted).to.include({ token_type: 'bearer', expires_in: 600, scope: 'query' });
      expect(granted.refresh_token).to.equal(undefined);
      const revoked = await oauth.revocationRequest(
        server,
        client,
        authenticate,
        granted.access_token,
        insecure,
      );
      expect(revoked.status).to.equal(200);
      expect(await revoked.text()).to.equal('');
    }
  });

  it('register a public client and say what is wrong with another', async () => {
    const registered = await oauth.processDynamicClientRegistrationResponse(
      await oauth.dynamicClientRegistrationRequest(server, { ...registration }, insecure),
    );
    expect(registered.client_secret).to.equal(undefined);
    expect(registered.token_endpoint_auth_method).to.equal('none');

    const json = { 'content-type': 'application/json' };
    const wrong = ['{', JSON.stringify({ ...registration, redirect_uris: ['http://example.com/'] }), 'null'];
    for (const body of wrong) {
      const answer = await post('/register', body, json);
      expect(answer.status, body).to.equal(400);
      expect(await answer.json()).to.include({ error: 'invalid_client_metadata' });
    }
    const large = await post('/register', JSON.stringify({ client_name: 'x'.repeat(70_000) }), json);
    expect(large.status).to.equal(413);
    const form = await post('/register', JSON.stringify(registration));
    expect(form.status).to.equal(400);
  });

  it('serve both metadata documents at the root and with the path inserted', async () => {
    for (const [name, field, value] of [
      ['oauth-protected-resource', 'resource', `${stack.mcpUrl}/mcp`],
      ['oauth-authorization-server', 'issuer', stack.mcpUrl],
    ] as const) {
      const texts = await Promise.all(
        ['', '/mcp'].map(async (suffix) => {
          const answer = await fetch(`${stack.mcpUrl}/.well-known/${name}${suffix}`);
          expect(answer.status).to.equal(200);
          expect(answer.headers.get('content-type')).to.include('application/json');
          expect(answer.headers.get('access-control-allow-origin')).to.equal('*');
          return answer.text();
        }),
      );
      expect(JSON.parse(texts[0]!)).to.have.property(field, value);
      expect(texts[1]).to.equal(texts[0]);
    }
  });

  const refused: readonly (readonly [string, string, Record<string, string>, number, string])[] = [
    ['no parameter', '', {}, 400, 'invalid_request'],
    [
      'a grant_type sent twice',
      'grant_type=refresh_token&grant_type=refresh_token',
      {},
      400,
      'invalid_request',
    ],
    [
      'an empty parameter sent twice',
      'scope=&scope=&grant_type=client_credentials',
      {},
      400,
      'invalid_request',
    ],
    [
      'an overlong client_id',
      `grant_type=client_credentials&client_id=${'c'.repeat(3000)}`,
      {},
      400,
      'invalid_request',
    ],
    [
      'JSON',
      '{"grant_type":"client_credentials"}',
      { 'content-type': 'application/json' },
      400,
      'invalid_request',
    ],
    ['a form above the limit', `code=${'c'.repeat(140_000)}`, {}, 413, 'invalid_request'],
  ];
  for (const [what, body, headers, status, error] of refused) {
    it(`refuse ${what} at /token`, async () => {
      const answer = await post('/token', body, headers);
      expect(answer.status).to.equal(status);
      expect(answer.headers.get('cache-control')).to.equal('no-store');
      expect(await answer.json()).to.include({ error });
    });
  }

  it('refuse a missing grant, an unknown one and a wrong secret in the words of the contract', async () => {
    const { clientId, clientSecret } = tenant.credentials;
    const own = `client_id=${clientId}&client_secret=${clientSecret}`;
    const missing = await post('/token', own);
    expect(missing.status).to.equal(400);
    expect(await missing.json()).to.include({ error: 'invalid_request' });

    const unknown = await post('/token', `grant_type=password&${own}`);
    expect(unknown.status).to.equal(400);
    expect(await unknown.json()).to.include({ error: 'unsupported_grant_type' });

    const authorization = `Basic ${Buffer.from(`${clientId}:wrong`).toString('base64')}`;
    const wrong = await post('/token', 'grant_type=client_credentials', { authorization });
    expect(wrong.status).to.equal(401);
    expect(wrong.headers.get('www-authenticate')).to.match(/^Basic /);
    expect(await wrong.json()).to.include({ error: 'invalid_client' });
  });

  it('let any page call them, and only them', async () => {
    const preflight = (path: string): Promise<Response> =>
      fetch(`${stack.mcpUrl}${path}`, {
        method: 'OPTIONS',
        headers: { origin: 'https://client.example', 'access-control-request-method': 'POST' },
      });
    const allowed = await preflight('/token');
    expect(allowed.status).to.equal(204);
    expect(allowed.headers.get('access-control-allow-methods')).to.equal('POST');
    expect(allowed.headers.get('access-control-allow-credentials')).to.equal(null);
    for (const path of ['/authorize', '/login', '/v1/query']) {
      const other = await preflight(path);
      expect(other.status, path).to.equal(405);
      expect(other.headers.get('access-control-allow-origin'), path).to.equal(null);
    }
  });
});
