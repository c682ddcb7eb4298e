/** Parts that die or hang below the PostgreSQL endpoint: sessions hear of it by name, and go on. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { RunningStack } from '../../../../deploy/local/src/stack/stack.ts';
import { meteredOf } from '../../chaos/metered.ts';
import { recovers } from '../../chaos/recovers.ts';
import { CUSTOMERS, customerId, seedTenant, type ChaosTenant } from '../../chaos/tenants.ts';
import { requestsOf, setFaults } from '../../e2e/support/request-log.ts';
import { seedWide } from '../../e2e/support/shop.ts';
import { leaveScratch, scratchStack, STACK_START_TIMEOUT_MS } from '../../e2e/support/stack.ts';
import { query } from './support/frames.ts';
import { answersToSignIn, fieldsOf, rawClient, signedIn, summaryOf } from './support/raw-client.ts';
import type { Answer, SignedIn } from './support/raw-client.ts';

const POINT = `SELECT name FROM shop.customers WHERE id = '${customerId(1)}'`;
/** Longer than anything that waits for a part which hangs. */
const NAMED_MS_MAX = 40_000;
const WIDE_ITEMS = 80;
/** Of a megabyte each. */
const WIDE_PAGES = 8;
/** A read that was asked for before has been answered, and counted by its engine, after this long. */
const ANSWERED_MS = 1_500;
/** Longer than the test. */
const UNANSWERED_MS = 60_000;

describe('PostgreSQL clients while a part is away', function () {
  this.timeout(120_000);
  let stack: RunningStack;
  let ada: ChaosTenant;
  let port: number;
  let client: SignedIn;

  before(async function () {
    this.timeout(2 * STACK_START_TIMEOUT_MS);
    stack = await scratchStack('one engine');
    port = Number(new URL(stack.postgresUrl).port);
    ada = await seedTenant(stack, 'ada');
    await seedWide(ada.account, 'wide', WIDE_ITEMS, 100_000);
    client = await signedIn(ada.tenant.credentials, { port });
    await recovers(async () => rowsOf(await ask('SELECT COUNT(filler) FROM shop.wide')) === 1);
  });
  after(async () => {
    client?.destroy();
    ada?.account.close();
    await leaveScratch(stack);
  });

  const ask = async (sql: string, session = client): Promise<readonly Answer[]> => {
    session.send(query(sql));
    return session.until('Z');
  };
  const rowsOf = (answers: readonly Answer[]): number => answers.filter(({ type }) => type === 'D').length;
  const errorOf = (answers: readonly Answer[]): Readonly<Record<string, string>> =>
    fieldsOf(answers.find(({ type }) => type === 'E')!);
  const pages = async (): Promise<number> =>
    (await requestsOf(stack, ada.account)).filter(({ operation }) => operation === 'Scan').length;
  const frozen = async (part: string, work: () => Promise<void>): Promise<void> => {
    const pid = stack.pid(part)!;
    process.kill(pid, 'SIGSTOP');
    try {
      await work();
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  };

  it('hear by name that an engine was killed, their session goes on, and what was read is counted to the half unit, with the rows that came', async () => {
    const sql = 'SELECT id, filler FROM shop.wide';
    let rows = 0;
    const metered = await meteredOf(stack, ada, async () => {
      await setFaults(stack, [{ accountId: ada.account.accountId, latencyMs: 400 }]);
      client.send(query(sql));
      await recovers(async () => (await pages()) >= 2);
      // What is asked for from now on is not answered, and all that was asked for has come by then.
      await setFaults(stack, [{ accountId: ada.account.accountId, latencyMs: UNANSWERED_MS }]);
      // Sleeps: all that was asked for before has been answered by then.
      await sleep(ANSWERED_MS);
      const answered = await pages();
      expect(answered).to.be.lessThan(WIDE_PAGES);
      process.kill(stack.pid('query-engine-1')!, 'SIGKILL');
      const answers = await client.until('Z');
      await setFaults(stack, []);
      expect(errorOf(answers)['C']).to.match(/^5[78]/);
      expect(errorOf(answers)['M']).to.not.equal('');
      expect(answers.at(-1)!.body.toString()).to.equal('I');
      expect(await pages()).to.equal(answered);
      rows = rowsOf(answers);
      expect(rows).to.be.within(1, WIDE_ITEMS - 1);
      await recovers(async () => {
        const got = rowsOf(await ask(sql));
        rows += got;
        return got === WIDE_ITEMS;
      });
    });
    expect(metered).to.include({ rows, halfUnits: metered.consumedHalfUnits });
  });

  it('are answered while Redis hangs: what they use is counted later', () =>
    frozen('redis', async () => {
      expect(rowsOf(await ask('SELECT id FROM shop.customers'))).to.equal(CUSTOMERS);
      expect((await ask('SHOW server_encoding')).map(summaryOf)).to.deep.equal(['T', 'D', 'C', 'Z']);
    }));

  it('go on while auth hangs; nobody new signs in, and hears why', async () => {
    await frozen('auth', async () => {
      expect(rowsOf(await ask(POINT))).to.equal(1);
      const from = performance.now();
      const late = rawClient({ port });
      const answers = await answersToSignIn(late, ada.tenant.credentials);
      expect(performance.now() - from).to.be.lessThan(NAMED_MS_MAX);
      expect(answers.map(summaryOf)).to.deep.equal(['FATAL 57P03']);
      expect(rowsOf(await ask(POINT))).to.equal(1);
    });
    await recovers(async () => {
      (await signedIn(ada.tenant.credentials, { port })).destroy();
      return true;
    });
  });

  it('hear by name that tables cannot be looked up while the registry hangs', async () => {
    const other = await signedIn(ada.tenant.credentials, { port });
    await frozen('schema-registry', async () => {
      // Sleeps: what was just seen is known for five seconds.
      await sleep(6_000);
      await Promise.all(
        (
          [
            [client, 'SELECT id FROM shop.orders_of_nobody'],
            [other, 'SELECT relname FROM pg_class LIMIT 1'],
          ] as const
        ).map(async ([session, sql]) => {
          const from = performance.now();
          const answers = await ask(sql, session);
          expect(errorOf(answers)['C'], sql).to.match(/^5/);
          expect(performance.now() - from).to.be.lessThan(NAMED_MS_MAX);
        }),
      );
      other.destroy();
      expect((await ask('SHOW server_encoding')).map(summaryOf)).to.deep.equal(['T', 'D', 'C', 'Z']);
    });
    await recovers(async () => rowsOf(await ask(POINT)) === 1);
    await recovers(async () => rowsOf(await ask('SELECT relname FROM pg_class LIMIT 1')) === 1);
  });
});
