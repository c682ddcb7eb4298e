/** Redis loses the usage stream, and its clock is behind: IDs of entries begin again below those that counters know. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { usageEpochKey } from '@penstock/common/usage/epoch.ts';
import type { UsageEvent } from '@penstock/common/usage/event.ts';
import { toStreamFields } from '@penstock/common/usage/event.ts';
import {
  appendOnce,
  returnToStream,
  usageDeadLettersKey,
  usageStreamKey,
} from '@penstock/common/usage/stream.ts';
import { expect } from 'chai';
import { CHILD_ENVIRONMENT } from '../../../common/test/support/child-environment.ts';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { until } from '../../../common/test/support/until.ts';
import { createDrainer } from '../../src/aggregation/drain.ts';
import type { Counts } from '../../src/counts.ts';
import { dayOf, plus, zeroCounts } from '../../src/counts.ts';
import type { CounterStore } from '../../src/store/counters.ts';
import { readPending } from '../../src/summary/pending.ts';
import { createSummarizer } from '../../src/summary/summarize.ts';
import { noon, startTestStores, today } from '../support/stores.ts';
import type { TestStores } from '../support/stores.ts';

const logger = pino({ level: 'silent' });
const drainMs = 10_000;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

describe('usage when Redis loses its stream and its clock is behind', function () {
  this.timeout(60_000);
  let stores: TestStores;
  let counters: CounterStore;
  let redis: Redis;
  let events = 0;

  const drain = (connection = redis) => createDrainer({ redis: connection, counters, logger }).drain(drainMs);
  const summary = (tenantId: string, day = today) => {
    const drainer = createDrainer({ redis, counters, logger });
    return createSummarizer({ redis, counters, drainer, logger, readPending }).summarize(tenantId, day, day);
  };
  const requests = async (): Promise<number> => (await counters.get('tnt_a', today))?.counts.requests ?? 0;

  async function record(count: number, change: Partial<UsageEvent> = {}, connection = redis): Promise<void> {
    for (let i = 0; i < count; i += 1) {
      events += 1;
      const event = {
        id: `e${events}`,
        tenantId: 'tnt_a',
        at: noon,
        requests: 1,
        rowsReturned: 2,
        readHalfUnits: 3,
      };
      await appendOnce(connection, [{ ...event, ...change }]);
    }
  }

  /** Moves the stream's IDs ahead, as a clock that is ahead does: those of the stream after it are then behind. */
  const aheadByMs = (ms: number) => redis.call('XSETID', usageStreamKey, `${Date.now() + ms}-0`);
  /** Lets the stream forget what it gave, as a replica does that lacks the last writes. */
  const backToStart = () => redis.call('XSETID', usageStreamKey, '1-1');

  /** A process that counts what is there, and is killed before it removes it. */
  async function drainAndDie(): Promise<void> {
    const file = join(import.meta.dirname, '../support/dying-drainer.ts');
    const args = [stores.server.url, stores.awsEndpoint, stores.tableName()];
    const child = spawn(process.execPath, [file, ...args], {
      env: CHILD_ENVIRONMENT,
      stdio: 'ignore',
    });
    const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
    expect(signal).to.equal('SIGKILL');
  }

  async function restart(): Promise<void> {
    await stores.server.kill();
    await stores.server.start();
    await until(() => redis.status === 'ready');
  }

  before(async () => {
    stores = await startTestStores();
    redis = stores.redis;
  });
  beforeEach(async () => {
    await redis.flushall();
    counters = await stores.counters();
    await record(1, { tenantId: 'tnt_other' });
    await aheadByMs(hourMs);
  });
  after(() => stores.close());

  it('counts what comes after an emptied Redis, with lower IDs', async () => {
    await record(10);
    await drain();
    await redis.flushall();
    await record(7);
    expect((await summary('tnt_a')).totals.requests).to.equal(17);
    await drain();
    expect(await requests()).to.equal(17);
    expect((await summary('tnt_a')).totals).to.deep.equal({
      requests: 17,
      rowsReturned: 34,
      readHalfUnits: 51,
    });
  });

  it('counts what comes after only the stream was deleted', async () => {
    await record(10);
    await drain();
    await redis.del(usageStreamKey);
    await record(7);
    await drain();
    expect(await requests()).to.equal(17);
  });

  it('counts once what a killed process had counted, before and after Redis was emptied', async () => {
    await record(10);
    await drainAndDie();
    expect(await redis.xlen(usageStreamKey)).to.equal(11);
    expect((await summary('tnt_a')).totals.requests).to.equal(10);
    await record(2);
    await drain();
    expect(await requests()).to.equal(12);
    await redis.flushall();
    await record(7);
    await drainAndDie();
    await record(1);
    await drain();
    expect(await requests()).to.equal(20);
    expect(await redis.xlen(usageStreamKey)).to.equal(0);
  });

  it('counts what comes after a restart that lost the end of the stream', async () => {
    await record(10);
    await drain();
    await backToStart();
    await restart();
    await record(7);
    await drain();
    expect(await requests()).to.equal(17);
  });

  it('counts entries of two epochs in one stream once', async () => {
    await record(10);
    await restart();
    await record(5);
    await drainAndDie();
    expect((await summary('tnt_a')).totals.requests).to.equal(15);
    await drain();
    expect(await requests()).to.equal(15);
  });

  it('removes no entry of a new stream that came under the ID of one it has counted', async () => {
    await record(3);
    const old = await redis.xrange(usageStreamKey, '-', '+');
    const emptied = new Proxy(redis, {
      get(target, name): unknown {
        if (name === 'evalsha') {
          return async (...args: Parameters<Redis['evalsha']>) => {
            await redis.flushall();
            for (const [id, fields] of old) await redis.xadd(usageStreamKey, id, ...fields, 'epoch', 'beef');
            return redis.evalsha(...args);
          };
        }
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    await drain(emptied);
    await drain();
    expect(await requests()).to.equal(6);
  });

  it('goes on with counters and entries from before there were epochs', async () => {
    await redis.flushall();
    const old = async (count: number): Promise<void> => {
      for (let i = 0; i < count; i += 1) await stores.add({});
    };
    await old(5);
    await aheadByMs(hourMs);
    await old(5);
    await drainAndDie();
    expect([...(await counters.get('tnt_a', today))!.appliedTo.keys()]).to.deep.equal(['']);
    // Old and new processes append to the same stream during an upgrade.
    await record(3);
    await old(2);
    await record(1);
    await drainAndDie();
    await drain();
    expect(await requests()).to.equal(16);
    expect([...(await counters.get('tnt_a', today))!.appliedTo.keys()]).to.deep.equal(['']);
    await redis.flushall();
    await record(4);
    await drain();
    expect(await requests()).to.equal(20);
  });

  it('does without the name of the Redis process where that may not be asked', async () => {
    await redis.call('ACL', 'SETUSER', 'limited', 'on', '>secret', '~*', '+@all', '-info');
    const limited = new Redis(stores.server.url, { username: 'limited', password: 'secret' });
    try {
      await record(5, {}, limited);
      await drain();
      await redis.flushall();
      await record(3, {}, limited);
      await drain();
      expect(await requests()).to.equal(8);
      // Whoever may ask it gives the stream its epoch; those who may not go on with that.
      for (const connection of [redis, limited, redis, limited]) await record(1, {}, connection);
      await drain();
      expect(await requests()).to.equal(12);
      expect((await counters.get('tnt_a', today))!.appliedTo.size).to.equal(4);
    } finally {
      limited.disconnect();
    }
  });

  it('makes counters that versions from before there were epochs can read', async () => {
    await record(1);
    await drain();
    expect((await counters.get('tnt_a', today))!.appliedTo.get('')).to.equal('0-0');
  });

  it('counts a dead letter in the epoch in which it is put back', async () => {
    const fields = toStreamFields({
      id: 'x',
      tenantId: 'tnt_a',
      at: noon,
      requests: 1,
      rowsReturned: 0,
      readHalfUnits: 0,
    });
    await record(3);
    const epoch = (await redis.hget(usageEpochKey, 'id'))!;
    await redis.xadd(usageDeadLettersKey, '5-5', ...fields, 'epoch', epoch);
    await drain();
    await backToStart();
    await restart();
    expect(await returnToStream(redis, '5-5')).to.equal(true);
    expect(await returnToStream(redis, '5-5')).to.equal(false);
    await drain();
    expect(await requests()).to.equal(4);
  });

  it('sets aside an entry whose epoch was not written by us', async () => {
    const fields = toStreamFields({
      id: 'x',
      tenantId: 'tnt_a',
      at: noon,
      requests: 1,
      rowsReturned: 0,
      readHalfUnits: 0,
    });
    await redis.xadd(usageStreamKey, '*', ...fields, 'epoch', 'Not an epoch');
    expect(await drain()).to.deep.include({ deadLetters: 1 });
    expect(await redis.xlen(usageDeadLettersKey)).to.equal(1);
  });

  for (const seed of [1, 2, 3]) {
    it(`is exact to the half unit whatever happens in which order (seed ${seed})`, async () => {
      let state = seed;
      const random = (below: number): number => {
        state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
        return Math.floor((state / 2_147_483_648) * below);
      };
      const other = stores.server.connect();
      await until(() => other.status === 'ready');
      const drained = async (): Promise<void> => {
        while ((await redis.xlen(usageStreamKey)) > 0) await Promise.all([drain(), drain(other)]);
      };
      const expected = new Map<string, Counts>();
      const recordSome = async (): Promise<void> => {
        for (let i = random(40) + 1; i > 0; i -= 1) {
          const at = noon + random(2) * dayMs;
          const tenantId = `tnt_${random(3)}`;
          const counts = { requests: random(2), rowsReturned: random(50), readHalfUnits: random(9) };
          const place = `${tenantId} ${dayOf(at)}`;
          expected.set(place, plus(expected.get(place) ?? zeroCounts, counts));
          await record(1, { tenantId, at, ...counts });
        }
      };
      const steps: readonly (() => Promise<unknown>)[] = [
        () => Promise.all([drain(), drain(other)]),
        () => Promise.all([drain(), recordSome(), drain(other)]),
        () => drainAndDie(),
        async () => {
          await drained();
          await redis.flushall();
        },
        async () => {
          await restart();
          await until(() => other.status === 'ready');
        },
        () => aheadByMs(hourMs * (random(40) + 1)).catch(() => null),
        async () => {
          await drained();
          await backToStart();
          await restart();
          await until(() => other.status === 'ready');
        },
      ];
      for (let round = 0; round < 24; round += 1) {
        await recordSome();
        await steps[random(steps.length)]!();
      }
      for (const [place, counts] of expected) {
        const [tenantId = '', day] = place.split(' ');
        expect((await summary(tenantId, day)).totals, place).to.deep.equal(counts);
      }
      await drained();
      for (const [place, counts] of expected) {
        const [tenantId = '', day = ''] = place.split(' ');
        expect((await counters.get(tenantId, day))?.counts, place).to.deep.equal(counts);
      }
    });
  }
});
