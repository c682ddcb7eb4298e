/** More than can be done: what is beyond the queues is refused at once, and no tenant takes the places of others. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { RunningStack } from '../../../deploy/local/src/stack/stack.ts';
import type { HttpAnswer } from '../e2e/support/http.ts';
import { setFaults } from '../e2e/support/request-log.ts';
import { discardStack, STACK_START_TIMEOUT_MS, startTestStack } from '../e2e/support/stack.ts';
import type { QueryEnvelope } from '../e2e/support/tenant.ts';
import { openMeter } from './metered.ts';
import { customerId, customerName, seedTenant, type ChaosTenant } from './tenants.ts';

const POINT = `SELECT name FROM shop.customers WHERE id = '${customerId(1)}'`;
/** More than an engine runs of one tenant (48) and lets wait (128). */
const FLOOD = 300;
const ROOM = 176;
/** What each of them waits for its table. */
const SLOW_MS = 6_000;
/** For the whole flood to have arrived. */
const ARRIVED_MS = 2_000;
/** Less than what is left of the first of them. */
const AT_ONCE_MS = 2_000;

describe('with more asked than can be done', function () {
  this.timeout(120_000);
  let stack: RunningStack;
  let ada: ChaosTenant;
  let bob: ChaosTenant;

  before(async function () {
    this.timeout(2 * STACK_START_TIMEOUT_MS);
    stack = await startTestStack({});
    ada = await seedTenant(stack, 'ada');
    bob = await seedTenant(stack, 'bob');
    for (const { tenant } of [ada, bob]) expect((await tenant.query(POINT)).body.success).to.equal(true);
  });
  afterEach(() => setFaults(stack, []));
  after(async () => {
    for (const one of [ada, bob]) one?.account.close();
    if (stack !== undefined) await discardStack(stack);
  });

  interface Timed extends HttpAnswer<QueryEnvelope> {
    readonly tookMs: number;
  }

  async function ask({ tenant }: ChaosTenant): Promise<Timed> {
    const started = Date.now();
    const answer = await tenant.query(POINT);
    return { ...answer, tookMs: Date.now() - started };
  }

  /** One tenant's statements that all wait for a slow table, while something else is done. */
  async function flooded(meanwhile: () => Promise<void>): Promise<readonly Timed[]> {
    await setFaults(stack, [{ accountId: ada.account.accountId, operation: 'GetItem', latencyMs: SLOW_MS }]);
    const asked = Array.from({ length: FLOOD }, () => ask(ada));
    await pause(ARRIVED_MS);
    await meanwhile();
    await setFaults(stack, []);
    return Promise.all(asked);
  }

  it('refuses what is beyond its queues at once, says when to try again, and answers and meters the rest', async () => {
    const meter = openMeter(stack);
    try {
      const before = (await meter.settled([ada])).get(ada)!;
      const answers = await flooded(() => Promise.resolve());
      const refused = answers.filter(({ status }) => status === 503);
      expect(refused).to.have.length(FLOOD - ROOM);
      for (const { body, headers, tookMs } of refused) {
        expect(body.error).to.equal('Too many queries are running; try again');
        expect(headers.get('retry-after')).to.match(/^\d+$/);
        expect(tookMs).to.be.lessThan(SLOW_MS);
      }
      const answered = answers.filter(({ status }) => status === 200);
      expect(answered).to.have.length(ROOM);
      for (const { body, text } of answered)
        expect(body.data?.data, text).to.deep.equal([[customerName('ada', 1)]]);
      const after = (await meter.settled([ada])).get(ada)!;
      expect(after.requests - before.requests).to.equal(FLOOD);
      expect(after.rows - before.rows).to.equal(ROOM);
    } finally {
      meter.close();
    }
  });

  it('answers one tenant while another has all that it may have', async () => {
    await flooded(async () => {
      const { body, text, tookMs } = await ask(bob);
      expect(body.data?.data, text).to.deep.equal([[customerName('bob', 1)]]);
      expect(tookMs).to.be.lessThan(AT_ONCE_MS);
    });
  });
});
