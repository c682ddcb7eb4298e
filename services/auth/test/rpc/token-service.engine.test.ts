import { randomBytes } from 'node:crypto';
import type { ClientCredentials } from '@penstock/common/gen/penstock/auth/v1/admin_pb.js';
import { createTokenVerifier } from '@penstock/common/token/verifier.ts';
import type { TokenVerifier } from '@penstock/common/token/verifier.ts';
import { expect } from 'chai';
import { decodeJwt, decodeProtectedHeader, exportSPKI, importJWK, SignJWT, UnsecuredJWT } from 'jose';
import type { JSONWebKeySet } from 'jose';
import { recordsIn } from '../../src/store/records.ts';
import { refreshTokenSchema } from '../../src/store/refresh-tokens.ts';
import type { ItemKey } from '../../src/store/table.ts';
import { hashSecret } from '../../src/tokens/secret.ts';
import { failureOf, issuer, operatorToken, startReplica } from '../support/auth-server.ts';
import type { TestReplica } from '../support/auth-server.ts';
import { movableClock } from '../support/clock.ts';
import type { MovableClock } from '../support/clock.ts';
import { startTestDynamo } from '../support/dynamodb.ts';
import type { TestDynamo } from '../support/dynamodb.ts';

const keyEncryptionKeys = [randomBytes(32)];
const day = 86_400;

