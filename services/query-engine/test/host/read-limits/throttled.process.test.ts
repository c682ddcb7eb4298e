/** Two engines and a table that DynamoDB throttles: what one is told, the other knows. */
import { expect } from 'chai';
import { startTestRedis, type TestRedis } from '../../../../common/test/usage/support/redis.ts';
import { toHostTable } from '../../../src/clients/host-tables.ts';
import { createThrottlingNews } from '../../../src/host/read-limits/throttling-news.ts';
import { startTestAws, type TestAws } from '../../dynamodb/aws.ts';
import { keySchema } from '../../dynamodb/fixtures.ts';
import { createTable } from '../../engine/create-table.ts';
import { engineTable } from '../../engine/shop.ts';
import { tableMessage } from '../table-message.ts';
import { startTestHost, type TestHost } from '../test-host.ts';

/** Within it the first engine's pause doubles four times, to 800 ms. */
const THROTTLED_MS = 1_500;
/** So long the second one waits at least: half of a pause is random. */
const WAITED_MS_MIN = 200;

describe('a table that is throttled, over all engines', function () {
  this.timeout(60_000);
  let aws: TestAws;
  let redis: TestRedis;
  const hosts: TestHost[] = [];
  const orders = engineTable('orders', keySchema('id'), [{ id: { S: 'o1' } }], 100);
  const users = engineTable('users', keySchema('id'), [{ id: { S: 'u1' } }], 100);

  before(async () => {
    [aws, redis] = await Promise.all([startTestAws(), startTestRedis()]);
    for (const { catalog, items } of [orders, users]) await createTable(aws.client, catalog, items);
    for (const name of ['one', 'two'])
      hosts.push(
        await startTestHost({
          endpoint: aws.endpoint,
          accountOf: () => aws.accountId,
          news: createThrottlingNews(redis.connect(), redis.connect(), name),
          resolve: async (_, references) =>
            references.map(({ table }) => {
              const { catalog } = table === 'orders' ? orders : users;
              return { kind: 'table', table: toHostTable(tableMessage(catalog)) };
            }),
        }),
      );
    for (const host of hosts) await host.run("SELECT id FROM shop.users WHERE id = 'u1'");
  });
  after(async () => {
    for (const host of hosts) await host.close();
    await redis.close();
    await aws.close();
  });

  const read = async (host: TestHost, table: string, signal?: AbortSignal): Promise<number> => {
    const startedMs = performance.now();
    await host.run(`SELECT id FROM shop.${table} WHERE id = 'x'`, signal === undefined ? {} : { signal });
    return performance.now() - startedMs;
  };

  it('is asked as seldom by an engine that was never throttled, and other tables as ever', async () => {
    const [one, two] = hosts;
    await aws.faults([{ tableName: 'orders', error: 'ProvisionedThroughputExceededException' }]);
    const error: unknown = await read(one!, 'orders', AbortSignal.timeout(THROTTLED_MS)).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).to.have.property('code', 'THROTTLED');
    await aws.faults([]);
    const [throttled, other] = [await read(two!, 'orders'), await read(two!, 'users')];
    expect(throttled).to.be.at.least(WAITED_MS_MIN);
    expect(other).to.be.below(throttled);
  });

  it('is read while Redis is away, each engine by itself', async () => {
    await redis.kill();
    try {
      expect(await read(hosts[0]!, 'orders')).to.be.a('number');
    } finally {
      await redis.start();
    }
  });
});
