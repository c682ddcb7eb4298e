import { randomBytes } from 'node:crypto';
import { verify } from '@node-rs/argon2';
import { callOptions } from '@penstock/common/rpc/client.ts';
import { expect } from 'chai';
import { Secret, TOTP, URI } from 'otpauth';
import { createEnrollmentStore } from '../../src/store/enrollments.ts';
import { createPrincipalStore } from '../../src/store/principals.ts';
import type { AuthTable } from '../../src/store/table.ts';
import { hashSecret } from '../../src/tokens/secret.ts';
import { totpContext } from '../../src/users/totp.ts';
import { userSchema } from '../../src/users/user.ts';
import { failureOf, startReplica } from '../support/auth-server.ts';
import type { TestReplica } from '../support/auth-server.ts';
import { movableClock } from '../support/clock.ts';
import type { MovableClock } from '../support/clock.ts';
import { startTestDynamo } from '../support/dynamodb.ts';
import { envelopeOf } from '../support/envelope.ts';
import type { TestDynamo } from '../support/dynamodb.ts';

const keyEncryptionKey = randomBytes(32);

describe('AdminService', function () {
  this.timeout(90_000);
  let dynamo: TestDynamo;
  let table: AuthTable & { readonly tableName: string };
  let clock: MovableClock;
  let replica: TestReplica;
  let tenantId: string;

  before(async () => {
    dynamo = await startTestDynamo();
  });
  beforeEach(async () => {
    clock = movableClock();
    table = await dynamo.table(clock);
    replica = await startReplica({ table, clock, keyEncryptionKeys: [keyEncryptionKey] });
    ({ tenantId } = await replica.admin.createTenant({ name: 'Acme' }, replica.operator));
  });
  afterEach(() => replica.close());
  after(() => dynamo.close());

  it('opens to the operator token only', async () => {
    const tokens = [null, 'pop_wrong', ''];
    for (const token of tokens) {
      const failure = await failureOf(
        replica.admin.listTenants({}, callOptions({ token, requestId: 'test' })),
      );
      expect(failure).to.include({ code: 'UNAUTHORIZED', message: 'Unauthorized' });
    }
  });

  it('lists tenants by creation, with their own limits', async () => {
    const { tenantId: second } = await replica.admin.createTenant({ name: 'Beta' }, replica.operator);
    await replica.admin.setTenantLimits(
      { tenantId: second, rateLimitRps: 5, rateLimitBurst: 9 },
      replica.operator,
    );
    const { tenants } = await replica.admin.listTenants({}, replica.operator);
    expect(tenants.map(({ name, rateLimitRps }) => [name, rateLimitRps])).to.deep.equal([
      ['Acme', undefined],
      ['Beta', 5],
    ]);
    expect(tenants[1]).to.include({ tenantId: second, rateLimitBurst: 9 });
  });

  it('gives clients the default scopes, and lists those of one tenant without their secrets', async () => {
    const { tenantId: other } = await replica.admin.createTenant({ name: 'Beta' }, replica.operator);
    await replica.admin.createClient({ tenantId: other, name: 'theirs' }, replica.operator);
    const made = await replica.admin.createClient({ tenantId, name: 'mine' }, replica.operator);
    const { clients } = await replica.admin.listClients({ tenantId }, replica.operator);
    expect(made.clientSecret).to.match(/^pst_cs_[\w-]{43}$/);
    expect(clients).to.have.length(1);
    expect(clients[0]).to.include({ name: 'mine', status: 'active' });
    expect(clients[0]?.scopes).to.deep.equal(['query', 'schemas:read']);
    expect(JSON.stringify(clients)).not.to.match(/secret/i);
  });

  it('lets a disabled client in again with its secret, while its tokens from before stay ended', async () => {
    const { admin, operator, tokens } = replica;
    const { client, clientSecret } = await admin.createClient({ tenantId, name: 'mine' }, operator);
    const clientId = client?.clientId ?? '';
    const { refreshToken } = await tokens.issueToken({ clientId, clientSecret });
    await admin.disableClient({ clientId }, operator);
    expect(await failureOf(tokens.issueToken({ clientId, clientSecret }))).to.include({
      code: 'UNAUTHORIZED',
    });
    expect((await admin.enableClient({ clientId }, operator)).status).to.equal('active');
    expect(await failureOf(tokens.refreshToken({ refreshToken }))).to.include({ code: 'UNAUTHORIZED' });
    const anew = await tokens.issueToken({ clientId, clientSecret });
    expect((await tokens.refreshToken({ refreshToken: anew.refreshToken })).accessToken).to.be.a('string');
    const { revocations } = await tokens.listRevocations({});
    expect(revocations.map(({ minimumGeneration }) => minimumGeneration)).to.deep.equal([2n]);
    expect((await admin.enableClient({ clientId }, operator)).status).to.equal('active');
  });

  it('says which tenant, client or user does not exist', async () => {
    const { admin, operator } = replica;
    const calls: [string, () => Promise<unknown>][] = [
      ['Tenant not found: t', () => admin.createClient({ tenantId: 't', name: 'n' }, operator)],
      ['Tenant not found: t', () => admin.listClients({ tenantId: 't' }, operator)],
      ['Tenant not found: t', () => admin.setTenantLimits({ tenantId: 't' }, operator)],
      [
        'Tenant not found: t',
        () => admin.createUser({ tenantId: 't', email: 'a@b.example', role: 'member' }, operator),
      ],
      ['Tenant not found: t', () => admin.listUsers({ tenantId: 't' }, operator)],
      ['Client not found: c', () => admin.disableClient({ clientId: 'c' }, operator)],
      ['Client not found: c', () => admin.rotateClientSecret({ clientId: 'c' }, operator)],
      ['Client not found: c', () => admin.enableClient({ clientId: 'c' }, operator)],
      ['User not found: u', () => admin.disableUser({ userId: 'u' }, operator)],
      ['User not found: u', () => admin.enableUser({ userId: 'u' }, operator)],
      ['User not found: u', () => admin.reenrollUser({ userId: 'u' }, operator)],
    ];
    for (const [message, call] of calls)
      expect(await failureOf(call())).to.include({ code: 'NOT_FOUND', message });
  });

  it('refuses scopes, roles, addresses and passwords that are none', async () => {
    const { admin, operator } = replica;
    const user = { tenantId, email: 'a@b.example', role: 'member' };
    for (const call of [
      () => admin.createClient({ tenantId, name: 'n', scopes: ['everything'] }, operator),
      () => admin.createUser({ ...user, role: 'owner' }, operator),
      () => admin.createUser({ ...user, email: 'nobody' }, operator),
      () => admin.createUser({ ...user, password: 'short' }, operator),
    ]) {
      expect(await failureOf(call())).to.include({ code: 'VALIDATION_ERROR' });
    }
  });

  describe('users', () => {
    const email = 'Ann@Acme.example';
    const create = (change: { email?: string; password?: string } = {}) =>
      replica.admin.createUser({ tenantId, email, role: 'admin', ...change }, replica.operator);
    const users = () => createPrincipalStore(table, 'USER', userSchema);

    it('get a one-time-code secret that works at once in an authenticator app', async () => {
      const { totpSecret, otpauthUrl, user } = await create();
      const app = URI.parse(otpauthUrl);
      expect(app).to.be.instanceOf(TOTP);
      expect(app).to.include({ algorithm: 'SHA1', digits: 6, label: email, issuer: 'Penstock' });
      const stored = await users().get(user?.userId ?? '');
      const opened = envelopeOf(keyEncryptionKey).open(
        stored?.sealedTotpSecret ?? '',
        totpContext(user?.userId ?? ''),
      );
      expect(opened).to.equal(totpSecret);
      const totp = new TOTP({ secret: Secret.fromBase32(opened), algorithm: 'SHA1', digits: 6, period: 30 });
      expect(totp.generate()).to.equal(app instanceof TOTP ? app.generate() : '');
    });

    it('get a link for enrolling a passkey that ends after seven days and is stored hashed', async () => {
      const { enrollUrl, user } = await create();
      const url = new URL(enrollUrl);
      const token = url.searchParams.get('token') ?? '';
      const enrollments = createEnrollmentStore(table);
      expect(url.origin + url.pathname).to.equal('http://mcp.test/enroll');
      expect(await enrollments.get(hashSecret(token))).to.include({ userId: user?.userId });
      clock.forward(7 * 86_400 + 1);
      expect(await enrollments.get(hashSecret(token))).to.equal(null);
    });

    it('have their password as argon2id, and nothing of theirs readable in the table or the logs', async () => {
      const { totpSecret, enrollUrl, user } = await create({ password: 'correct horse' });
      const hash = (await users().get(user?.userId ?? ''))?.passwordHash ?? '';
      expect(hash).to.match(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
      expect(await verify(hash, 'correct horse')).to.equal(true);
      const kept = (await dynamo.dump(table.tableName)) + replica.logged();
      const token = new URL(enrollUrl).searchParams.get('token') ?? '';
      for (const secret of ['correct horse', totpSecret, token])
        expect(kept.includes(secret)).to.equal(false);
    });

    it('have addresses that are unique in their tenant whatever their case, also when created at once', async () => {
      const { tenantId: other } = await replica.admin.createTenant({ name: 'Beta' }, replica.operator);
      const results = await Promise.allSettled([create(), create({ email: 'ANN@acme.EXAMPLE' }), create()]);
      expect(results.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
      const again = { email: email.toLowerCase(), role: 'member' };
      expect(await failureOf(replica.admin.createUser({ ...again, tenantId }, replica.operator))).to.include({
        code: 'VALIDATION_ERROR',
        message: 'A user with that e-mail address already exists',
      });
      // Another tenant is told nothing of it.
      const invited = await replica.admin.createUser({ ...again, tenantId: other }, replica.operator);
      expect(invited.user?.tenantId).to.equal(other);
      const { users: listed } = await replica.admin.listUsers({ tenantId }, replica.operator);
      expect(listed).to.have.length(1);
      expect(listed[0]?.email.toLowerCase()).to.equal(email.toLowerCase());
    });

    it('have their tokens revoked when they are disabled', async () => {
      const { user } = await create();
      const userId = user?.userId ?? '';
      const disabled = await replica.admin.disableUser({ userId }, replica.operator);
      expect(disabled.status).to.equal('disabled');
      const { revocations } = await replica.tokens.listRevocations({});
      expect(
        revocations.map(({ principalId, minimumGeneration }) => [principalId, minimumGeneration]),
      ).to.deep.equal([[userId, 2n]]);
    });
  });
});
