/**
 * Bytes that no client of good will sends, to the real process: each is answered by name or its connection ended, memory
 * stays where it was, and a session beside goes on reading.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import type { CustomerAccount } from '../../../../deploy/local/src/seed/customer-account.ts';
import type { RunningStack } from '../../../../deploy/local/src/stack/stack.ts';
import { until } from '../../../../services/common/test/support/until.ts';
import { WRONG_SECRETS } from '@penstock/common/throttling/limits.ts';
import { comesToRest } from '../../e2e/support/comes-to-rest.ts';
import { clearRequests, requestsOf } from '../../e2e/support/request-log.ts';
import { newShop, seedShop, seedWide } from '../../e2e/support/shop.ts';
import { sharedStack, STACK_START_TIMEOUT_MS } from '../../e2e/support/stack.ts';
import type { TestTenant } from '../../e2e/support/tenant.ts';
import { besideReads, type BesideReads } from './support/beside-reads.ts';
import { memoryOf, startEndpoint, type Endpoint } from './support/endpoint.ts';
import * as frames from './support/frames.ts';
import { answersToSignIn, fieldsOf, rawClient, signedIn, summaryOf } from './support/raw-client.ts';
import type { RawClient, SignInOptions } from './support/raw-client.ts';

/** `make check-hostile` sends several times as much, and waits longer. */
const TIMES = Number(process.env['HOSTILE_TIMES'] ?? 1);
/** Connections that are opened and say nothing. */
const HALF_OPEN = TIMES === 1 ? 1_500 : 10_000;
const MIB = 1024 * 1024;
/** What the endpoint may take beyond what it took before any of this. */
const MORE_BYTES_MAX = 200 * MIB;

