/** Engines that ask each other for their queries, through the real Redis. */
import { once } from 'node:events';
import { expect } from 'chai';
import { leastMs } from '../../../../common/test/support/least-time.ts';
import { until, untilSome } from '../../../../common/test/support/until.ts';
import type { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { startTestRedis, type TestRedis } from '../../../../common/test/usage/support/redis.ts';
import {
  queriesOnAllEngines,
  type QueriesOnAllEngines,
} from '../../../src/host/running-queries/on-all-engines.ts';
import {
  createRunningQueries,
  type RunningQueries,
} from '../../../src/host/running-queries/running-queries.ts';

const ACME = { tenantId: 'acme', requestId: 'r1' };
/** That all have answered is known without waiting for the time that they have. */
const AT_ONCE_MS = 500;

interface TestEngine {
  readonly own: RunningQueries;
  readonly all: QueriesOnAllEngines;
}

/** By when an engine's connections are back. */
const BACK_MS_MAX = 5_000;

describe('queries on all engines', function () {
  this.timeout(30_000);
  let redis: TestRedis;
  const engines: TestEngine[] = [];

  before(async () => {
    redis = await startTestRedis();
    for (const self of ['one', 'two', 'three']) {
      const own = createRunningQueries();
      const [publisher, subscriber] = [redis.connect(), redis.connect()];
      const all = queriesOnAllEngines({ own, redis: publisher, subscriber, self });
      await Promise.all([publisher, subscriber].map((connection) => once(connection, 'ready')));
      engines.push({ own, all });
    }
    await listening(3);
  });
  after(() => redis.close());

  /** Until so many engines hear what is asked. */
  async function listening(count: number): Promise<void> {
    const probe = redis.connect();
    await once(probe, 'ready');
    await until(
      async () => {
        const [, heard] = (await probe.pubsub('NUMSUB', 'penstock:queries:asked')) as [string, number];
        return heard === count;
      },
      { what: `${count} engines that listen` },
    );
    probe.disconnect();
  }

  /** A query of the engine that has read so much; how often it was stopped. */
  function begin({ own }: TestEngine, halfUnits: number, request = ACME, rowsWanted = Infinity) {
    const stops: PenstockError[] = [];
    const query = own.begin(
      request,
      { halfUnitsSoFar: () => halfUnits, hasBegun: true },
      (error) => {
        stops.push(error);
      },
      rowsWanted,
    );
    return { ...query, stops };
  }

  const failureOf = (work: Promise<unknown>): Promise<PenstockError | null> =>
    work.then(
      () => null,
      (error: unknown) => error as PenstockError,
    );

  it('are found and stopped whichever engine is asked', async () => {
    const [one, two, three] = engines as [TestEngine, TestEngine, TestEngine];
    const query = begin(two, 5, ACME, 0);
    for (const { all } of engines) expect(await all.ask('look', ACME)).to.deep.include({ halfUnits: 5 });
    expect(query.stops).to.have.length(0);
    const reading = query.wanted(new AbortController().signal);
    expect(await three.all.ask('want', ACME, 1)).to.deep.include({ halfUnits: 5 });
    await reading;
    expect(await three.all.ask('stop', ACME)).to.deep.include({ halfUnits: 5 });
    expect(query.stops.map(({ code }) => code)).to.deep.equal(['CANCELLED']);
    const second = begin(one, 2);
    expect(await two.all.ask('look', ACME)).to.deep.include({ halfUnits: 7 });
    query.end();
    second.end();
  });

  it('that nobody has are known to be none at once, and so are another tenant’s', async () => {
    const [one, two] = engines as [TestEngine, TestEngine];
    const query = begin(two, 5);
    const ask = async (): Promise<void> => {
      expect(await one.all.ask('look', { ...ACME, requestId: 'unknown' })).to.equal(null);
      expect(await one.all.ask('stop', { ...ACME, tenantId: 'umbrella' })).to.equal(null);
    };
    expect(await leastMs(3, ask)).to.be.lessThan(AT_ONCE_MS);
    expect(query.stops).to.have.length(0);
    query.end();
  });

  it('cannot be told to be none while an engine does not answer, but those that are found are', async () => {
    const [one, two] = engines as [TestEngine, TestEngine];
    const query = begin(two, 5);
    const silent = redis.connect();
    await once(silent, 'ready');
    await silent.subscribe('penstock:queries:asked');
    try {
      expect(await one.all.ask('look', ACME)).to.deep.include({ halfUnits: 5 });
      expect(await failureOf(one.all.ask('look', { ...ACME, requestId: 'unknown' }))).to.include({
        code: 'UNAVAILABLE',
        retryAfterS: 1,
      });
    } finally {
      silent.disconnect();
      await listening(3);
      query.end();
    }
  });

  it('pass over what is no message of theirs', async () => {
    const [one, two] = engines as [TestEngine, TestEngine];
    const query = begin(two, 5);
    const stranger = redis.connect();
    await once(stranger, 'ready');
    for (const text of ['', '{', 'null', '{"engine":"x"}', '{"question":1,"found":{}}'])
      for (const channel of ['penstock:queries:asked', 'penstock:queries:answered:one'])
        await stranger.publish(channel, text);
    stranger.disconnect();
    expect(await one.all.ask('look', ACME)).to.deep.include({ halfUnits: 5 });
    query.end();
  });

  it('are this engine’s alone while Redis is away, and all again when it is back', async () => {
    const [one, two] = engines as [TestEngine, TestEngine];
    const [mine, theirs] = [begin(one, 3), begin(two, 5, { ...ACME, requestId: 'r2' })];
    await redis.kill();
    expect(await one.all.ask('look', ACME)).to.deep.include({ halfUnits: 3 });
    const failure = await failureOf(one.all.ask('look', { ...ACME, requestId: 'r2' }));
    expect(failure).to.include({ code: 'UNAVAILABLE' });
    await redis.start();
    await listening(3);
    // Each engine has several connections, and which of them is back first is chance.
    const found = await untilSome(() => one.all.ask('look', { ...ACME, requestId: 'r2' }).catch(() => null), {
      timeoutMs: BACK_MS_MAX,
      what: 'the other engine is found again',
    });
    expect(found).to.deep.include({ halfUnits: 5 });
    mine.end();
    theirs.end();
  });
});
