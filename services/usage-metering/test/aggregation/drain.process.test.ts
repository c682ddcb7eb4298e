import { takenBackField, toStreamFields } from '@penstock/common/usage/event.ts';
import { usageDeadLettersKey, usageStreamKey } from '@penstock/common/usage/stream.ts';
import { expect } from 'chai';
import type { Redis } from 'ioredis';
import { pino } from 'pino';
import { until } from '../../../common/test/support/until.ts';
import { createDrainer } from '../../src/aggregation/drain.ts';
import type { Drainer } from '../../src/aggregation/drain.ts';
import type { CounterStore } from '../../src/store/counters.ts';
import { moveToDeadLetters } from '../../src/stream/dead-letters.ts';
import { isLater, readEntries } from '../../src/stream/entries.ts';
import { noon, startTestStores, today } from '../support/stores.ts';
import type { TestStores } from '../support/stores.ts';

const logger = pino({ level: 'silent' });
const drainMs = 10_000;

/** The connection of a process that dies before it removes anything from the stream. */
function dyingBeforeRemoval(redis: Redis): Redis {
  return new Proxy(redis, {
    get(target, name): unknown {
      if (name === 'evalsha') return () => Promise.reject(new Error('killed'));
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    (error: unknown) => error,
  );
}

describe('draining the usage stream', function () {
  this.timeout(90_000);
  let stores: TestStores;
  let counters: CounterStore;
  let redis: Redis;

  const drainer = (change: { redis?: Redis; counters?: CounterStore } = {}): Drainer =>
    createDrainer({ redis, counters, logger, ...change });
  const requests = async (tenantId = 'tnt_a', day = today): Promise<number> =>
    (await counters.get(tenantId, day))?.counts.requests ?? 0;

  before(async () => {
    stores = await startTestStores();
    redis = stores.redis;
  });
  beforeEach(async () => {
    await redis.flushall();
    counters = await stores.counters();
  });
  after(() => stores.close());

  it('adds up each tenant and each UTC day, and empties the stream', async () => {
    await stores.add({ requests: 1, rowsReturned: 10, readHalfUnits: 1 });
    await stores.add({ requests: 0, rowsReturned: 5, readHalfUnits: 2 });
    await stores.add({ tenantId: 'tnt_b' });
    await stores.add({ at: Date.UTC(2026, 10, 21, 23, 59, 59, 999) });
    await stores.add({ at: Date.UTC(2026, 10, 22) });
    expect(await drainer().drain(drainMs)).to.deep.equal({ counted: 5, deadLetters: 0, failedGroups: 0 });
    expect((await counters.get('tnt_a', today))?.counts).to.deep.equal({
      requests: 2,
      rowsReturned: 17,
      readHalfUnits: 6,
    });
    expect(await requests('tnt_b')).to.equal(1);
    expect(await requests('tnt_a', '2026-11-22')).to.equal(1);
    expect(await redis.xlen(usageStreamKey)).to.equal(0);
  });

  it('takes rows back that reached nobody, from a counter that has them already', async () => {
    await stores.add({ rowsReturned: 10 });
    await stores.add({ rowsReturned: 5 });
    await drainer().drain(drainMs);
    const lost = { id: 'l', tenantId: 'tnt_a', at: noon, requests: 0, rowsReturned: 0, readHalfUnits: 0 };
    await redis.xadd(usageStreamKey, '*', ...toStreamFields(lost), takenBackField, '10');
    expect(await drainer().drain(drainMs)).to.deep.equal({ counted: 1, deadLetters: 0, failedGroups: 0 });
    expect((await counters.get('tnt_a', today))?.counts).to.deep.equal({
      requests: 2,
      rowsReturned: 5,
      readHalfUnits: 6,
    });
  });

  it('counts once when it is killed between counting and removing, also with new entries after that', async () => {
    await stores.addMany(30, {});
    const killed = drainer({ redis: dyingBeforeRemoval(redis) });
    expect(await failureOf(killed.drain(drainMs))).to.be.instanceOf(Error);
    expect(await requests()).to.equal(30);
    expect(await redis.xlen(usageStreamKey)).to.equal(30);
    await stores.addMany(5, {});
    expect(await failureOf(killed.drain(drainMs))).to.be.instanceOf(Error);
    await drainer().drain(drainMs);
    expect(await requests()).to.equal(35);
    expect(await redis.xlen(usageStreamKey)).to.equal(0);
  });

  it('counts once when an update takes effect but its answer is lost', async () => {
    let lose = true;
    const lossy: CounterStore = {
      ...counters,
      async add(...args) {
        const added = await counters.add(...args);
        if (lose) throw new Error('the connection broke');
        return added;
      },
    };
    await stores.addMany(10, {});
    expect(await drainer({ counters: lossy }).drain(drainMs)).to.include({ counted: 0, failedGroups: 1 });
    lose = false;
    await drainer({ counters: lossy }).drain(drainMs);
    expect(await requests()).to.equal(10);
  });

  it('counts once with several drainers at once, while usage is being recorded', async () => {
    const connections = [redis, stores.server.connect(), stores.server.connect()];
    await until(() => connections.every(({ status }) => status === 'ready'));
    const record = async (): Promise<void> => {
      for (let i = 0; i < 20; i += 1) {
        await stores.addMany(100, { tenantId: `tnt_${i % 3}` });
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    };
    let recording = true;
    const recorded = record().finally(() => {
      recording = false;
    });
    await Promise.all(
      connections.map(async (connection) => {
        while (recording) await drainer({ redis: connection }).drain(drainMs);
      }),
    );
    await recorded;
    await drainer().drain(drainMs);
    const totals = await Promise.all(['tnt_0', 'tnt_1', 'tnt_2'].map((tenantId) => requests(tenantId)));
    expect(totals).to.deep.equal([700, 700, 600]);
  });

  it('goes on when one tenant cannot be counted, and counts that one exactly later, in order', async () => {
    let broken = true;
    const partly: CounterStore = {
      ...counters,
      get: (tenantId, day) => {
        if (broken && tenantId === 'tnt_bad') return Promise.reject(new Error('throttled'));
        return counters.get(tenantId, day);
      },
    };
    await stores.addMany(600, { tenantId: 'tnt_bad' });
    await stores.addMany(900, { tenantId: 'tnt_good' });
    await stores.addMany(600, { tenantId: 'tnt_bad' });
    const result = await drainer({ counters: partly }).drain(drainMs);
    expect(result).to.deep.equal({ counted: 900, deadLetters: 0, failedGroups: 1 });
    expect(await requests('tnt_good')).to.equal(900);
    expect(await redis.xlen(usageStreamKey)).to.equal(1200);
    broken = false;
    await drainer({ counters: partly }).drain(drainMs);
    expect(await requests('tnt_bad')).to.equal(1200);
  });

  for (const [whose, failing] of [
    ['the tenant', 'tnt_a'],
    ['the client', 'tnt_a#client-1'],
  ] as const)
    it(`keeps what a client read until the tenant and the client are counted: ${whose} cannot be at first`, async () => {
      let fails = true;
      const failingOne: CounterStore = {
        ...counters,
        add: (name, ...args) =>
          fails && name === failing ? Promise.reject(new Error('throttled')) : counters.add(name, ...args),
      };
      await stores.add({ clientId: 'client-1', requests: 0, rowsReturned: 10, readHalfUnits: 3 });
      const drained = await drainer({ counters: failingOne }).drain(drainMs);
      expect(drained).to.deep.equal({ counted: 0, deadLetters: 0, failedGroups: 1 });
      expect(await redis.xlen(usageStreamKey)).to.equal(1);
      fails = false;
      const again = await drainer({ counters: failingOne }).drain(drainMs);
      expect(again).to.deep.equal({ counted: 1, deadLetters: 0, failedGroups: 0 });
      for (const name of ['tnt_a', 'tnt_a#client-1'])
        expect((await counters.get(name, today))?.counts, name).to.deep.equal({
          requests: 0,
          rowsReturned: 10,
          readHalfUnits: 3,
        });
      expect(await redis.xlen(usageStreamKey)).to.equal(0);
    });

  it('adds no later entries of a tenant whose earlier ones failed in the same drain', async () => {
    let calls = 0;
    const onceBroken: CounterStore = {
      ...counters,
      get: (tenantId, day) => {
        calls += 1;
        return calls === 1 ? Promise.reject(new Error('throttled')) : counters.get(tenantId, day);
      },
    };
    await stores.addMany(1500, {});
    expect(await drainer({ counters: onceBroken }).drain(drainMs)).to.include({
      counted: 0,
      failedGroups: 1,
    });
    await drainer({ counters: onceBroken }).drain(drainMs);
    expect(await requests()).to.equal(1500);
  });

  it('moves what cannot be counted to the dead letters once and counts the rest', async () => {
    await stores.add({});
    await redis.xadd(usageStreamKey, '*', 'not', 'usage');
    await redis.xadd(
      usageStreamKey,
      '*',
      'id',
      'x',
      'tenant',
      't',
      'at',
      String(noon),
      'requests',
      '-1',
      'rows',
      '0',
      'halfUnits',
      '0',
    );
    await stores.add({});
    // Another drainer was faster with one of them, and a third one has met it, too.
    const met = (await readEntries(redis, null, 10)).find(({ event }) => event === null)!;
    for (const _ of [1, 2]) await moveToDeadLetters(redis, met);
    expect(await drainer().drain(drainMs)).to.deep.equal({ counted: 2, deadLetters: 1, failedGroups: 0 });
    expect(await requests()).to.equal(2);
    expect(await redis.xlen(usageStreamKey)).to.equal(0);
    const dead = await redis.xrange(usageDeadLettersKey, '-', '+');
    expect(dead.map(([, fields]) => fields.slice(0, 2))).to.deep.equal([
      ['not', 'usage'],
      ['id', 'x'],
    ]);
  });

  it('keeps a dead letter in the stream while it cannot be moved, and has counted the rest', async () => {
    await redis.set(usageDeadLettersKey, 'no stream');
    await redis.xadd(usageStreamKey, '*', 'not', 'usage');
    await stores.add({});
    expect(await failureOf(drainer().drain(drainMs))).to.be.instanceOf(Error);
    expect(await requests()).to.equal(1);
    expect(await redis.xlen(usageStreamKey)).to.equal(1);
  });

  it('stops when its time is over and leaves the rest for the next run', async () => {
    await stores.addMany(2500, {});
    expect((await drainer().drain(0)).counted).to.equal(1000);
    expect(await redis.xlen(usageStreamKey)).to.equal(1500);
  });
});

describe('stream IDs', () => {
  it('are compared by number', () => {
    expect(isLater('10-0', '9-5')).to.equal(true);
    expect(isLater('9-10', '9-9')).to.equal(true);
    expect(isLater('9-9', '9-9')).to.equal(false);
    expect(isLater('9-9', '10-0')).to.equal(false);
    expect(isLater('1-1', null)).to.equal(true);
  });
});
