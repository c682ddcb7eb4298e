import { expect } from 'chai';
import type { Redis } from 'ioredis';
import { pino } from 'pino';
import { createDrainer } from '../../src/aggregation/drain.ts';
import type { CounterStore } from '../../src/store/counters.ts';
import { readPending } from '../../src/summary/pending.ts';
import { createSummarizer } from '../../src/summary/summarize.ts';
import type { Summarizer } from '../../src/summary/summarize.ts';
import { startTestStores, today } from '../support/stores.ts';
import type { TestStores } from '../support/stores.ts';

const logger = pino({ level: 'silent' });

describe('usage summary', function () {
  this.timeout(90_000);
  let stores: TestStores;
  let counters: CounterStore;
  let redis: Redis;

  const drain = () => createDrainer({ redis, counters, logger }).drain(10_000);
  const summarizer = (connection = redis): Summarizer => {
    const drainer = createDrainer({ redis: connection, counters, logger });
    return createSummarizer({ redis: connection, counters, drainer, logger, readPending });
  };
  const requestsOfToday = async (): Promise<number> =>
    (await summarizer().summarize('tnt_a', today, today)).totals.requests;

  before(async () => {
    stores = await startTestStores();
    redis = stores.redis;
  });
  beforeEach(async () => {
    await redis.flushall();
    counters = await stores.counters();
  });
  after(() => stores.close());

  it('lists every day of the range, with zeros where nothing was used', async () => {
    await stores.add({ at: Date.UTC(2026, 1, 28) });
    await drain();
    const { days, totals } = await summarizer().summarize('tnt_a', '2026-02-27', '2026-03-01');
    const zero = { requests: 0, rowsReturned: 0, readHalfUnits: 0 };
    const used = { requests: 1, rowsReturned: 2, readHalfUnits: 3 };
    expect(days).to.deep.equal([
      { day: '2026-02-27', counts: zero },
      { day: '2026-02-28', counts: used },
      { day: '2026-03-01', counts: zero },
    ]);
    expect(totals).to.deep.equal(used);
  });

  it('counts for a client besides its tenant, drained or not', async () => {
    const halfUnits = async (name: string): Promise<number> =>
      (await summarizer().summarize(name, today, today)).totals.readHalfUnits;
    await stores.add({ clientId: 'cli_1' });
    await drain();
    await stores.add({ clientId: 'cli_1' });
    await stores.add({ clientId: 'cli_2' });
    await stores.add({});
    const all = () => Promise.all(['tnt_a', 'tnt_a#cli_1', 'tnt_a#cli_2', 'tnt_a#cli_3'].map(halfUnits));
    expect(await all()).to.deep.equal([12, 6, 3, 0]);
    await drain();
    expect(await all()).to.deep.equal([12, 6, 3, 0]);
  });

  it('counts what was recorded before the call, drained or not, and once', async () => {
    await stores.addMany(3, {});
    expect(await requestsOfToday()).to.equal(3);
    await drain();
    await stores.addMany(2, {});
    expect(await requestsOfToday()).to.equal(5);
    await drain();
    expect(await requestsOfToday()).to.equal(5);
  });

  it('leaves out other tenants and days outside the range', async () => {
    await stores.add({ tenantId: 'tnt_b' });
    await stores.add({ at: Date.UTC(2026, 10, 20) });
    expect(await requestsOfToday()).to.equal(0);
    await drain();
    expect(await requestsOfToday()).to.equal(0);
  });

  it('neither loses nor repeats usage while it is being drained', async () => {
    let recorded = 0;
    const record = async (): Promise<void> => {
      for (let i = 0; i < 40; i += 1) {
        await stores.addMany(25, {});
        recorded += 25;
      }
    };
    let busy = true;
    const recording = record().finally(() => {
      busy = false;
    });
    const draining = (async () => {
      while (busy) await drain();
    })();
    while (busy) {
      const before = recorded;
      const seen = await requestsOfToday();
      expect(seen)
        .to.be.at.least(before)
        .and.at.most(recorded + 25);
    }
    await Promise.all([recording, draining]);
    expect(await requestsOfToday()).to.equal(1000);
  });

  it('drains a large backlog first, and counts all of it', async () => {
    await stores.addMany(6000, {});
    expect(await requestsOfToday()).to.equal(6000);
    expect((await counters.get('tnt_a', today))?.counts.requests).to.equal(6000);
  });

  it('answers from the counters alone, and soon, while Redis is away or does not answer', async () => {
    await stores.addMany(4, {});
    await drain();
    const away = stores.server.connect();
    away.disconnect();
    const start = Date.now();
    expect((await summarizer(away).summarize('tnt_a', today, today)).totals.requests).to.equal(4);
    expect(Date.now() - start).to.be.below(3_000);
  });

  for (const [start, end, message] of [
    ['2026-02-30', '2026-03-01', 'startDate must be a calendar date, YYYY-MM-DD'],
    ['2026-02-01', '2026-13-01', 'endDate must be a calendar date, YYYY-MM-DD'],
    ['2025-02-29', '2025-03-01', 'startDate must be a calendar date, YYYY-MM-DD'],
    ['2026-03-02', '2026-03-01', 'startDate must be before or equal to endDate'],
    ['2024-01-01', '2025-01-02', 'endDate must be at most 366 days after startDate'],
  ] as const) {
    it(`refuses ${start} to ${end}: ${message}`, async () => {
      const failure: unknown = await summarizer()
        .summarize('tnt_a', start, end)
        .catch((error: unknown) => error);
      expect(failure).to.include({ code: 'VALIDATION_ERROR', message });
    });
  }

  it('takes the longest range there may be, and a leap day', async () => {
    const { days } = await summarizer().summarize('tnt_a', '2024-01-01', '2025-01-01');
    expect(days).to.have.length(367);
    expect(days[59]?.day).to.equal('2024-02-29');
  });

  for (const error of ['ProvisionedThroughputExceededException', 'InternalServerError']) {
    it(`says UNAVAILABLE while the counters answer with ${error}, and recovers`, async () => {
      const faults = (rules: readonly object[]): Promise<Response> =>
        fetch(`${stores.awsEndpoint}/_faults`, { method: 'PUT', body: JSON.stringify(rules) });
      await faults([{ accountId: '000000000000', error }]);
      try {
        const failure = await requestsOfToday().catch((thrown: unknown) => thrown);
        expect(failure).to.have.property('code', 'UNAVAILABLE');
      } finally {
        await faults([]);
      }
      expect(await requestsOfToday()).to.equal(0);
    });
  }
});