describe('hostile bytes to the PostgreSQL endpoint', function () {
  this.timeout((1 + TIMES) * STACK_START_TIMEOUT_MS);
  let stack: RunningStack;
  let endpoint: Endpoint;
  let tenant: TestTenant;
  let account: CustomerAccount;
  let beside: BesideReads;
  let bytesBefore: number;

  before(async () => {
    stack = await sharedStack();
    ({ tenant, account } = await newShop(stack, async (own) => {
      await seedShop(own);
      await seedWide(own, 'long', 100, 200_000);
    }));
    await tenant.query("SELECT id FROM shop.long WHERE id = 'k000001'");
    endpoint = await startEndpoint(stack);
    beside = besideReads(endpoint.port, tenant.credentials);
    await beside.goesOn();
    bytesBefore = await memoryOf(endpoint.pid, 'VmRSS');
  });
  after(async () => {
    await beside?.end();
    await endpoint?.close();
    account?.close();
  });
  const figures: string[] = [];
  afterEach('a session beside reads on', async function () {
    await beside.goesOn();
    const more = (await memoryOf(endpoint.pid, 'VmRSS')) - bytesBefore;
    figures.push(`${Math.round(more / MIB)} MiB more after those ${this.currentTest?.title ?? ''}`);
  });

  /** Pages that were read of the long table. */
  const pagesRead = async (): Promise<number> =>
    (await requestsOf(stack, account)).filter(({ operation }) => operation === 'Scan').length;
  const open = (): RawClient => rawClient({ port: endpoint.port });
  const signIn = (more: Partial<SignInOptions> = {}) =>
    signedIn(tenant.credentials, { port: endpoint.port, ...more });
  /** All that comes of bytes on a new connection, up to its end. */
  const answered = async (...parts: readonly Buffer[]): Promise<readonly string[]> => {
    const client = open();
    client.send(...parts);
    return (await client.until('')).map(summaryOf);
  };
  /** The session answers a statement as if nothing had been. */
  const livesOn = async (client: RawClient): Promise<void> => {
    client.send(frames.query('SHOW server_encoding'));
    const answers = (await client.until('Z')).map(summaryOf);
    expect(answers).to.deep.equal(['T', 'D', 'C', 'Z']);
  };

  it('that are no start end the connection, by name where somebody may read it', async () => {
    for (const length of [0, 3, -1, 0x7fff_ffff, 10_001])
      expect(await answered(frames.int32(length), Buffer.alloc(16)), `length ${length}`).to.deep.equal([
        'FATAL 08P01',
      ]);
    expect(await answered(Buffer.from('GET / HTTP/1.1\r\n\r\n'))).to.deep.equal(['FATAL 08P01']);
    for (const version of [131_072, 262_144])
      expect(await answered(frames.startup('x', {}, version))).to.deep.equal(['FATAL 0A000']);
    expect(await answered(frames.startup('x', { replication: 'true' }))).to.deep.equal(['FATAL 0A000']);
    expect(await answered(frames.untyped(frames.int32(80_877_102)))).to.deep.equal(['FATAL 08P01']);
    expect(await answered(frames.startup(''))).to.deep.equal(['FATAL 28000']);
    // A handshake of TLS, where there is none.
    expect(await answered(Buffer.from('16030100050100000101', 'hex'))).to.deep.equal([]);
  });

  it('that ask for encryption again and again are told no, then named', async () => {
    const client = open();
    const bytes: Buffer[] = [];
    client.socket.removeAllListeners('data');
    client.socket.on('data', (chunk: Buffer) => bytes.push(chunk));
    client.send(frames.SSL_REQUEST, frames.GSSENC_REQUEST, frames.SSL_REQUEST);
    await client.closed();
    expect(Buffer.concat(bytes).toString('latin1')).to.match(/^NNE.*C08P01/s);
  });

  it('of a newer protocol are negotiated, with longer keys', async () => {
    const client = await signIn({ version: frames.PROTOCOL.v32 });
    expect(client.cancelKey).to.have.length(32);
    client.destroy();
    const newest = open();
    const told = await answersToSignIn(newest, tenant.credentials, {
      version: 196_617,
      parameters: { '_pq_.no_such_thing': '1' },
    });
    expect(told[0]!.type).to.equal('v');
    expect(told[0]!.body.toString('latin1')).to.include('_pq_.no_such_thing');
    await livesOn(newest);
    newest.destroy();
  });

  it('in place of a proof end the connection', async () => {
    const { clientId } = tenant.credentials;
    const start = frames.startup(clientId);
    expect(await answered(start, frames.query('SELECT 1'))).to.deep.equal(['R', 'FATAL 08P01']);
    expect(await answered(start, frames.frame('p', frames.text('PLAIN'), frames.int32(-1)))).to.deep.equal([
      ...['R', 'FATAL 08P01'],
    ]);
    const first = (said: string): Buffer =>
      frames.frame('p', frames.text('SCRAM-SHA-256'), frames.int32(said.length), Buffer.from(said));
    for (const said of ['', 'n,,', 'p=tls-server-end-point,,n=,r=abc', 'n,a=other,n=,r=abc', 'n,,m=1,n=,r=a'])
      expect(await answered(start, first(said)), said).to.deep.equal(['R', 'FATAL 08P01']);
    for (const said of ['', 'c=biws,r=other,p=AAAA', 'c=eSws,r=abc,p=AAAA'])
      expect(
        await answered(start, first('n,,n=,r=abc'), frames.frame('p', Buffer.from(said))),
        said,
      ).to.deep.equal(['R', 'R', 'FATAL 08P01']);
    expect(await answered(start, Buffer.from('p'), frames.int32(100_000))).to.deep.equal([
      ...['R', 'FATAL 08P01'],
    ]);
  });

  it('in a session are refused by name, and the session goes on', async () => {
    const client = await signIn();
    const afterError = async (...parts: readonly Buffer[]): Promise<string> => {
      client.send(...parts, frames.SYNC);
      const answers = (await client.until('Z')).map(summaryOf);
      await livesOn(client);
      return answers.find((one) => one.startsWith('ERROR')) ?? answers.join();
    };
    // A body cut short, its length right.
    for (const type of ['Q', 'P', 'B', 'D', 'E', 'C', 'F'])
      for (const body of ['', 'a', 'a\0b', '\0\0\xff\xff']) {
        client.send(frames.frame(type, Buffer.from(body, 'latin1')), frames.SYNC);
        await client.until('Z');
        if ('QF'.includes(type)) await client.until('Z');
        await livesOn(client);
      }
    const bindOf = (length: number): Buffer =>
      frames.frame(
        ...(['B', Buffer.alloc(2), frames.int16(0), frames.int16(1), frames.int32(length)] as const),
        Buffer.alloc(8),
      );
    expect(await afterError(frames.parse('', 'SELECT $1'), bindOf(1024 * MIB))).to.equal('ERROR 08P01');
    expect(await afterError(frames.parse('', 'SELECT $1'), bindOf(-2))).to.equal('ERROR 08P01');
    expect(await afterError(frames.frame('P', Buffer.from('00fffe000000', 'hex')))).to.equal('ERROR 22021');
    const bound = (value: Buffer) => [
      frames.parse('', 'SELECT name FROM shop.customers WHERE id = $1', [25]),
      ...[frames.bind('', '', [value]), frames.execute('')],
    ];
    expect(await afterError(...bound(Buffer.from([0xff, 0xfe])))).to.equal('ERROR 22021');
    expect(await afterError(...bound(Buffer.from([0x61, 0, 0x62])))).to.equal('ERROR 22021');
    expect(await afterError(frames.bind('', 'nobody prepared it'))).to.equal('ERROR 26000');
    expect(await afterError(frames.execute('nobody bound it'))).to.equal('ERROR 34000');
    client.destroy();
  });

  it('whose end nobody knows end the session', async () => {
    for (const bytes of [
      ...[Buffer.from('\x01\0\0\0\x04'), Buffer.concat([Buffer.from('Q'), frames.int32(3)])],
      ...[Buffer.concat([Buffer.from('Q'), frames.int32(-1)]), Buffer.from('Q\x7f\xff\xff\xff')],
    ]) {
      const client = await signIn();
      client.send(bytes, Buffer.alloc(64));
      expect((await client.until('')).map(summaryOf)).to.deep.equal(['FATAL 08P01']);
    }
  });

  it('that announce a gigabyte take no memory', async () => {
    const client = await signIn();
    client.send(frames.parse('', 'SELECT $1'), Buffer.from('B'), frames.int32(1000 * MIB));
    for (let sent = 0; sent < 20 * TIMES; sent++) {
      client.socket.write(Buffer.alloc(MIB));
      while (client.socket.writableLength > 4 * MIB) await sleep(5);
    }
    client.destroy();
    // Many, each nearly done with a message that may be as long as it is.
    const many: RawClient[] = [];
    while (many.length < 30 * TIMES)
      many.push(...(await Promise.all(Array.from({ length: 10 }, () => signIn()))));
    for (const one of many) one.send(Buffer.from('P'), frames.int32(MIB - 1), Buffer.alloc(MIB - 100, 0x20));
    // Sleeps: all of it has come and takes what it takes.
    await sleep(1_000);
    for (const one of many) one.destroy();
  });

  it('that come one by one cost no more than at once', async () => {
    const client = await signIn();
    client.socket.setNoDelay(true);
    client.send(Buffer.from('Q'), frames.int32(60_001 + 4));
    for (let sent = 0; sent < 60_000; sent += 20) {
      client.socket.write(Buffer.alloc(20, 0x20));
      if (sent % 400 === 0) await sleep(0);
    }
    client.send(Buffer.from([0]));
    expect((await client.until('Z')).map(summaryOf)).to.deep.equal(['I', 'Z']);
    client.destroy();
  });

  it('that prepare without end are told that it is enough', async () => {
    const client = await signIn();
    const errors = new Map<string, number>();
    const count = (answers: readonly { type: string; body: Buffer }[]): void =>
      answers.map(summaryOf).forEach((one) => errors.set(one, (errors.get(one) ?? 0) + 1));
    for (let i = 0; i < 2_000 * TIMES; i++) {
      client.send(frames.parse(`s${i}`, 'SELECT $1'), frames.SYNC);
      if (i % 100 === 99) for (let j = 0; j < 100; j++) count(await client.until('Z'));
    }
    expect(errors.get('1')).to.equal(1_000);
    expect(errors.get('ERROR 53400')).to.equal(2_000 * TIMES - 1_000);
    client.send(frames.query('DEALLOCATE ALL'));
    await client.until('Z');
    await livesOn(client);
    // Names and parameter types take memory, too.
    const name = 'n'.repeat(900_000);
    const types = Buffer.concat(Array.from({ length: 60_000 }, () => frames.int32(25)));
    for (const one of [
      (i: number) => frames.parse(`${i}${name}`, 'SELECT 1'),
      (i: number) =>
        frames.frame('P', frames.text(`t${i}`), frames.text('SELECT 1'), frames.int16(60_000), types),
    ]) {
      for (let i = 0; i < 100; i++) client.send(one(i), frames.SYNC);
      for (let i = 0; i < 100; i++) await client.until('Z');
      await livesOn(client);
    }
    client.send(frames.parse('p', 'SELECT id FROM shop.long'), frames.SYNC, frames.query('BEGIN'));
    await client.until('Z');
    await client.until('Z');
    for (let i = 0; i < 30; i++) client.send(frames.bind(`c${i}`, 'p'));
    client.send(frames.SYNC);
    const answers = (await client.until('Z')).map(summaryOf);
    expect(answers.filter((one) => one === '2')).to.have.length(20);
    expect(answers).to.include('ERROR 53400');
    client.destroy();
  });

  it('of a million Syncs leave others their turn', async () => {
    const client = await signIn();
    const count = 1_000_000;
    const READY_BYTES = 6;
    let bytes = 0;
    client.socket.removeAllListeners('data');
    client.socket.on('data', (chunk: Buffer) => (bytes += chunk.length));
    client.socket.write(Buffer.concat(Array.from({ length: count }, () => frames.SYNC)));
    await until(() => bytes >= count * READY_BYTES || client.isClosed);
    expect(bytes).to.equal(count * READY_BYTES);
    client.destroy();
  });

  it('that ask and never read stop being answered', async () => {
    const floods: readonly Buffer[] = [
      Buffer.concat(Array.from({ length: 2_000 }, () => frames.query('SHOW ALL'))),
      // Without a Sync.
      Buffer.concat([
        frames.parse('s', 'SHOW ALL'),
        ...Array.from({ length: 2_000 }, () =>
          Buffer.concat([frames.bind('', 's'), frames.describe('P', ''), frames.execute('')]),
        ),
      ]),
      frames.query('SELECT id, filler FROM shop.long'),
    ];
    await clearRequests(stack, account);
    const clients = await Promise.all(floods.map(() => signIn()));
    clients.forEach((client, i) => {
      client.socket.pause();
      client.send(floods[i]!);
    });
    expect(await comesToRest(pagesRead, { withinMs: 10_000, quietMs: 1_500 })).to.be.lessThan(20);
    for (const client of clients) client.destroy();
  });

  it('from one that has gone end what runs for it', async () => {
    const client = await signIn();
    await clearRequests(stack, account);
    client.socket.pause();
    client.send(frames.query('SELECT id, filler FROM shop.long'));
    await until(async () => (await pagesRead()) > 0);
    client.destroy();
    await comesToRest(pagesRead, { withinMs: 1_300, quietMs: 700 });
  });

  it("with another's cancel key cancel nothing", async () => {
    const victim = await signIn();
    victim.send(frames.query('SELECT COUNT(filler) FROM shop.long'));
    const guess = (key: Buffer): Promise<readonly string[]> =>
      answered(frames.cancelRequest(victim.backendPid, key));
    for (const key of [Buffer.alloc(4), Buffer.alloc(32), Buffer.from([...victim.cancelKey].reverse())])
      expect(await guess(key)).to.deep.equal([]);
    for (let i = 0; i < 200 * TIMES; i++)
      open().send(frames.cancelRequest(victim.backendPid, frames.int32(i)));
    expect((await victim.until('Z')).map(summaryOf)).to.include('C');
    victim.destroy();
  });

  it('of wrong secrets are counted by address, whatever the client is called', async () => {
    const localAddress = '127.7.7.7';
    const guess = async (i: number): Promise<string> => {
      const client = rawClient({ port: endpoint.port, localAddress });
      const { clientId } = i % 2 === 0 ? tenant.credentials : { clientId: `nobody-${i}` };
      const answers = await answersToSignIn(client, { clientId, clientSecret: 'wrong' });
      const { C: code = '', M: message } = fieldsOf(answers.at(-1)!);
      if (code === '28P01') expect(message).to.equal(`password authentication failed for user "${clientId}"`);
      return code;
    };
    // In the short form most have been tried already.
    const tried = TIMES > 1 ? 0 : WRONG_SECRETS.tries - 10;
    const redis = new Redis(stack.redisUrl);
    await redis.set(`penstock:secrets:${localAddress}`, tried, 'EX', 60);
    redis.disconnect();
    const codes: string[] = [];
    while (codes.at(-1) !== '53400' && codes.length < WRONG_SECRETS.tries + 10)
      codes.push(await guess(codes.length));
    expect(codes).to.deep.equal([
      ...Array.from({ length: WRONG_SECRETS.tries - tried }, () => '28P01'),
      '53400',
    ]);
    // The right one is never refused because of them.
    const right = rawClient({ port: endpoint.port, localAddress });
    const answers = await answersToSignIn(right, tenant.credentials);
    expect(answers.map(summaryOf)).to.include('Z');
    right.destroy();
  });

  it('that never come leave room for who signs in', async () => {
    const silent: RawClient[] = [];
    for (let i = 0; i < HALF_OPEN; i++) {
      silent.push(open());
      if (i % 100 === 99) await sleep(10);
    }
    silent.slice(0, 500).forEach((one) => one.send(frames.SSL_REQUEST));
    for (let i = 0; i < 5; i++) {
      const client = await signIn();
      await livesOn(client);
      client.destroy();
    }
    if (TIMES === 1) return silent.forEach((one) => one.destroy());
    // Whoever says nothing is not waited for.
    await until(() => silent.every(({ isClosed }) => isClosed), { timeoutMs: STACK_START_TIMEOUT_MS });
  });

  it('have made the endpoint take no more memory than they may', async () => {
    const most = await memoryOf(endpoint.pid, 'VmHWM');
    if (TIMES > 1) process.stdout.write(`${figures.join('\n')}\n`);
    process.stdout.write(
      `      ${Math.round((most - bytesBefore) / MIB)} MiB more at most; beside: ${beside.figures()}\n`,
    );
    expect(most - bytesBefore).to.be.lessThan(MORE_BYTES_MAX);
  });
});