describe('TokenService', function () {
  this.timeout(90_000);
  let dynamo: TestDynamo;
  let table: Awaited<ReturnType<TestDynamo['table']>>;
  let tableName: string;
  let clock: MovableClock;
  let one: TestReplica;
  let two: TestReplica;
  let tenantId: string;
  let credentials: { clientId: string; clientSecret: string };
  let verifier: TokenVerifier;

  async function keySet(): Promise<JSONWebKeySet> {
    return JSON.parse((await one.tokens.getKeySet({})).jwksJson) as JSONWebKeySet;
  }
  const toPair = ({ client, clientSecret }: ClientCredentials): typeof credentials => ({
    clientId: client?.clientId ?? '',
    clientSecret,
  });
  const newClient = async (scopes: string[] = []): Promise<typeof credentials> =>
    toPair(await one.admin.createClient({ tenantId, name: 'c', scopes }, one.operator));

  before(async () => {
    dynamo = await startTestDynamo();
  });
  beforeEach(async () => {
    clock = movableClock();
    table = await dynamo.table(clock);
    ({ tableName } = table);
    [one, two] = [
      await startReplica({ table, clock, keyEncryptionKeys }),
      await startReplica({ table, clock, keyEncryptionKeys }),
    ];
    ({ tenantId } = await one.admin.createTenant({ name: 'Acme' }, one.operator));
    credentials = await newClient();
    verifier = createTokenVerifier({ issuer, fetchKeySet: keySet, clock });
  });
  afterEach(() => Promise.all([one.close(), two.close()]));
  after(() => dynamo.close());

  describe('issuing', () => {
    it('gives a token of one hour that says who, whose and what for', async () => {
      const { accessToken, expiresInS } = await two.tokens.issueToken(credentials);
      expect(expiresInS).to.equal(3600);
      expect(decodeProtectedHeader(accessToken)).to.include({ alg: 'ES256', typ: 'at+jwt' });
      const { iat = 0, exp = 0, jti, ...claims } = decodeJwt(accessToken);
      expect(exp - iat).to.equal(3600);
      expect(jti).to.be.a('string');
      expect(claims).to.deep.equal({
        iss: issuer,
        aud: 'penstock',
        sub: credentials.clientId,
        tenantId,
        scope: 'query schemas:read',
        principal_type: 'client',
        gen: 1,
      });
      expect(await verifier.verify(accessToken)).to.include({ tenantId, principalId: credentials.clientId });
    });

    it('puts the scopes of the client and the limits of its tenant into the token', async () => {
      const writer = await newClient(['schemas:write', 'usage:read']);
      await one.admin.setTenantLimits({ tenantId, rateLimitRps: 7 }, one.operator);
      const principal = await verifier.verify((await one.tokens.issueToken(writer)).accessToken);
      expect(principal.scopes).to.deep.equal(['schemas:write', 'usage:read']);
      expect(principal.rateLimit).to.deep.equal({ rps: 7, burst: 100 });
      await one.admin.setTenantLimits({ tenantId }, one.operator);
      expect((await verifier.verify((await one.tokens.issueToken(writer)).accessToken)).rateLimit).to.equal(
        null,
      );
    });

    it('answers alike for an unknown client, a wrong secret and a disabled client', async () => {
      const disabled = await newClient();
      await one.admin.disableClient({ clientId: disabled.clientId }, one.operator);
      const other = await newClient();
      for (const wrong of [
        { ...credentials, clientId: 'cli_unknown' },
        { ...credentials, clientSecret: 'pst_cs_wrong' },
        { ...credentials, clientSecret: other.clientSecret },
        { ...credentials, clientSecret: hashSecret(credentials.clientSecret) },
        disabled,
      ]) {
        const { code, message, detail } = await failureOf(one.tokens.issueToken(wrong));
        expect({ code, message, detail }).to.deep.equal({
          code: 'UNAUTHORIZED',
          message: 'Invalid client credentials',
          detail: undefined,
        });
      }
    });

    it('takes about as long for an unknown client as for a wrong secret', async () => {
      const times: Record<string, number[]> = { cli_unknown: [], [credentials.clientId]: [] };
      // In turns, so that a busy machine slows both alike.
      for (let i = 0; i < 150; i += 1) {
        for (const [clientId, taken] of Object.entries(times)) {
          const start = performance.now();
          await failureOf(one.tokens.issueToken({ clientId, clientSecret: 'pst_cs_wrong' }));
          taken.push(performance.now() - start);
        }
      }
      const [unknown = 0, wrong = 0] = Object.values(times).map(
        (taken) => taken.sort((a, b) => a - b)[75] ?? 0,
      );
      expect(unknown / wrong).to.be.within(0.5, 2);
    });

    it('does the same reads for an unknown client as for a wrong secret', async () => {
      let reads: string[] = [];
      const table = await dynamo.table(clock);
      const counted = {
        ...table,
        read: (key: ItemKey) => {
          reads.push(key.sk.replace(/#.*/, ''));
          return table.read(key);
        },
      };
      // A minute that ends in between would have the last use written down anew.
      const at = clock.now();
      const replica = await startReplica({
        table: counted,
        clock: { now: () => at, forward: () => undefined },
        keyEncryptionKeys,
      });
      const { tenantId: tenant } = await replica.admin.createTenant({ name: 'Acme' }, replica.operator);
      const made = await replica.admin.createClient({ tenantId: tenant, name: 'c' }, replica.operator);
      const readsFor = async (clientId: string): Promise<string[]> => {
        reads = [];
        await failureOf(replica.tokens.issueToken({ clientId, clientSecret: 'pst_cs_wrong' }));
        return reads;
      };
      const clientId = made.client?.clientId ?? '';
      expect(await readsFor(clientId)).to.deep.equal(['TENANT', 'CLIENT']);
      expect(await readsFor('cli_unknown')).to.deep.equal(['TENANT', 'CLIENT']);
      // Whose secret was right before is found by one read (the other is the tenant's limits); who does not know it
      // must not notice.
      await replica.tokens.issueToken({ clientId, clientSecret: made.clientSecret });
      reads = [];
      await replica.tokens.issueToken({ clientId, clientSecret: made.clientSecret });
      expect(reads.sort()).to.deep.equal(['CLIENT', 'TENANT']);
      expect(await readsFor(clientId)).to.deep.equal(['CLIENT', 'TENANT']);
      const byOAuth = async (id: string): Promise<string[]> => {
        reads = [];
        const client = { clientId: id, clientSecret: 'pst_cs_wrong' };
        const grant = { case: 'clientCredentials' as const, value: {} };
        await replica.oauth.exchangeToken({ client, grant, remoteAddress: '192.0.2.9' });
        return reads.sort();
      };
      expect(await byOAuth(clientId)).to.deep.equal(['CLIENT', 'TENANT']);
      expect(await byOAuth('cli_unknown')).to.deep.equal(['CLIENT', 'TENANT']);
      await replica.admin.disableClient({ clientId }, replica.operator);
      expect(await readsFor(clientId)).to.deep.equal(['CLIENT', 'TENANT']);
      expect(await byOAuth(clientId)).to.deep.equal(['CLIENT', 'TENANT']);
      await replica.close();
    });

    it('names the field of a request that holds nothing', async () => {
      const failure = await failureOf(one.tokens.issueToken({ clientId: '', clientSecret: 'x' }));
      expect(failure).to.include({ code: 'VALIDATION_ERROR' });
      expect(failure.message).to.include('client_id');
    });
  });

  describe('refreshing', () => {
    it('gives a new access token, again and again until 30 days have passed', async () => {
      const { refreshToken } = await one.tokens.issueToken(credentials);
      const first = await two.tokens.refreshToken({ refreshToken });
      // The key that it was made with signs no more, and is published no more.
      for (let i = 0; i < 2; i++) {
        await one.admin.rotateSigningKey({}, one.operator);
        clock.forward(day);
      }
      clock.forward(28 * day - 60);
      const later = await one.tokens.refreshToken({ refreshToken });
      expect(first.expiresInS).to.equal(3600);
      expect(await verifier.verify(later.accessToken)).to.include({ principalId: credentials.clientId });
      clock.forward(61);
      expect(await failureOf(one.tokens.refreshToken({ refreshToken }))).to.include({
        code: 'UNAUTHORIZED',
        message: 'Invalid refresh token',
      });
    });

    it('leaves nothing in the table, however many tokens there are', async () => {
      await one.tokens.issueToken(credentials);
      const before = (await dynamo.dump(tableName)).length;
      const made = await Promise.all(Array.from({ length: 20 }, () => one.tokens.issueToken(credentials)));
      expect((await dynamo.dump(tableName)).length - before).to.be.below(200);
      for (const { refreshToken } of made) await two.tokens.refreshToken({ refreshToken });
    });

    it('takes what versions gave out that stored them', async () => {
      const expiresAtS = Math.floor(clock.now() / 1000) + 60;
      await recordsIn(table, refreshTokenSchema).create(
        { pk: `REFRESH#${hashSecret('pst_rt_stored')}`, sk: 'REFRESH' },
        { clientId: credentials.clientId, generation: 1 },
        expiresAtS,
      );
      const { accessToken } = await one.tokens.refreshToken({ refreshToken: 'pst_rt_stored' });
      expect(await verifier.verify(accessToken)).to.include({ principalId: credentials.clientId });
    });

    it('ends at once with the client, on every replica', async () => {
      const { refreshToken } = await one.tokens.issueToken(credentials);
      await one.admin.disableClient({ clientId: credentials.clientId }, one.operator);
      expect(await failureOf(two.tokens.refreshToken({ refreshToken }))).to.include({ code: 'UNAUTHORIZED' });
    });

    it('ends with the secret it was issued for, and the new secret works', async () => {
      const { refreshToken } = await one.tokens.issueToken(credentials);
      const rotated = toPair(
        await one.admin.rotateClientSecret({ clientId: credentials.clientId }, one.operator),
      );
      expect(await failureOf(two.tokens.refreshToken({ refreshToken }))).to.include({ code: 'UNAUTHORIZED' });
      expect(await failureOf(two.tokens.issueToken(credentials))).to.include({ code: 'UNAUTHORIZED' });
      const { refreshToken: fresh } = await two.tokens.issueToken(rotated);
      expect((await one.tokens.refreshToken({ refreshToken: fresh })).accessToken).to.be.a('string');
    });

    it('is for nobody who made its token up, or changed it', async () => {
      const other = await newClient();
      const { refreshToken } = await one.tokens.issueToken(credentials);
      const [payload = '', mac = ''] = refreshToken.slice('pst_rt_'.length).split('.');
      const [kid, , generation] = JSON.parse(Buffer.from(payload, 'base64url').toString()) as unknown[];
      const inAYearS = Math.floor(clock.now() / 1000) + 365 * day;
      const made = (...fields: unknown[]): string =>
        Buffer.from(JSON.stringify(fields)).toString('base64url');
      const ofOther = made(kid, other.clientId, generation, inAYearS);
      const unsigned = made('none', credentials.clientId, generation, inAYearS);
      for (const wrong of [
        `pst_rt_${ofOther}.${mac}`,
        `pst_rt_${unsigned}.${mac}`,
        `pst_rt_${payload}.${mac.slice(0, -2)}`,
        `pst_rt_${payload}.`,
        `pst_rt_${payload}`,
        'pst_rt_',
        `pst_rt_.${mac}`,
        `${refreshToken}.x`,
      ]) {
        expect(await failureOf(one.tokens.refreshToken({ refreshToken: wrong })), wrong).to.include({
          code: 'UNAUTHORIZED',
          message: 'Invalid refresh token',
        });
      }
      const logged = one.logged() + two.logged();
      expect(logged).to.not.include(refreshToken);
    });

    it('refuses invented tokens, access tokens, client secrets and stored hashes', async () => {
      const { refreshToken, accessToken } = await one.tokens.issueToken(credentials);
      for (const wrong of [
        'x',
        accessToken.slice(0, 512),
        credentials.clientSecret,
        hashSecret(refreshToken),
      ]) {
        const failure = await failureOf(one.tokens.refreshToken({ refreshToken: wrong }));
        expect(failure).to.include({ code: 'UNAUTHORIZED', message: 'Invalid refresh token' });
      }
    });
  });

  describe('revocations', () => {
    const revocations = async (replica: TestReplica): Promise<Record<string, bigint>> => {
      const { revocations: found } = await replica.tokens.listRevocations({});
      return Object.fromEntries(found.map((entry) => [entry.principalId, entry.minimumGeneration]));
    };

    it('name clients that were disabled or whose secret changed, with the generation that counts', async () => {
      expect(await revocations(one)).to.deep.equal({});
      const rotated = await newClient();
      await one.admin.disableClient({ clientId: credentials.clientId }, one.operator);
      await one.admin.rotateClientSecret({ clientId: rotated.clientId }, one.operator);
      const again = toPair(await one.admin.rotateClientSecret({ clientId: rotated.clientId }, one.operator));
      expect(await revocations(two)).to.deep.equal({ [credentials.clientId]: 2n, [rotated.clientId]: 3n });
      const { generation } = await verifier.verify((await two.tokens.issueToken(again)).accessToken);
      expect(generation).to.equal(3);
    });

    it('are listed as long as a token could live, and no longer; a later one is listed anew', async () => {
      await one.admin.rotateClientSecret({ clientId: credentials.clientId }, one.operator);
      clock.forward(3600);
      expect(await revocations(one)).to.deep.equal({ [credentials.clientId]: 2n });
      clock.forward(310);
      expect(await revocations(one)).to.deep.equal({});
      await one.admin.disableClient({ clientId: credentials.clientId }, one.operator);
      expect(await revocations(one)).to.deep.equal({ [credentials.clientId]: 3n });
    });

    it('count every one of several rotations at once', async () => {
      const { clientId } = credentials;
      const all = await Promise.all(
        [1, 2, 3, 4].map(() => two.admin.rotateClientSecret({ clientId }, two.operator)),
      );
      expect(await revocations(one)).to.deep.equal({ [clientId]: 5n });
      const working = await Promise.all(
        all.map((made) =>
          one.tokens.issueToken(toPair(made)).then(
            () => true,
            () => false,
          ),
        ),
      );
      expect(working.filter(Boolean)).to.have.length(1);
    });
  });

  describe('keys', () => {
    it('rotate without a token failing', async () => {
      const { accessToken } = await one.tokens.issueToken(credentials);
      const { keyId } = await one.admin.rotateSigningKey({}, one.operator);
      const later = await one.tokens.issueToken(credentials);
      expect(decodeProtectedHeader(later.accessToken).kid).to.equal(keyId);
      await verifier.verify(accessToken);
      await verifier.verify(later.accessToken);
    });

    it('verify nothing but ES256 of a listed key', async () => {
      const { accessToken } = await one.tokens.issueToken(credentials);
      const { keys } = await keySet();
      const header = decodeProtectedHeader(accessToken);
      const jwk = keys.find(({ kid }) => kid === header.kid) ?? {};
      const publicKey = await importJWK({ ...jwk, ext: true }, 'ES256', { extractable: true });
      const pem = publicKey instanceof Uint8Array ? '' : await exportSPKI(publicKey);
      const claims = decodeJwt(accessToken);
      const forged = [
        new UnsecuredJWT(claims).encode(),
        await new SignJWT(claims)
          .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: header.kid ?? '' })
          .sign(Buffer.from(pem)),
        [
          Buffer.from(JSON.stringify({ ...header, alg: 'none' })).toString('base64url'),
          accessToken.split('.')[1],
          '',
        ].join('.'),
        [
          accessToken.split('.')[0],
          Buffer.from(JSON.stringify({ ...claims, tenantId: 'x' })).toString('base64url'),
          accessToken.split('.')[2],
        ].join('.'),
      ];
      for (const token of forged) {
        expect(await failureOf(verifier.verify(token))).to.include({ code: 'UNAUTHORIZED' });
      }
    });

    it('sign tokens that end after an hour', async () => {
      const { accessToken } = await one.tokens.issueToken(credentials);
      clock.forward(3590);
      await verifier.verify(accessToken);
      clock.forward(20);
      expect(await failureOf(verifier.verify(accessToken))).to.include({ code: 'UNAUTHORIZED' });
    });
  });

  it('leaves no secret and no token in the table or the logs', async () => {
    const { accessToken, refreshToken } = await one.tokens.issueToken(credentials);
    const refreshed = await one.tokens.refreshToken({ refreshToken });
    await failureOf(one.tokens.issueToken({ ...credentials, clientSecret: 'pst_cs_guess' }));
    await failureOf(one.tokens.refreshToken({ refreshToken: 'pst_rt_guess' }));
    const rotated = await one.admin.rotateClientSecret({ clientId: credentials.clientId }, one.operator);
    const kept = (await dynamo.dump(tableName)) + one.logged();
    expect(one.logged()).to.include('client secret rotated').and.include(credentials.clientId);
    const secrets = [credentials.clientSecret, rotated.clientSecret, refreshToken, operatorToken];
    for (const secret of [...secrets, accessToken, refreshed.accessToken, 'pst_cs_guess', 'pst_rt_guess']) {
      expect(kept.includes(secret), secret.slice(0, 7)).to.equal(false);
    }
  });
});
