/** Budgets over two engines and a Redis that is killed and emptied: what the endpoint's log says was read. */
import { setTimeout as sleep } from 'node:timers/promises';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { expect } from 'chai';
import { untilSome } from '../../../../common/test/support/until.ts';
import { startTestRedis, type TestRedis } from '../../../../common/test/usage/support/redis.ts';
import { toHostTable } from '../../../src/clients/host-tables.ts';
import { createBudgets, type Budgets } from '../../../src/host/budgets/budgets.ts';
import { createBudgetCounters } from '../../../src/host/budgets/counters.ts';
import type { Budget } from '../../../src/host/budgets/limits-of.ts';
import { watchEngines, type Engines } from '../../../src/host/read-limits/engines.ts';
import { startTestAws, type TestAws } from '../../dynamodb/aws.ts';
import { keySchema } from '../../dynamodb/fixtures.ts';
import { createTable } from '../../engine/create-table.ts';
import { engineTable } from '../../engine/shop.ts';
import type { TestItem } from '../../engine/engine-table.ts';
import { tableMessage } from '../table-message.ts';
import { startTestHost, type TestHost } from '../test-host.ts';

/** BUDGET_UNITS=1000 for the long form. */
const UNITS = Number(process.env['BUDGET_UNITS'] ?? 60);
const CLIENTS = 200;
/** Two pages of a megabyte and what is left. */
const SCAN_UNITS = 160;

