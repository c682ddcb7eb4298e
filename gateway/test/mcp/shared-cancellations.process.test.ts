import { createLogger } from '@penstock/common/logging/logger.ts';
import { connectRedis } from '@penstock/common/redis/connect.ts';
import { expect } from 'chai';
import type { Redis } from 'ioredis';
import { until } from '../../../services/common/test/support/until.ts';
import { startTestRedis, type TestRedis } from '../../../services/common/test/usage/support/redis.ts';
import { createRunningCalls, type RunningCalls } from '../../src/mcp/running-calls.ts';
import { shareCancellations } from '../../src/mcp/shared-cancellations.ts';
import { started } from './support/started.ts';

const logger = createLogger({ service: 'test', level: 'silent' });

describe('calls of several replicas', () => {
  let server: TestRedis;
  const connections: Redis[] = [];

  function replica(url: string): RunningCalls {
    const publisher = connectRedis(url, { logger, role: 'commands' });
    const subscriber = connectRedis(url, { logger, role: 'queue' });
    connections.push(publisher, subscriber);
    return shareCancellations(createRunningCalls(), { publisher, subscriber, logger });
  }

  before(async () => {
    server = await startTestRedis();
  });
  after(async () => {
    for (const connection of connections) connection.disconnect();
    await server.close();
  });

  it('end where they run, whichever replica the message reaches', async () => {
    const [one, two] = [replica(server.url), replica(server.url)];
    const [named, other] = [started(one, 'a'), started(one, 'b')];
    // Connections take a moment; a message before it is lost.
    await until(() => {
      expect(two.cancel('a')).to.equal(false);
      return named.wasCancelled();
    });
    expect(await named.ended).to.equal('cancelled');
    expect(other.wasCancelled()).to.equal(false);
    other.letGo();
    await other.ended;
  });

  it('end on the own replica while Redis is away', async () => {
    const alone = replica('redis://127.0.0.1:1');
    const call = started(alone, 'a');
    expect(alone.cancel('b')).to.equal(false);
    expect(alone.cancel('a')).to.equal(true);
    expect(await call.ended).to.equal('cancelled');
  });
});
