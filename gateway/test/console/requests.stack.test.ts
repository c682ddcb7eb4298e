import { expect } from 'chai';
import type { RunningStack } from '../../../deploy/local/src/stack/stack.ts';
import { PATHS } from '../../src/console/api/paths.ts';
import { http } from '../e2e/support/http.ts';
import { sharedStack, STACK_START_TIMEOUT_MS } from '../e2e/support/stack.ts';
import { newTenant, type Envelope, type TestTenant } from '../e2e/support/tenant.ts';
import { consoleUser, cookieHeader, pageHeaders, type ConsoleUser } from './support/console.ts';

/** Every endpoint of the console's API, with what a well-meant request would send. */
const MEMBERS_OWN: readonly (readonly [string, string, unknown?])[] = [
  ['GET', PATHS.session],
  ['GET', PATHS.catalog],
  ['GET', `${PATHS.catalog}/nope/nope`],
  ['GET', PATHS.sqlReference],
  ['GET', PATHS.savedQueries],
  ['POST', PATHS.savedQueries, { name: 'n', sql: 'SELECT 1' }],
  ['GET', `${PATHS.savedQueries}/x`],
  ['PATCH', `${PATHS.savedQueries}/x`, { name: 'n' }],
  ['DELETE', `${PATHS.savedQueries}/x`],
  ['GET', PATHS.agents],
  ['DELETE', `${PATHS.agents}/x`],
  ['GET', PATHS.account],
  ['POST', PATHS.enrollmentLink],
  ['DELETE', `${PATHS.account}/passkeys/x`],
  ['DELETE', `${PATHS.account}/sessions/x`],
  ['POST', PATHS.signOutEverywhere],
];
const ADMINS: readonly (readonly [string, string, unknown?])[] = [
  ['GET', PATHS.connect],
  ['GET', PATHS.clients],
  ['POST', PATHS.clients, { name: 'n' }],
  ['POST', `${PATHS.clients}/x/rotate-secret`],
  ['POST', `${PATHS.clients}/x/disable`],
  ['POST', `${PATHS.clients}/x/enable`],
  ['GET', PATHS.people],
  ['POST', PATHS.people, { email: 'x@example.com', role: 'member' }],
  ['PATCH', `${PATHS.people}/x`, { role: 'admin' }],
  ['POST', `${PATHS.people}/x/disable`],
  ['POST', `${PATHS.people}/x/enable`],
  ['POST', `${PATHS.people}/x/enroll-again`],
  ['GET', PATHS.budgets],
  ['PUT', `${PATHS.budgets}/tenant`, { unitsPerDay: 1, unitsPerMonth: null }],
  ['DELETE', `${PATHS.budgets}/tenant`],
  ['PUT', `${PATHS.budgets}/clients/x`, { unitsPerDay: 1, unitsPerMonth: null }],
  ['DELETE', `${PATHS.budgets}/clients/x`],
  ['GET', PATHS.usageByPrincipal],
];
const ALL = [...MEMBERS_OWN, ...ADMINS];
/** Of the REST API, what a session may call. */
const REST: readonly (readonly [string, string, unknown?])[] = [
  ['GET', '/v1/schemas'],
  ['POST', '/v1/query', { sql: 'SELECT 1' }],
  ['PATCH', '/v1/queries/none', { rowsWanted: 1 }],
];

