import { expect } from 'chai';
import { createLogger } from '../../src/logging/logger.ts';
import { connectRedis, redisReady } from '../../src/redis/connect.ts';
import { leastMs } from '../support/least-time.ts';
import { until } from '../support/until.ts';
import { startTestRedis, type TestRedis } from '../usage/support/redis.ts';

describe('connectRedis', () => {
  let server: TestRedis;
  const lines: string[] = [];
  const logger = createLogger({
    service: 't',
    level: 'info',
    destination: { write: (line: string) => void lines.push(line) },
  });
  const ends: (() => void)[] = [];

  before(async () => {
    server = await startTestRedis();
  });
  after(async () => {
    for (const end of ends) end();
    await server.close();
  });

  async function outcome(work: Promise<unknown>): Promise<{ ok: boolean; ms: number }> {
    const start = performance.now();
    const ok = await work.then(
      () => true,
      () => false,
    );
    return { ok, ms: performance.now() - start };
  }

  it('answers commands; fails at once while Redis is dead; recovers; says so once', async () => {
    const redis = connectRedis(server.url, { logger, role: 'commands' });
    ends.push(() => redis.disconnect());
    expect(await redisReady(redis, 2_000)).to.equal(true);
    expect(await redis.set('a', '1')).to.equal('OK');
    await server.kill();
    await until(() => redis.status !== 'ready');
    expect((await outcome(redis.get('a'))).ok).to.equal(false);
    expect(await leastMs(3, () => outcome(redis.get('a')))).to.be.below(450);
    await until(() => lines.some((line) => line.includes('not available')));
    await server.start();
    await until(() => redis.status === 'ready');
    expect(await redis.get('a')).to.equal('1');
    expect(lines.filter((line) => line.includes('Redis is not available'))).to.have.length(1);
    expect(lines.filter((line) => line.includes('available again'))).to.have.length(1);
  });

  it('fails a command within about a second when Redis is frozen', async () => {
    const redis = connectRedis(server.url, { logger, role: 'commands' });
    ends.push(() => redis.disconnect());
    await redisReady(redis, 2_000);
    server.freeze();
    try {
      const frozen = await outcome(redis.get('a'));
      expect(frozen.ok).to.equal(false);
      expect(frozen.ms).to.be.within(500, 5_000);
    } finally {
      server.thaw();
    }
  });

  it('waits for a connection no longer than it is told', async () => {
    const redis = connectRedis('redis://127.0.0.1:1', { logger, role: 'commands' });
    ends.push(() => redis.disconnect());
    expect(await redisReady(redis, 100)).to.equal(false);
  });
});