describe('budgets of read units, over all engines', function () {
  this.timeout(240_000);
  let aws: TestAws;
  let redis: TestRedis;
  let budgets: readonly Budget[] = [];
  const engines: Engines[] = [];
  const hosts: TestHost[] = [];
  const items = Array.from({ length: 80 }, (_, i): TestItem => {
    const filler = { S: 'x'.repeat(16_000) };
    return { id: { S: `i${i}` }, filler };
  });
  const table = engineTable('items', keySchema('id'), items, 16_010);

  /** What is recorded of queries that have ended. */
  const recorded = (): number => hosts.reduce((sum, host) => sum + host.unitsCounted(), 0);
  const budgetsOf = (): { budgets: Budgets; engine: Engines } => {
    const client = redis.connect();
    const engine = watchEngines(client);
    engines.push(engine);
    const known = {
      of: (tenantId: string, clientId: string | null) =>
        budgets.filter(
          (budget) =>
            budget.tenantId === tenantId && (budget.clientId === null || budget.clientId === clientId),
        ),
      isKnown: true,
      first: Promise.resolve(),
    };
    return {
      budgets: createBudgets({
        known,
        counters: createBudgetCounters(client, engine.self),
        consumed: async ({ whose }) => (whose === 'tenant' ? recorded() : 0),
      }),
      engine,
    };
  };

  before(async () => {
    [aws, redis] = await Promise.all([startTestAws(), startTestRedis()]);
    await createTable(aws.client, table.catalog, table.items);
    for (let i = 0; i < 2; i++)
      hosts.push(
        await startTestHost({
          endpoint: aws.endpoint,
          accountOf: () => aws.accountId,
          budgets: budgetsOf().budgets,
          resolve: async (_, references) =>
            references.map(() => ({ kind: 'table', table: toHostTable(tableMessage(table.catalog)) })),
        }),
      );
  });
  after(async () => {
    for (const engine of engines) engine.close();
    for (const host of hosts) await host.close();
    await redis.close();
    await aws.close();
  });

  let tenants = 0;
  /** A tenant of its own, with a budget by day beyond what was recorded before. */
  const budgeted = (unitsPerDay: number): string => {
    const tenantId = `tenant-${++tenants}`;
    const before = recorded() / 2;
    budgets = [{ tenantId, clientId: null, unitsPerDay: before + unitsPerDay, unitsPerMonth: null }];
    return tenantId;
  };
  const spent = async (): Promise<number> =>
    (await aws.requests()).reduce((sum, { consumedUnits }) => sum + consumedUnits, 0);
  const failureOf = (error: unknown): PenstockError => {
    if (error instanceof PenstockError) return error;
    throw error;
  };

  /** Queries of many clients until each is refused by the budget; whatever else goes wrong, they try again. */
  const untilRefused = async (tenantId: string, sql: (i: number) => string): Promise<void> => {
    const client = async (_: unknown, i: number): Promise<void> => {
      for (;;) {
        try {
          await hosts[i % 2]!.run(sql(i), { tenantId });
        } catch (error) {
          const { code } = failureOf(error);
          if (code === 'BUDGET_EXCEEDED') return;
          if (code !== 'UNAVAILABLE') throw error;
          await sleep(20);
        }
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
  };
  const keyRead = (i: number): string => `SELECT id FROM shop.items WHERE id = 'none${i}'`;

  it(`are exact to the half unit: ${CLIENTS} clients on two engines read ${UNITS + 0.5} units by key`, async () => {
    const tenantId = budgeted(UNITS + 0.5);
    await aws.clear();
    await untilRefused(tenantId, keyRead);
    expect(await spent()).to.equal(UNITS + 0.5);
  });

  it('are exact while Redis is killed and comes back', async () => {
    const tenantId = budgeted(UNITS);
    await aws.clear();
    const killing = (async () => {
      for (let kills = 0; kills < 2; kills++) {
        // Sleeps: Redis goes and comes in the midst of reads.
        await sleep(150);
        await redis.kill();
        // Sleeps: as above.
        await sleep(100);
        await redis.start();
      }
    })();
    await Promise.all([untilRefused(tenantId, keyRead), killing]);
    expect(await spent()).to.be.within(UNITS - 1, UNITS);
  });

  it('are overdrawn by one page at most, however many statements begin at once', async () => {
    const tenantId = budgeted(10);
    await aws.clear();
    const scans = Array.from({ length: 30 }, (_, i) =>
      hosts[i % 2]!.run('SELECT count(filler) FROM shop.items', { tenantId }).catch(failureOf),
    );
    for (const error of await Promise.all(scans)) expect(error).to.include({ code: 'BUDGET_EXCEEDED' });
    expect(await spent()).to.be.within(10, 10 + 128);
  });

  it('let a read by key through that fits, whatever it might cost', async () => {
    const tenantId = budgeted(0.5);
    await aws.clear();
    await hosts[0]!.run(keyRead(1), { tenantId });
    expect(await spent()).to.equal(0.5);
  });

  it('are used up by scans that run again and again, and overdrawn by one page', async () => {
    const tenantId = budgeted(SCAN_UNITS * 2);
    await aws.clear();
    const scans = Array.from({ length: 6 }, async (_, i) => {
      for (;;)
        try {
          await hosts[i % 2]!.run('SELECT count(filler) FROM shop.items', { tenantId });
        } catch (error) {
          return failureOf(error);
        }
    });
    for (const error of await Promise.all(scans)) expect(error.code).to.equal('BUDGET_EXCEEDED');
    expect(await spent()).to.be.within(SCAN_UNITS * 2 - 1, SCAN_UNITS * 2 + 128);
  });

  it('are taken up from what was recorded where Redis was emptied, with what runs', async () => {
    const tenantId = budgeted(UNITS);
    await aws.clear();
    const client = redis.connect();
    const emptying = (async () => {
      for (let times = 0; times < 3; times++) {
        // Sleeps: it is emptied in the midst of reads.
        await sleep(100);
        await client.flushall().catch(() => undefined);
      }
    })();
    await Promise.all([untilRefused(tenantId, keyRead), emptying]);
    // Each time, what runs may be counted again, or have been under way.
    expect(await spent()).to.be.at.most(UNITS + 0.5 * CLIENTS);
    expect(await spent()).to.be.above(UNITS / 4);
  });

  it('are not held back by what an engine reserved that is gone', async () => {
    const tenantId = budgeted(1);
    const gone = budgetsOf();
    const run = await gone.budgets.forRun({ tenantId, clientId: null, token: '', requestId: '' });
    await run!.reserve({ least: 2, most: 2 }, new AbortController().signal);
    await aws.clear();
    const waiting = hosts[0]!.run(keyRead(1), { tenantId });
    // Sleeps: nothing is read while it is reserved.
    await sleep(200);
    expect(await spent()).to.equal(0);
    gone.engine.close();
    await waiting;
    expect(await spent()).to.equal(0.5);
  });

  it('say whose they are, what is used, and when they begin anew; nothing is read', async () => {
    budgets = [
      { tenantId: 't', clientId: null, unitsPerDay: null, unitsPerMonth: 1_000_000 },
      { tenantId: 't', clientId: 'c', unitsPerDay: 1, unitsPerMonth: null },
    ];
    const asked = { tenantId: 't', clientId: 'c' };
    await hosts[0]!.run(keyRead(1), asked);
    await aws.clear();
    const three = "SELECT count(*) FROM shop.items WHERE id IN ('a', 'b', 'c')";
    const error = await untilSome(
      async () => {
        const refused = failureOf(await hosts[1]!.run(three, asked).catch((thrown: unknown) => thrown));
        return /under way/.test(refused.message) ? null : refused;
      },
      { what: 'the first read is counted' },
    );
    expect(error.code).to.equal('BUDGET_EXCEEDED');
    expect(error.message).to.equal('The budget of this client is 1 read units a day: 0.5 are used');
    expect(error.detail).to.match(
      /^The next read costs at least 1\.5\. The budget begins anew at \d{4}-\d\d-\d\dT00:00:00\.000Z\./,
    );
    expect(await spent()).to.equal(0);
    // Others of the tenant go on, and planning costs nothing.
    await hosts[1]!.run(three, { tenantId: 't', clientId: 'other' });
    expect((await hosts[1]!.plan(three, asked)).text).to.include('BatchGetItem');
  });

  it('refuse to guess while Redis is away', async () => {
    const tenantId = budgeted(10);
    await redis.kill();
    try {
      await aws.clear();
      const error = failureOf(
        await hosts[0]!.run(keyRead(1), { tenantId }).catch((thrown: unknown) => thrown),
      );
      expect(error).to.include({
        code: 'UNAVAILABLE',
        message: 'The budget of read units cannot be checked; try again',
      });
      expect(await spent()).to.equal(0);
    } finally {
      await redis.start();
    }
  });
});