describe('a request of the console', function () {
  this.timeout(STACK_START_TIMEOUT_MS);
  let stack: RunningStack;
  let tenant: TestTenant;
  let admin: ConsoleUser;
  let member: ConsoleUser;

  before(async () => {
    stack = await sharedStack();
    tenant = await newTenant(stack);
    admin = await consoleUser(stack, tenant.tenantId, 'admin');
    member = await consoleUser(stack, tenant.tenantId, 'member');
  });

  const send = (method: string, path: string, json: unknown, headers: Record<string, string>) =>
    http<Envelope>(method, `${stack.baseUrl}${path}`, {
      ...(json === undefined ? {} : { json }),
      headers,
    });

  it('gets nothing without its session', async () => {
    for (const [method, path, json] of [...ALL, ...REST]) {
      const { cookie: _cookie, ...rest } = pageHeaders(stack.baseUrl, admin.browser);
      expect((await send(method, path, json, rest)).status, `${method} ${path}`).to.equal(401);
    }
  });

  it("gets nothing without the page's header: a cookie alone is what another site's form would send", async () => {
    const { 'x-penstock-console': _header, ...rest } = pageHeaders(stack.baseUrl, admin.browser);
    for (const [method, path, json] of [...ALL, ...REST])
      expect((await send(method, path, json, rest)).status, `${method} ${path}`).to.equal(401);
    const form = await fetch(`${stack.baseUrl}${PATHS.clients}`, {
      method: 'POST',
      headers: { cookie: cookieHeader(admin.browser), 'content-type': 'text/plain' },
      body: '{"name":"x"}',
    });
    expect(form.status).to.equal(401);
    expect((await admin.call('GET', PATHS.clients)).text).to.not.include('"name":"x"');
  });

  it('gets nothing where the browser says that another site sent it', async () => {
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ]) {
      for (const [method, path, json] of [...ALL, ...REST, ['POST', PATHS.signOut] as const]) {
        const sent = { ...pageHeaders(stack.baseUrl, admin.browser), ...headers };
        const { status, text } = await send(method, path, json, sent);
        expect(status, `${method} ${path} ${JSON.stringify(headers)} ${text}`).to.equal(403);
      }
    }
    expect((await admin.call('GET', PATHS.session)).status).to.equal(200);
  });

  it("lets no other site's page send the header: preflights are refused", async () => {
    for (const path of [PATHS.session, '/v1/query', '/v1/schemas']) {
      const answer = await fetch(`${stack.baseUrl}${path}`, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://evil.example',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'x-penstock-console',
        },
      });
      expect(answer.headers.get('access-control-allow-origin')).to.equal(null);
      expect(answer.ok).to.equal(false);
    }
  });

  it('is refused where it brings a bearer token along, and without its header the token counts', async () => {
    const headers: Record<string, string> = {
      ...pageHeaders(stack.baseUrl, member.browser),
      authorization: `Bearer ${tenant.token}`,
    };
    for (const path of ['/v1/schemas', PATHS.session])
      expect((await send('GET', path, undefined, headers)).status).to.equal(400);
    const { 'x-penstock-console': _header, ...rest } = headers;
    expect((await send('GET', '/v1/usage/summary', undefined, rest)).status).to.equal(200);
  });

  it('is only for sessions: the tokens of API clients reach nothing of it', async () => {
    for (const [method, path, json] of ALL) {
      const headers = { authorization: `Bearer ${tenant.token}` };
      expect((await send(method, path, json, headers)).status, `${method} ${path}`).to.equal(401);
    }
  });

  it('tells a member that an administrator is needed, for all that is for administrators', async () => {
    for (const [method, path, json] of ADMINS) {
      const { status, body } = await member.call(method, path, json === undefined ? {} : { json });
      expect(status, `${method} ${path}`).to.equal(403);
      expect(body.error).to.include({
        code: 'TENANT_ADMIN_REQUIRED',
        message: 'Tenant admin access required',
      });
    }
    for (const [method, path, json] of [
      ['POST', '/v1/schemas', {}],
      ['GET', '/v1/usage/summary'],
      ['DELETE', '/v1/schemas/x'],
    ] as const) {
      const { status, body } = await member.call(method, path, json === undefined ? {} : { json });
      expect([status, body.error?.message], path).to.deep.equal([403, 'Tenant admin access required']);
    }
  });

  it('may use the REST API as its user: a member reads, an administrator does all', async () => {
    expect((await member.call('GET', '/v1/schemas')).status).to.equal(200);
    const asked = { json: { sql: 'SELECT 1 AS one' } };
    expect((await member.call('POST', '/v1/query', asked)).body.data).to.deep.include({ columns: ['one'] });
    expect((await admin.call('GET', '/v1/usage/summary')).body.data).to.include({
      tenantId: tenant.tenantId,
    });
    expect((await admin.call('GET', '/v1/schemas/nope')).status).to.equal(404);
    expect((await admin.call('POST', '/v1/schemas', { json: {} })).status).to.equal(400);
  });

  it('has 404 for what there is not, and 405 for other methods', async () => {
    expect((await admin.call('GET', '/console/api/nope')).status).to.equal(404);
    const { status, headers } = await admin.call('DELETE', PATHS.session);
    expect([status, headers.get('allow')]).to.deep.equal([405, 'GET, HEAD']);
  });

  it('is told which field of its body is wrong', async () => {
    for (const [path, json, said] of [
      [PATHS.clients, { name: '' }, 'name'],
      [PATHS.clients, { name: 'n', scopes: ['root'] }, 'scopes'],
      [PATHS.clients, { name: 'n', admin: true }, 'admin'],
      [PATHS.people, { email: 'nobody', role: 'member' }, 'email'],
      [PATHS.people, { email: 'a@example.com', role: 'owner' }, 'role'],
      [PATHS.savedQueries, { name: 'n', sql: 'x'.repeat(64 * 1024 + 1) }, 'sql'],
    ] as const) {
      const { status, body } = await admin.call('POST', path, { json });
      expect(status, JSON.stringify(json).slice(0, 80)).to.equal(400);
      expect(body.error?.message).to.include(said);
    }
  });
});
