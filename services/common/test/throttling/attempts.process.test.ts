import { connectRedis } from '@penstock/common/redis/connect.ts';
import { createLogger } from '@penstock/common/logging/logger.ts';
import { expect } from 'chai';
import { once } from 'node:events';
import { startTestRedis } from '../../../common/test/usage/support/redis.ts';
import type { TestRedis } from '../../../common/test/usage/support/redis.ts';
import { createAttempts } from '../../src/throttling/attempts.ts';

const logger = createLogger({ service: 'auth', level: 'silent' });
const settings = { name: 'tests', tries: 3, windowS: 60 };

describe('Attempts', function () {
  this.timeout(90_000);
  let server: TestRedis;
  before(async () => {
    server = await startTestRedis();
  });
  after(() => server.close());

  async function connected() {
    const redis = connectRedis(server.url, { logger, role: 'commands' });
    await once(redis, 'ready');
    return redis;
  }

  it('are counted together by all replicas, and no more than the limit go on', async () => {
    const [left, right] = [await connected(), await connected()];
    const [one, two] = [createAttempts(left, logger, settings), createAttempts(right, logger, settings)];
    const taken = await Promise.all(
      Array.from({ length: 10 }, (_, i) => (i % 2 === 0 ? one : two).take('together')),
    );
    expect(taken.filter((waitS) => waitS === null)).to.have.length(3);
    expect(await two.peek('together')).to.be.within(55, 60);
    expect(await one.take('another')).to.equal(null);
    left.disconnect();
    right.disconnect();
  });

  it('that are given back do not count', async () => {
    const redis = await connected();
    const attempts = createAttempts(redis, logger, settings);
    for (let i = 0; i < 10; i += 1) {
      expect(await attempts.take('right')).to.equal(null);
      await attempts.giveBack('right');
    }
    expect(await attempts.peek('right')).to.equal(null);
    redis.disconnect();
  });

  it('are counted in memory while Redis is away', async () => {
    const redis = await connected();
    const attempts = createAttempts(redis, logger, settings);
    expect(await attempts.take('away')).to.equal(null);
    await server.kill();
    const taken: (number | null)[] = [];
    for (let i = 0; i < 5; i += 1) taken.push(await attempts.take('away'));
    expect(taken.slice(0, 3)).to.deep.equal([null, null, null]);
    expect(taken[4]).to.be.a('number');
    redis.disconnect();
  });
});
