/** What was answered is counted, also where who answered dies right after, and Redis before it could take it. */
import { expect } from 'chai';
import type { RunningStack } from '../../../deploy/local/src/stack/stack.ts';
import { clearRequests } from '../e2e/support/request-log.ts';
import { leaveScratch, scratchStack, STACK_START_TIMEOUT_MS } from '../e2e/support/stack.ts';
import { openMeter } from './metered.ts';
import { recovers } from './recovers.ts';
import { CUSTOMERS, seedTenant, type ChaosTenant } from './tenants.ts';

const SCAN = 'SELECT id FROM shop.customers ORDER BY id';

describe('with Redis hanging, then killed with who has just answered', function () {
  this.timeout(120_000);
  let stack: RunningStack;
  let ada: ChaosTenant;

  before(async function () {
    this.timeout(2 * STACK_START_TIMEOUT_MS);
    stack = await scratchStack('one engine');
    ada = await seedTenant(stack, 'ada');
  });
  after(async () => {
    ada?.account.close();
    await leaveScratch(stack);
  });

  async function works(): Promise<void> {
    await recovers(async () => (await ada.tenant.query(SCAN)).body.success);
  }

  /**
   * The usage of what is asked while Redis hangs. The part is killed the moment that the last answer is there, and Redis
   * with it: what waits in its socket is lost.
   */
  async function metered(part: string, ask: () => Promise<void>): Promise<unknown> {
    const meter = openMeter(stack);
    try {
      await works();
      const before = (await meter.settled([ada])).get(ada)!;
      await clearRequests(stack, ada.account);
      const redis = stack.pid('redis')!;
      process.kill(redis, 'SIGSTOP');
      try {
        await ask();
        process.kill(stack.pid(part)!, 'SIGKILL');
      } finally {
        process.kill(redis, 'SIGKILL');
      }
      const after = (await meter.settled([ada])).get(ada)!;
      expect(after.halfUnits - before.halfUnits).to.equal(after.consumedHalfUnits);
      return { requests: after.requests - before.requests, rows: after.rows - before.rows };
    } finally {
      meter.close();
    }
  }

  async function plan(): Promise<void> {
    const { status, text } = await ada.tenant.query(SCAN, {}, 'plan');
    expect(status, text).to.equal(200);
  }

  it('has on disk that a request was made before the gateway answers it', async () => {
    expect(await metered('gateway', plan)).to.deep.equal({ requests: 1, rows: 0 });
  });

  it('has on disk what an engine read before it answers', async () => {
    const asked = async (): Promise<void> => {
      // The gateway has found out by then that Redis hangs, and waits for it no more; the engine has not.
      await plan();
      const { body, text } = await ada.tenant.query(SCAN);
      expect(body.data?.data, text).to.have.length(CUSTOMERS);
    };
    expect(await metered('query-engine-1', asked)).to.deep.equal({ requests: 2, rows: CUSTOMERS });
  });
});
