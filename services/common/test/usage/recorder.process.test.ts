import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Redis } from 'ioredis';
import { pino } from 'pino';
import { fromStreamFields, toSpoolLine } from '../../src/usage/event.ts';
import type { UsageEvent, UsageRecorder } from '../../src/usage/recorder.ts';
import { createUsageRecorder } from '../../src/usage/recorder.ts';
import { createSpool } from '../../src/usage/spool.ts';
import { seenKey, usageStreamKey } from '../../src/usage/stream.ts';
import { REPLAY_BATCH_EVENTS, SEEN_AFTER_ACK_S, SEGMENT_EVENTS_MAX } from '../../src/usage/limits.ts';
import { replaySpool } from '../../src/usage/replay.ts';
import { leastMs } from '../support/least-time.ts';
import { until } from '../support/until.ts';
import type { TestRedis } from './support/redis.ts';
import { startTestRedis } from './support/redis.ts';

const logger = pino({ level: 'silent' });

function event(id: string, change: Partial<UsageEvent> = {}): UsageEvent {
  const at = Date.UTC(2026, 10, 21, 12);
  return { id, tenantId: 'tnt_a', at, requests: 1, rowsReturned: 3, readHalfUnits: 5, ...change };
}

describe('usage recorder', function () {
  this.timeout(90_000);
  let server: TestRedis;
  let redis: Redis;
  let spoolDir: string;
  let recorders: UsageRecorder[] = [];

  const recorder = (connection: Redis = redis): UsageRecorder => {
    const made = createUsageRecorder({ redis: connection, spoolDir, logger });
    recorders.push(made);
    return made;
  };
  const recorded = async (): Promise<string[]> => {
    const entries = await redis.xrange(usageStreamKey, '-', '+');
    return entries.map(([, fields]) => fromStreamFields(fields)?.id ?? 'dead letter');
  };
  const spooled = async (): Promise<string[]> => {
    const names = await readdir(spoolDir);
    const texts = await Promise.all(names.map((name) => readFile(join(spoolDir, name), 'utf8')));
    return texts.join('').split('\n').filter(Boolean);
  };

  before(async () => {
    server = await startTestRedis();
    redis = server.connect();
    await until(() => redis.status === 'ready');
  });
  beforeEach(async () => {
    await redis.flushall();
    spoolDir = await mkdtemp(join(tmpdir(), 'penstock-spool-'));
  });
  afterEach(async () => {
    await Promise.all(recorders.map((made) => made.close()));
    recorders = [];
    await rm(spoolDir, { recursive: true, force: true });
  });
  after(() => server.close());

  it('writes every field of an event to the stream', async () => {
    await recorder().record(event('r1:request'));
    const [[, fields] = ['', []]] = await redis.xrange(usageStreamKey, '-', '+');
    expect(fromStreamFields(fields)).to.deep.equal(event('r1:request'));
  });

  it('writes an event once when it is recorded several times, by several processes, at once', async () => {
    const [one, two] = [recorder(), recorder()];
    await Promise.all([one.record(event('same')), two.record(event('same')), one.record(event('same'))]);
    await two.record(event('same'));
    expect(await recorded()).to.deep.equal(['same']);
  });

  it('writes several events in one step, each once', async () => {
    const made = recorder();
    await made.record(event('q:request'));
    await made.record(event('q:reads', { clientId: 'c' }), event('q:request'), event('r:request'));
    expect(await recorded()).to.deep.equal(['q:request', 'q:reads', 'r:request']);
    const [, [, fields] = ['', []]] = await redis.xrange(usageStreamKey, '-', '+');
    expect(fromStreamFields(fields)).to.deep.equal(event('q:reads', { clientId: 'c' }));
  });

  it('spools several events while Redis is away, and replays each once', async () => {
    const away = server.connect();
    await until(() => away.status === 'ready');
    away.disconnect();
    const made = recorder(away);
    await made.record(event('q:reads'), event('q:request'));
    expect(await spooled()).to.have.length(2);
    await made.close();
    await recorder().record(event('q:request'));
    await until(async () => (await recorded()).length === 2);
    expect((await recorded()).toSorted()).to.deep.equal(['q:reads', 'q:request']);
  });

  it('shortens the life of the marks of events that were answered', async () => {
    const made = recorder();
    await made.record(event('first'));
    expect(await redis.ttl(seenKey('first'))).to.be.greaterThan(SEEN_AFTER_ACK_S);
    await made.record(event('second'));
    expect(await redis.ttl(seenKey('first'))).to.be.within(1, SEEN_AFTER_ACK_S);
    expect(await redis.ttl(seenKey('second'))).to.be.greaterThan(SEEN_AFTER_ACK_S);
  });

  describe('of rows that reached nobody', () => {
    const lost = event('q:lost', { requests: 0, rowsReturned: 0, readHalfUnits: 0, voids: 'q:reads' });
    const reads = event('q:reads', { requests: 0 });
    const sums = async (): Promise<object> => {
      const events = (await redis.xrange(usageStreamKey, '-', '+')).map(([, fields]) =>
        fromStreamFields(fields),
      );
      const sum = (name: 'rowsReturned' | 'readHalfUnits'): number =>
        events.reduce((total, one) => total + (one?.[name] ?? NaN), 0);
      return { rows: sum('rowsReturned'), halfUnits: sum('readHalfUnits') };
    };

    it('takes them back once, and leaves the units', async () => {
      const made = recorder();
      await made.record(reads);
      await Promise.all([made.record(lost), made.record(lost)]);
      await made.record(reads);
      expect(await sums()).to.deep.equal({ rows: 0, halfUnits: reads.readHalfUnits });
    });

    it('does not count them either when they are recorded later, by whoever was slow', async () => {
      const made = recorder();
      await made.record(lost);
      await made.record(reads);
      await made.record(lost);
      expect(await sums()).to.deep.equal({ rows: 0, halfUnits: reads.readHalfUnits });
    });

    it('does neither to others, nor twice when both wait in the spool', async () => {
      const made = recorder();
      await server.kill();
      await until(() => redis.status !== 'ready');
      for (const one of [event('other'), lost, reads]) await made.record(one);
      await server.start();
      await until(async () => (await readdir(spoolDir)).length === 0);
      const { rowsReturned, readHalfUnits } = event('other');
      expect(await sums()).to.deep.equal({
        rows: rowsReturned,
        halfUnits: readHalfUnits + reads.readHalfUnits,
      });
    });
  });

  it('refuses an event that could not be counted', async () => {
    const failure = await recorder()
      .record(event('half', { rowsReturned: 0.5 }))
      .then(
        () => null,
        (error: unknown) => error,
      );
    expect(failure).to.be.instanceOf(TypeError);
  });

  it('spools while Redis is dead and replays when it is back', async () => {
    const made = recorder();
    await server.kill();
    await until(() => redis.status !== 'ready');
    await Promise.all(Array.from({ length: 50 }, (_, i) => made.record(event(`e${i}`))));
    expect(await spooled()).to.have.length(50);
    await server.start();
    await until(async () => redis.status === 'ready' && (await recorded()).length === 50);
    await until(async () => (await readdir(spoolDir)).length === 0);
  });

  it('waits about 200 ms for a frozen Redis, not again right after, and counts an ambiguous write once', async () => {
    const made = recorder();
    await made.record(event('warm'));
    server.freeze();
    try {
      const start = Date.now();
      await made.record(event('first'));
      const firstMs = Date.now() - start;
      expect(firstMs).to.be.within(150, 1_500);
      const next = ['second', 'third', 'fourth'].values();
      expect(await leastMs(3, () => made.record(event(next.next().value!)))).to.be.below(190);
      expect(await spooled()).to.have.length(4);
    } finally {
      server.thaw();
    }
    // Redis now also executes the write that was given up; the replay must not add it again.
    await until(async () => (await readdir(spoolDir)).length === 0);
    expect((await recorded()).sort()).to.deep.equal(['first', 'fourth', 'second', 'third', 'warm']);
  });

  it('replays files of dead processes at start, without a half-written last line', async () => {
    const lines = [event('d1'), event('d2')].map(toSpoolLine).join('');
    await writeFile(join(spoolDir, 'usage-999999-a.jsonl'), `${lines}{"id":"d3","tena`);
    await writeFile(join(spoolDir, 'usage-999999-b.jsonl.claimed'), toSpoolLine(event('d4')));
    recorder();
    await until(async () => (await readdir(spoolDir)).length === 0);
    expect((await recorded()).sort()).to.deep.equal(['d1', 'd2', 'd4']);
  });

  it('remembers replayed events for as long as their file may have to be replayed again', async () => {
    const names = Array.from({ length: REPLAY_BATCH_EVENTS + 1 }, (_, i) => `d${i}`);
    const path = join(spoolDir, 'usage-999999-a.jsonl.claimed');
    await writeFile(path, names.map((name) => toSpoolLine(event(name))).join(''));
    // The second batch cannot be sent: the file stays.
    const broken = replaySpool({
      dir: spoolDir,
      send: async (sent) => {
        if (sent.id === `d${REPLAY_BATCH_EVENTS}`) throw new Error('Redis went away');
      },
      replayed: () => expect.fail('the file is still there'),
      logger,
      evenFresh: true,
    });
    expect(await broken.catch(String)).to.include('Redis went away');
    expect(await readdir(spoolDir)).to.have.length(1);
    const replayed: string[] = [];
    const source = { dir: spoolDir, send: async () => undefined, logger, evenFresh: true };
    await replaySpool({ ...source, replayed: (ids) => void replayed.push(...ids) });
    expect(replayed).to.deep.equal(names);
    expect(await readdir(spoolDir)).to.deep.equal([]);
  });

  it('tells Redis only of replayed events whose file is gone that they will not come again', async () => {
    const path = join(spoolDir, 'usage-999999-a.jsonl.claimed');
    // A damaged file is kept, and may be mended and replayed.
    await writeFile(path, `${toSpoolLine(event('k1'))}garbage\n${toSpoolLine(event('k2'))}`);
    const made = recorder();
    await until(async () => (await recorded()).length === 2);
    for (const id of ['then', 'later']) await made.record(event(id));
    expect(await redis.ttl(seenKey('k1'))).to.be.greaterThan(SEEN_AFTER_ACK_S);
    expect(await redis.ttl(seenKey('then'))).to.be.within(1, SEEN_AFTER_ACK_S);
  });

  it('ends a spool file that holds many events', async () => {
    const spool = createSpool(spoolDir);
    const many = Array.from({ length: SEGMENT_EVENTS_MAX }, (_, i) => spool.append(event(`s${i}`)));
    await Promise.all(many);
    await spool.append(event('next'));
    await spool.seal();
    expect(await readdir(spoolDir)).to.have.length(2);
    expect(await spooled()).to.have.length(SEGMENT_EVENTS_MAX + 1);
  });

  it('keeps a file with a damaged line in its middle, and replays the rest of it', async () => {
    await writeFile(
      join(spoolDir, 'usage-1-c.jsonl'),
      `${toSpoolLine(event('m1'))}garbage\n${toSpoolLine(event('m2'))}`,
    );
    recorder();
    await until(async () => (await recorded()).length === 2);
    await until(async () => (await readdir(spoolDir)).join() === 'usage-1-c.jsonl.claimed.damaged');
  });

  it('loses nothing when another process takes over a segment that is still being written', async () => {
    const away = server.connect();
    await until(() => away.status === 'ready');
    away.disconnect();
    const spool = createSpool(spoolDir);
    for (let i = 0; i < 20; i += 1) {
      await spool.append(event(`t${i}`));
      if (i % 5 === 2) {
        const other = createUsageRecorder({ redis, spoolDir, logger });
        await other.close();
      }
    }
    await spool.seal();
    recorder();
    await until(async () => (await readdir(spoolDir)).length === 0);
    expect((await recorded()).sort()).to.deep.equal(Array.from({ length: 20 }, (_, i) => `t${i}`).sort());
  });

  it('rejects only when neither Redis nor the disk takes the event', async () => {
    const away = server.connect();
    await until(() => away.status === 'ready');
    away.disconnect();
    const notADirectory = join(spoolDir, 'file');
    await appendFile(notADirectory, '');
    const made = createUsageRecorder({ redis: away, spoolDir: notADirectory, logger });
    const failure = await made.record(event('lost')).then(
      () => null,
      (error: unknown) => error,
    );
    await made.close();
    expect(failure).to.have.property('code', 'UNAVAILABLE');
  });

  it('empties the spool when it closes', async () => {
    const made = recorder();
    server.freeze();
    await made.record(event('c1'));
    server.thaw();
    await made.close();
    expect(await spooled()).to.deep.equal([]);
    expect(await recorded()).to.deep.equal(['c1']);
  });
});
