/** The life of PostgreSQL clients' sessions: how they begin, by TLS and without, and all the ways in which they end. */
import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { expect } from 'chai';
import { admin } from '../../../../deploy/local/src/seed/admin.ts';
import type { CustomerAccount } from '../../../../deploy/local/src/seed/customer-account.ts';
import type { RunningStack } from '../../../../deploy/local/src/stack/stack.ts';
import { recovers } from '../../chaos/recovers.ts';
import { comesToRest } from '../../e2e/support/comes-to-rest.ts';
import { clearRequests, requestsOf, setFaults } from '../../e2e/support/request-log.ts';
import { newShop, seedShop, seedWide } from '../../e2e/support/shop.ts';
import { sharedStack, STACK_START_TIMEOUT_MS } from '../../e2e/support/stack.ts';
import { newClient, type TestTenant } from '../../e2e/support/tenant.ts';
import { certificateFiles, type CertificateFiles } from './support/certificate.ts';
import { startEndpoint, type Endpoint } from './support/endpoint.ts';
import * as frames from './support/frames.ts';
import { answersToSignIn, fieldsOf, rawClient, signedIn, summaryOf } from './support/raw-client.ts';
import type { RawClient, SignedIn } from './support/raw-client.ts';

/** Within three seconds, and what a loaded machine needs. */
const REVOKED_MS_MAX = 6_000;
const SLOW = 'SELECT COUNT(filler) AS n FROM shop.long';

