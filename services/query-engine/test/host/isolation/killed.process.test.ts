/**
 * Workers killed at random under load: answers are right or an error of the contract, and units add up.
 *
 * Takes turns: each killed worker is followed by another one.
 */
import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { processStat } from '@penstock/common/process/process-stat.ts';
import { until } from '../../../../common/test/support/until.ts';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { toHostTable } from '../../../src/clients/host-tables.ts';
import { startTestAws, type TestAws } from '../../dynamodb/aws.ts';
import { budgetOf, SEED, SEED_SHOWN } from '../../../../common/test/support/random-budget.ts';
import { seededRandom } from '../../dynamodb/random.ts';
import { createTable } from '../../engine/create-table.ts';
import { customers, orders } from '../../engine/shop.ts';
import { tableMessage } from '../table-message.ts';
import { startTestHost, type TestHost } from '../test-host.ts';

/** The longest run had KILLS=500. */
const KILLS = budgetOf({ short: 4, long: 12, variable: 'KILLS' });
const CLIENTS = 6;
const TABLES = [customers(), orders()];

/** Statements and their rows. */
const STATEMENTS: readonly (readonly [sql: string, rows: string])[] = [
  [`SELECT name FROM shop.customers WHERE id = 'c1'`, '[["bob"]]'],
  [`SELECT count(*), sum(total) FROM shop.orders`, '[[60,2212.5]]'],
  [`SELECT c.name, count(*) AS n FROM shop.customers c JOIN shop.orders o ON o.customer = c.id WHERE c.id = 'c2' GROUP BY 1`, '[["cem",15]]'],
]; // oxfmt-ignore

/** Whether this process has a child of that ID, be it dead. In a long run IDs come round, as those of other processes. */
const isChild = (pid: number): boolean => processStat(pid)?.parent === process.pid;

describe('workers killed under load', function () {
  this.timeout(60_000 + Math.max(KILLS, 12) * 2_000);
  let aws: TestAws;
  let host: TestHost;
  before(async () => {
    aws = await startTestAws();
    for (const { catalog, items } of TABLES) await createTable(aws.client, catalog, items);
    host = await startTestHost({
      endpoint: aws.endpoint,
      accountOf: () => aws.accountId,
      workers: 2,
      resolve: async (_, references) =>
        references.map(({ table }) => {
          const found = TABLES.find(({ catalog }) => catalog.tableName === table) ?? TABLES[0]!;
          return { kind: 'table', table: toHostTable(tableMessage(found.catalog)) };
        }),
    });
  });
  after(async () => {
    await host.close();
    await aws.close();
  });

  it(`lose no answer and no unit, and leave nothing behind (${SEED_SHOWN})`, async () => {
    const random = seededRandom(SEED);
    const costs = new Map<string, number>();
    for (const [sql, rows] of STATEMENTS) {
      const answer = await host.run(sql);
      expect(answer.json, sql).to.equal(rows);
      costs.set(sql, answer.readUnits);
    }
    await aws.clear();
    const pids = new Set<number>();
    const outcomes = { right: 0, errors: new Map<string, number>() };
    const before = host.unitsCounted();
    let isOver = false;
    const client = async (number: number): Promise<void> => {
      for (let i = number; !isOver; i++) {
        const [sql, rows] = STATEMENTS[i % STATEMENTS.length]!;
        try {
          const answer = await host.run(sql, { tenantId: `tenant-${number}` });
          expect(answer.json, sql).to.equal(rows);
          expect(answer.readUnits, sql).to.be.at.least(costs.get(sql) ?? 0);
          outcomes.right++;
        } catch (error) {
          if (!(error instanceof PenstockError)) throw error;
          expect(error.code).to.be.oneOf(['UNAVAILABLE', 'RESOURCE_EXHAUSTED']);
          outcomes.errors.set(error.message, (outcomes.errors.get(error.message) ?? 0) + 1);
          await sleep(20);
        }
      }
    };
    const clients = Promise.all(Array.from({ length: CLIENTS }, (_, i) => client(i)));
    for (let kills = 0; kills < KILLS;) {
      // Sleeps: workers are killed at any time of what they do.
      await sleep(100 + random.int(300));
      const ready = host.pool.workers.filter(
        ({ worker, role }) => worker.state === 'ready' && role === 'place',
      );
      const pid = ready[random.int(ready.length)]?.worker.pid;
      // One after the other: a worker that is not there yet cannot be killed.
      if (pid == null || host.pool.workers.filter(({ worker }) => worker.state === 'ready').length < 3)
        continue;
      pids.add(pid);
      process.kill(pid, 'SIGKILL');
      kills++;
    }
    const rightByThen = outcomes.right;
    await until(() => outcomes.right > Math.max(KILLS, rightByThen + CLIENTS), {
      what: 'answers after the last kill',
    });
    isOver = true;
    await clients;
    const requests = await aws.requests();
    const logged = requests.reduce((sum, { consumedUnits }) => sum + consumedUnits, 0);
    const counted = (host.unitsCounted() - before) / 2;
    const most = Math.max(...requests.map(({ consumedUnits }) => consumedUnits));
    const shown = `${outcomes.right} right, ${JSON.stringify([...outcomes.errors])}; ${counted} units counted of ${logged}`;
    process.stdout.write(`    ${shown}\n`);
    expect(outcomes.right, shown).to.be.greaterThan(KILLS);
    // What was in flight when a worker was killed was not heard of: a page of each client's at most.
    expect(counted, shown).to.be.at.most(logged);
    expect(counted, shown).to.be.at.least(logged - KILLS * CLIENTS * most);
    await until(() => readdirSync(host.spillFolder).length === host.pool.workers.length, {
      what: 'folders of killed workers gone',
    });
    const working = new Set(host.pool.workers.map(({ worker }) => worker.pid));
    for (const pid of pids)
      expect(isChild(pid) && !working.has(pid), `process ${pid} is left`).to.equal(false);
    const alive = host.pool.workers.map(({ worker }) => `worker-${worker.id}`);
    expect(readdirSync(host.spillFolder).sort()).to.deep.equal(alive.sort());
  });
});
