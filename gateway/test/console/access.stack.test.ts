import { expect } from 'chai';
import type { RunningStack } from '../../../deploy/local/src/stack/stack.ts';
import { newAuthenticator } from '../../../services/auth/test/support/authenticator.ts';
import { until } from '../../../services/common/test/support/until.ts';
import type { BudgetList } from '../../src/console/api/budgets.ts';
import type { ApiClient, ClientCredentials } from '../../src/console/api/clients.ts';
import {
  budgetPath,
  clientActionPath,
  PATHS,
  personActionPath,
  personPath,
} from '../../src/console/api/paths.ts';
import type { Invitation, Person } from '../../src/console/api/people.ts';
import type { Page } from '../../src/console/api/protocol.ts';
import type { UsageByPrincipal } from '../../src/console/api/usage.ts';
import { http } from '../e2e/support/http.ts';
import { sharedStack, STACK_START_TIMEOUT_MS } from '../e2e/support/stack.ts';
import { seedShop } from '../e2e/support/shop.ts';
import { newAccount, newTenant, registerSchema, tokenOf, type TestTenant } from '../e2e/support/tenant.ts';
import { newBrowser } from '../login/support/sign-in.ts';
import { callerOf, consoleUser, type ConsoleUser } from './support/console.ts';
import { untilCounts } from './support/until-counts.ts';

interface Answered<Data> {
  readonly success: boolean;
  readonly data: Data;
  readonly error?: { readonly code: string; readonly message: string };
}