describe('sessions of PostgreSQL clients', function () {
  this.timeout(2 * STACK_START_TIMEOUT_MS);
  let stack: RunningStack;
  let tenant: TestTenant;
  let account: CustomerAccount;
  let files: CertificateFiles;
  let plain: Endpoint;
  let secure: Endpoint;

  before(async () => {
    stack = await sharedStack();
    files = await certificateFiles();
    ({ tenant, account } = await newShop(stack, async (own) => {
      await seedShop(own);
      await seedWide(own, 'long', 40, 100_000);
    }));
    await tenant.query("SELECT id FROM shop.long WHERE id = 'k000001'");
    plain = await startEndpoint(stack, { PENSTOCK_HOST: '0.0.0.0' });
    secure = await startEndpoint(stack, {
      ...{ PENSTOCK_HOST: '0.0.0.0', PENSTOCK_PG_TLS_CERT: files.cert, PENSTOCK_PG_TLS_KEY: files.key },
    });
  });
  after(async () => {
    await setFaults(stack, []);
    await Promise.all([plain?.close(), secure?.close(), files?.remove()]);
    account?.close();
  });

  const slowly = async (work: () => Promise<void>): Promise<void> => {
    await setFaults(stack, [{ accountId: account.accountId, latencyMs: 300 }]);
    await clearRequests(stack, account);
    try {
      await work();
    } finally {
      await setFaults(stack, []);
    }
  };
  const isReading = async (): Promise<boolean> => (await requestsOf(stack, account)).length > 0;
  const asks = async (client: RawClient, sql: string): Promise<readonly string[]> => {
    client.send(frames.query(sql));
    return (await client.until('Z')).map(summaryOf);
  };
  const encrypted = (socket: RawClient['socket'] | null, more: object = {}): TLSSocket =>
    connectTls({
      ...(socket === null ? { host: '127.0.0.1', port: secure.port } : { socket }),
      rejectUnauthorized: false,
      ...more,
    });
  /** By the way that clients have gone for decades. */
  const bySslRequest = async (): Promise<TLSSocket> => {
    const { socket } = rawClient({ port: secure.port });
    socket.removeAllListeners('data');
    socket.write(frames.SSL_REQUEST);
    const [said] = (await once(socket, 'data')) as [Buffer];
    expect(said.toString()).to.equal('S');
    const secured = encrypted(socket);
    await once(secured, 'secureConnect');
    return secured;
  };

  it('are encrypted by request', async () => {
    const socket = await bySslRequest();
    const client = await signedIn(tenant.credentials, { port: 0, socket });
    expect(await asks(client, 'SELECT id FROM shop.customers')).to.deep.equal(['T', 'D', 'D', 'D', 'C', 'Z']);
    client.destroy();
    // Within TLS there is no other.
    const again = await bySslRequest();
    again.write(frames.SSL_REQUEST);
    expect(((await once(again, 'data')) as [Buffer])[0].toString()).to.equal('N');
    again.destroy();
  });

  it('are encrypted from their first byte where the client names the protocol, and only then', async () => {
    const socket = encrypted(null, { ALPNProtocols: ['postgresql'] });
    await once(socket, 'secureConnect');
    const client = await signedIn(tenant.credentials, { port: 0, socket });
    expect(await asks(client, 'SHOW server_encoding')).to.deep.equal(['T', 'D', 'C', 'Z']);
    client.destroy();
    for (const more of [{}, { ALPNProtocols: ['http/1.1'] }]) {
      const other = encrypted(null, more);
      other.on('error', () => undefined);
      other.on('secureConnect', () => other.write(frames.startup(tenant.credentials.clientId)));
      other.resume();
      await new Promise((resolve) => other.once('close', resolve));
    }
  });

  it('are not encrypted by old versions, nor do bytes from before count as encrypted', async () => {
    const old = encrypted(null, {
      ALPNProtocols: ['postgresql'],
      maxVersion: 'TLSv1.1',
      minVersion: 'TLSv1',
    });
    const [error] = (await once(old, 'error')) as [Error];
    expect(error.message).to.match(/protocol|version|alert/i);
    const client = rawClient({ port: secure.port });
    client.send(frames.SSL_REQUEST, frames.startup(tenant.credentials.clientId));
    expect((await client.until('')).map(summaryOf)).to.deep.equal(['FATAL 08P01']);
  });

  it('without TLS are for this machine only', async function () {
    const address = Object.values(networkInterfaces())
      .flat()
      .find((one) => one?.family === 'IPv4' && !one.internal)?.address;
    if (address === undefined) return this.skip();
    const client = rawClient({ port: plain.port, host: address });
    const answers = await answersToSignIn(client, tenant.credentials);
    expect(answers.map(summaryOf)).to.deep.equal(['FATAL 28000']);
    expect(fieldsOf(answers[0]!)['H']).to.equal('connect with sslmode=require');
  });

  it('of clients from before there were proofs begin with the secret itself, under TLS only', async () => {
    const old = await newClient(stack, tenant.tenantId, 'query');
    const dynamodb = new DynamoDBClient({
      ...{ endpoint: stack.awsEndpoint, region: 'us-east-1' },
      credentials: { accessKeyId: stack.serviceAccountId, secretAccessKey: 'test' },
    });
    await forgetVerifier(dynamodb, tenant.tenantId, old.clientId);
    dynamodb.destroy();
    const open = rawClient({ port: secure.port });
    expect((await answersToSignIn(open, old)).map(summaryOf).at(-1)).to.equal('FATAL 28P01');
    const client = rawClient({ port: 0, socket: await bySslRequest() });
    const answers = await answersToSignIn(client, old);
    expect(answers.filter(({ type }) => type === 'R').map(({ body }) => body.readInt32BE(0))).to.deep.equal([
      3, 0,
    ]);
    expect(answers.at(-1)!.type).to.equal('Z');
    client.destroy();
    const wrong = rawClient({ port: 0, socket: await bySslRequest() });
    const refused = await answersToSignIn(wrong, { ...old, clientSecret: 'wrong' });
    expect(summaryOf(refused.at(-1)!)).to.equal('FATAL 28P01');
  });

  it('end within three seconds of their client being disabled, or having another secret', async () => {
    const disabled = await newClient(stack, tenant.tenantId, 'query');
    const rotated = await newClient(stack, tenant.tenantId, 'query');
    const busy = await newClient(stack, tenant.tenantId, 'query');
    const clients = await Promise.all(
      [disabled, rotated, busy].map((one) => signedIn(one, { port: plain.port })),
    );
    await slowly(async () => {
      clients[2]!.send(frames.query(SLOW));
      await recovers(isReading);
      await admin(stack.dataDir, 'client', 'disable', '--client', disabled.clientId);
      await admin(stack.dataDir, 'client', 'rotate-secret', '--client', rotated.clientId);
      await admin(stack.dataDir, 'client', 'disable', '--client', busy.clientId);
      const from = performance.now();
      for (const client of clients)
        expect((await client.until('')).map(summaryOf).at(-1)).to.equal('FATAL 57P01');
      expect(performance.now() - from).to.be.lessThan(REVOKED_MS_MAX);
      const read = async (): Promise<number> => (await requestsOf(stack, account)).length;
      await comesToRest(read, { withinMs: 30_000, quietMs: 1_000 });
    });
  });

  it('have their statements cancelled from whichever replica is asked', async () => {
    const client = await signedIn(tenant.credentials, { port: plain.port });
    await slowly(async () => {
      client.send(frames.query(SLOW));
      await recovers(isReading);
      const elsewhere = rawClient({ port: secure.port });
      elsewhere.send(frames.cancelRequest(client.backendPid, client.cancelKey));
      expect((await client.until('Z')).map(summaryOf)).to.include('ERROR 57014');
      await elsewhere.closed();
    });
    expect(await asks(client, 'SHOW server_encoding')).to.deep.equal(['T', 'D', 'C', 'Z']);
    client.destroy();
  });

  it('end where they say nothing for longer than they allow themselves', async () => {
    const start = async (sql: string): Promise<SignedIn> => {
      const client = await signedIn(tenant.credentials, { port: plain.port });
      await asks(client, sql);
      return client;
    };
    const idle = await start("SET idle_session_timeout = '300ms'");
    expect((await idle.until('')).map(summaryOf)).to.deep.equal(['FATAL 57P05']);
    const inTransaction = await start("SET idle_in_transaction_session_timeout = '300ms'");
    // Sleeps: longer than it allows itself within a transaction, which this is not.
    await sleep(600);
    await asks(inTransaction, 'BEGIN');
    expect((await inTransaction.until('')).map(summaryOf)).to.deep.equal(['FATAL 25P03']);
  });

  it('end with the process: idle ones at once, others once what runs is done', async () => {
    const leaving = await startEndpoint(stack, { PENSTOCK_DRAIN_TIMEOUT_MS: '60000' });
    const open = () => signedIn(tenant.credentials, { port: leaving.port });
    const [idle, inTransaction, simple, batch] = [await open(), await open(), await open(), await open()];
    await asks(inTransaction, 'BEGIN');
    let code: number | null = null;
    await slowly(async () => {
      simple.send(frames.query(SLOW));
      batch.send(frames.parse('', SLOW), frames.bind('', ''), frames.execute(''), frames.SYNC);
      await recovers(async () => (await requestsOf(stack, account)).length > 1);
      const ended = leaving.end('SIGTERM');
      for (const client of [idle, inTransaction])
        expect((await client.until('')).map(summaryOf)).to.deep.equal(['FATAL 57P01']);
      expect((await simple.until('')).map(summaryOf)).to.deep.equal(['T', 'D', 'C', 'Z', 'FATAL 57P01']);
      expect((await batch.until('')).map(summaryOf)).to.deep.equal(['1', '2', 'D', 'C', 'Z', 'FATAL 57P01']);
      const late = rawClient({ port: leaving.port });
      expect((await late.until('')).map(summaryOf)).to.deep.equal([]);
      code = await ended;
    });
    expect(code).to.equal(0);
  });
});

/** As clients are that were made before verifiers were kept. */
async function forgetVerifier(dynamodb: DynamoDBClient, tenantId: string, clientId: string): Promise<void> {
  await dynamodb.send(
    new UpdateItemCommand({
      TableName: 'penstock-auth',
      Key: { pk: { S: `TENANT#${tenantId}` }, sk: { S: `CLIENT#${clientId}` } },
      UpdateExpression: 'REMOVE scram',
      ConditionExpression: 'attribute_exists(scram)',
    }),
  );
}
