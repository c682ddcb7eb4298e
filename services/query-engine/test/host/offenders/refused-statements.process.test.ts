import { once } from 'node:events';
import { Redis } from 'ioredis';
import { expect } from 'chai';
import { until } from '../../../../common/test/support/until.ts';
import { startTestRedis, type TestRedis } from '../../../../common/test/usage/support/redis.ts';
import { REFUSED_FRESH_MS, REFUSED_MS, REFUSED_PER_TENANT_MAX } from '../../../src/host/limits.ts';
import { createRefusedStatements } from '../../../src/host/offenders/refused-statements.ts';

describe('refused statements', function () {
  this.timeout(30_000);
  let server: TestRedis;
  let redis: Redis;
  before(async () => {
    server = await startTestRedis();
    redis = server.connect();
    await once(redis, 'ready');
  });
  after(async () => {
    redis.disconnect();
    await server.close();
  });
  const hashesOf = async (statements: ReturnType<typeof createRefusedStatements>, tenantId: string) =>
    (await statements.of(tenantId)).map(({ statementHash }) => statementHash);

  it('are refused by every engine, for that tenant, for a while', async () => {
    const [one, other] = [createRefusedStatements(redis), createRefusedStatements(redis)];
    await one.add('a', 'x');
    const [found] = await other.of('a');
    expect(found?.statementHash).to.equal('x');
    expect((found?.until ?? 0) - Date.now()).to.be.within(REFUSED_MS - 5_000, REFUSED_MS);
    expect(await hashesOf(other, 'b')).to.deep.equal([]);
    expect(await redis.pttl('penstock:refused:a')).to.be.within(1, REFUSED_MS);
    await redis.zadd('penstock:refused:c', Date.now() - 1, 'over', Date.now() + 60_000, 'not yet');
    expect(await hashesOf(one, 'c')).to.deep.equal(['not yet']);
  });

  it('of another engine are known a second later', async () => {
    const [one, other] = [createRefusedStatements(redis), createRefusedStatements(redis)];
    expect(await hashesOf(other, 'd')).to.deep.equal([]);
    await one.add('d', 'x');
    const started = performance.now();
    await until(async () => (await hashesOf(other, 'd')).includes('x'), { what: 'the other knows it' });
    expect(performance.now() - started).to.be.below(10 * REFUSED_FRESH_MS);
  });

  it('are so many at most', async () => {
    const statements = createRefusedStatements(redis);
    for (let i = 0; i < REFUSED_PER_TENANT_MAX + 5; i++) await statements.add('e', `hash-${i}`);
    expect(await redis.zcard('penstock:refused:e')).to.equal(REFUSED_PER_TENANT_MAX);
    expect(await hashesOf(createRefusedStatements(redis), 'e')).to.include(
      `hash-${REFUSED_PER_TENANT_MAX + 4}`,
    );
  });

  it('are remembered by the engine itself while Redis is away', async () => {
    const away = new Redis({ port: 1, lazyConnect: true });
    const statements = createRefusedStatements(away);
    await statements.add('a', 'x');
    expect(await hashesOf(statements, 'a')).to.deep.equal(['x']);
    away.disconnect();
  });
});