describe('an administrator in the console', function () {
  this.timeout(STACK_START_TIMEOUT_MS);
  let stack: RunningStack;
  let tenant: TestTenant;
  let admin: ConsoleUser;
  let stranger: ConsoleUser;

  before(async () => {
    stack = await sharedStack();
    tenant = await newTenant(stack);
    admin = await consoleUser(stack, tenant.tenantId);
    stranger = await consoleUser(stack, (await newTenant(stack)).tenantId);
  });

  const clientNamed = async (name: string): Promise<ApiClient | undefined> =>
    (await admin.call<Answered<Page<ApiClient>>>('GET', PATHS.clients)).body.data.items.find(
      (client) => client.name === name,
    );
  const signedIn = ({ clientId, clientSecret }: { clientId: string; clientSecret: string }) =>
    http('POST', `${stack.baseUrl}/v1/auth/token`, { json: { clientId, clientSecret } });

  it('makes an API client whose secret works and is shown once, and sees when it was used', async () => {
    const made = await admin.call<Answered<ClientCredentials>>('POST', PATHS.clients, {
      json: { name: '  <b>reports</b> ', scopes: ['query', 'usage:read'] },
    });
    expect(made.status).to.equal(201);
    const { client, clientSecret } = made.body.data;
    expect(client).to.include({ name: '<b>reports</b>', status: 'active', lastUsedAt: null });
    expect(client.scopes).to.deep.equal(['query', 'usage:read']);
    expect((await signedIn({ ...client, clientSecret })).status).to.equal(200);
    const listed = await admin.call('GET', PATHS.clients);
    expect(listed.text).to.not.include(clientSecret).and.not.include('secretHash');
    const seen = await clientNamed('<b>reports</b>');
    expect(Date.now() - Date.parse(seen?.lastUsedAt ?? '')).to.be.within(0, 180_000);
  });

  it('rotates a secret, disables a client and lets it in again', async () => {
    const { body } = await admin.call<Answered<ClientCredentials>>('POST', PATHS.clients, {
      json: { name: 'nightly' },
    });
    const { client, clientSecret } = body.data;
    expect(client.scopes).to.deep.equal(['query', 'schemas:read']);
    const { clientId } = client;
    const rotated = await admin.call<Answered<ClientCredentials>>(
      'POST',
      clientActionPath(clientId, 'rotate-secret'),
    );
    expect((await signedIn({ clientId, clientSecret })).status).to.equal(401);
    const current = { clientId, clientSecret: rotated.body.data.clientSecret };
    expect((await signedIn(current)).status).to.equal(200);
    expect((await admin.call('POST', clientActionPath(clientId, 'disable'))).body.data).to.include({
      status: 'disabled',
    });
    expect((await signedIn(current)).status).to.equal(401);
    await admin.call('POST', clientActionPath(clientId, 'enable'));
    expect((await signedIn(current)).status).to.equal(200);
  });

  it('invites somebody, who signs in with the passkey that the link makes', async () => {
    const email = `invited-${Date.now()}@example.com`;
    const { status, body } = await admin.call<Answered<Invitation>>('POST', PATHS.people, {
      json: { email, role: 'member' },
    });
    expect(status).to.equal(201);
    const { person, enrollUrl, expiresAt } = body.data;
    expect(person).to.include({ email, role: 'member', enrolled: false, self: false, lastSignedInAt: null });
    expect((Date.parse(expiresAt) - Date.now()) / 86_400_000).to.be.within(6.9, 7);

    const browser = newBrowser(stack.baseUrl);
    const authenticator = newAuthenticator(stack.mcpUrl);
    const page = await browser.open(enrollUrl);
    const made = authenticator.create(await browser.passkeyOptions(page));
    expect((await browser.submit(page, 'passkey', { response: made })).text).to.include('console');
    const login = await browser.open(`${stack.consoleUrl}/sign-in`);
    const answer = authenticator.get(await browser.passkeyOptions(login));
    await browser.submit(login, 'passkey', { response: answer });
    const call = callerOf(stack.baseUrl, stack.baseUrl, browser);
    expect((await call('GET', PATHS.session)).text).to.include(email);

    const { data } = (await admin.call<Answered<Page<Person>>>('GET', PATHS.people)).body;
    const listed = data.items.find((each) => each.email === email);
    expect(listed).to.include({ enrolled: true, status: 'active' });
    expect(listed?.lastSignedInAt).to.be.a('string');
    expect(data.items.find(({ self }) => self)?.email).to.equal(admin.user.email);

    const again = { json: { email: email.toUpperCase(), role: 'member' } };
    const taken = await admin.call('POST', PATHS.people, again);
    expect([taken.status, taken.body.error?.code]).to.deep.equal([400, 'VALIDATION_ERROR']);
  });

  it('changes what somebody may do, which counts within 3 seconds', async () => {
    const member = await consoleUser(stack, tenant.tenantId, 'member');
    expect((await member.call('GET', PATHS.people)).status).to.equal(403);
    await admin.call('PATCH', personPath(member.user.userId), { json: { role: 'admin' } });
    await untilStatus(() => member.call('GET', PATHS.people), 200);
    await admin.call('PATCH', personPath(member.user.userId), { json: { role: 'member' } });
    await untilStatus(() => member.call('GET', PATHS.people), 403);
    await admin.call('POST', personActionPath(member.user.userId, 'disable'));
    await untilStatus(() => member.call('GET', PATHS.session), 401);
  });

  it('gives a new link to somebody who lost their device, and ends what they had', async () => {
    const member = await consoleUser(stack, tenant.tenantId, 'member');
    const path = personActionPath(member.user.userId, 'enroll-again');
    const { body } = await admin.call<Answered<Invitation>>('POST', path);
    expect(body.data.person.enrolled).to.equal(false);
    expect((await fetch(body.data.enrollUrl)).status).to.equal(200);
    await untilStatus(() => member.call('GET', PATHS.session), 401);
  });

  it('cannot lock out or demote themselves', async () => {
    const { userId } = admin.user;
    for (const asked of [
      admin.call('POST', personActionPath(userId, 'disable')),
      admin.call('PATCH', personPath(userId), { json: { role: 'member' } }),
    ]) {
      const { status, body } = await asked;
      expect([status, body.error?.code]).to.deep.equal([409, 'CONFLICT']);
    }
    expect((await admin.call('GET', PATHS.people)).status).to.equal(200);
  });

  it("reaches nothing of another tenant's", async () => {
    const made = await admin.call<Answered<ClientCredentials>>('POST', PATHS.clients, {
      json: { name: 'mine' },
    });
    const { clientId } = made.body.data.client;
    const { userId } = admin.user;
    const budget = { json: { unitsPerDay: 1, unitsPerMonth: null } };
    for (const asked of [
      stranger.call('POST', clientActionPath(clientId, 'rotate-secret')),
      stranger.call('POST', clientActionPath(clientId, 'disable')),
      stranger.call('POST', clientActionPath(clientId, 'enable')),
      stranger.call('PATCH', personPath(userId), { json: { role: 'member' } }),
      stranger.call('POST', personActionPath(userId, 'disable')),
      stranger.call('POST', personActionPath(userId, 'enable')),
      stranger.call('POST', personActionPath(userId, 'enroll-again')),
      stranger.call('PUT', budgetPath(clientId), budget),
      stranger.call('DELETE', budgetPath(clientId)),
    ]) {
      const { status, text } = await asked;
      expect(status, text).to.equal(404);
      expect(text).to.not.include(tenant.tenantId);
    }
    for (const path of [PATHS.clients, PATHS.people, PATHS.budgets, PATHS.usageByPrincipal]) {
      const { text } = await stranger.call('GET', path);
      for (const secret of [clientId, userId, admin.user.email, tenant.tenantId])
        expect(text, path).to.not.include(secret);
    }
    expect((await signedIn({ clientId, clientSecret: made.body.data.clientSecret })).status).to.equal(200);
    expect((await admin.call('GET', PATHS.session)).status).to.equal(200);
  });

  it('sets budgets, which hold queries, and sees how far they are used and by whom', async () => {
    const account = newAccount(stack);
    await seedShop(account, 'x');
    await registerSchema(stack, tenant, account, { schemaName: 'shop' });
    account.close();
    const credentials = (
      await admin.call<Answered<ClientCredentials>>('POST', PATHS.clients, { json: { name: 'spender' } })
    ).body.data;
    const { clientId } = credentials.client;
    const token = await tokenOf(stack, { clientId, clientSecret: credentials.clientSecret });
    const asked = { sql: 'SELECT name FROM shop.customers' };
    const query = () => http<Answered<object>>('POST', `${stack.baseUrl}/v1/query`, { token, json: asked });
    expect((await query()).body.success).to.equal(true);
    expect((await admin.call('POST', '/v1/query', { json: asked })).body.success).to.equal(true);

    const set = await admin.call<Answered<BudgetList['items'][number]>>('PUT', budgetPath(clientId), {
      json: { unitsPerDay: 0.5, unitsPerMonth: 1000 },
    });
    expect(set.body.data).to.include({ clientId, clientName: 'spender', unitsPerDay: 0.5 });
    // Each engine looks at budgets every two seconds: until both have, one of them may still answer.
    const isRefused = async (): Promise<boolean> => /budget/i.test((await query()).text);
    await until(async () => (await isRefused()) && (await isRefused()) && (await isRefused()), {
      what: 'the budget holds queries',
    });

    await admin.call('PUT', budgetPath(null), { json: { unitsPerDay: null, unitsPerMonth: 5000 } });
    const { items, used } = (await admin.call<Answered<BudgetList>>('GET', PATHS.budgets)).body.data;
    expect(items.map((item) => [item.clientId, item.unitsPerDay, item.unitsPerMonth])).to.deep.equal([
      [null, null, 5000],
      [clientId, 0.5, 1000],
    ]);
    expect(items[1]?.used.today).to.be.at.least(0.5);
    expect(used.today).to.be.above(items[1]?.used.today ?? 0);

    const usage = (await admin.call<Answered<UsageByPrincipal>>('GET', PATHS.usageByPrincipal)).body.data;
    const person = usage.items.find(({ id }) => id === admin.user.userId);
    expect(person).to.include({ kind: 'person', name: admin.user.email, rowsReturned: 3 });
    expect(usage.items.find(({ id }) => id === clientId)).to.include({ kind: 'client', name: 'spender' });
    expect(usage.others.readUnits).to.equal(0);

    expect((await admin.call('DELETE', budgetPath(clientId))).body.data).to.deep.equal({ deleted: true });
    expect((await admin.call('DELETE', budgetPath(clientId))).status).to.equal(404);
    await until(async () => (await query()).body.success, { what: 'queries are let through again' });
  });
});

const untilStatus = (call: () => Promise<{ readonly status: number }>, status: number): Promise<void> =>
  untilCounts(async () => (await call()).status === status);
