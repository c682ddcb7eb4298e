import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { createLogger } from '@penstock/common/logging/logger.ts';
import { connectRedis } from '@penstock/common/redis/connect.ts';
import { expect } from 'chai';
import type { Redis } from 'ioredis';
import { startTestRedis, type TestRedis } from '../../../services/common/test/usage/support/redis.ts';
import { createFatalStatements, type FatalStatements } from '../../src/limiting/fatal-statements.ts';
import { FATAL_STATEMENT_DEATHS, INNOCENT_TENANT_FRESH_MS } from '../../src/limits.ts';

const logger = createLogger({ service: 'test', level: 'silent' });

describe('Statements that end engines', function () {
  this.timeout(60_000);
  let server: TestRedis;
  let redis: Redis;
  before(async () => {
    server = await startTestRedis();
    redis = connectRedis(server.url, { logger, role: 'commands' });
    await once(redis, 'ready');
  });
  after(async () => {
    redis.disconnect();
    await server.close();
  });

  const gateway = (): FatalStatements => createFatalStatements(redis, logger);
  const refuses = async (statements: FatalStatements, tenantId: string, sql: string): Promise<boolean> =>
    statements.check(tenantId, sql).then(
      () => false,
      (error: unknown) => error instanceof PenstockError && error.code === 'RESOURCE_EXHAUSTED',
    );
  const commands = async (): Promise<number> =>
    Number(/total_commands_processed:(\d+)/.exec(await redis.info('stats'))?.[1]);

  it('are refused by every gateway, for their tenant, and no other statement of it is', async () => {
    const [here, there] = [gateway(), gateway()];
    await here.add('ada', 'SELECT 1', true);
    for (const one of [here, there, gateway()]) {
      expect(await refuses(one, 'ada', 'SELECT 1')).to.equal(true);
      expect(await refuses(one, 'ada', 'SELECT 2')).to.equal(false);
      expect(await refuses(one, 'bob', 'SELECT 1')).to.equal(false);
    }
  });

  it('are refused soon by a gateway that has just asked about the tenant', async () => {
    const [here, there] = [gateway(), gateway()];
    expect(await refuses(there, 'cyd', 'SELECT 1')).to.equal(false);
    for (let deaths = 0; deaths < FATAL_STATEMENT_DEATHS; deaths += 1)
      await here.add('cyd', 'SELECT 1', false);
    expect(await refuses(here, 'cyd', 'SELECT 1')).to.equal(true);
    await pause(INNOCENT_TENANT_FRESH_MS + 50);
    expect(await refuses(there, 'cyd', 'SELECT 1')).to.equal(true);
  });

  it('cost those who have none a question to Redis once in a while', async () => {
    const one = gateway();
    const before = await commands();
    for (let i = 0; i < 100; i += 1) await one.check('dan', `SELECT ${i}`);
    expect((await commands()) - before).to.be.below(10);
  });

  it('are refused where they ended engines while Redis is away, also once it is back', async () => {
    const one = gateway();
    expect(await refuses(one, 'eve', 'SELECT 1')).to.equal(false);
    server.freeze();
    await one.add('eve', 'SELECT 1', true);
    expect(await refuses(one, 'eve', 'SELECT 1')).to.equal(true);
    server.thaw();
    await redis.ping();
    expect(await refuses(one, 'eve', 'SELECT 1')).to.equal(true);
  });
});
