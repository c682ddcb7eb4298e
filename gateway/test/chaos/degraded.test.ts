/** One part away at a time: what does not need it goes on, what does says so fast, and all recovers by itself. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { RunningStack } from '../../../deploy/local/src/stack/stack.ts';
import { setFaults } from '../e2e/support/request-log.ts';
import { discardStack, STACK_START_TIMEOUT_MS, startTestStack } from '../e2e/support/stack.ts';
import type { HttpAnswer } from '../e2e/support/http.ts';
import type { QueryEnvelope } from '../e2e/support/tenant.ts';
import { meteredOf, type Metered } from './metered.ts';
import { recovers } from './recovers.ts';
import { CUSTOMERS, customerId, customerName, seedTenant, type ChaosTenant } from './tenants.ts';

/** Longer than any answer takes that does not wait for what is away, on a busy machine. */
const FAST_MS = 5_000;
/** Tokens that were verified are remembered for 5 seconds; then the keys are needed again. */
const BEYOND_MEMORY_MS = 5_500;
/** Of a table that it has just seen an engine asks nothing for three seconds. */
const NOT_ASKED_MS = 3_200;
/** Changes of a schema take effect within 5 seconds. */
const SCHEMA_CHANGE_MS_MAX = 5_500;
/** Three tries of five seconds each. */
const STS_MS_MAX = 15_000;
/** By how much engines that began together may differ in when they give up: the SDK waits at random between tries. */
const STS_BACKOFF_MS_MAX = 2_000;

const POINT = `SELECT name FROM shop.customers WHERE id = '${customerId(1)}'`;
const SCAN = 'SELECT id FROM shop.customers ORDER BY id';

describe('with one part of the service away', function () {
  this.timeout(120_000);
  let stack: RunningStack;
  let ada: ChaosTenant;
  let bob: ChaosTenant;

  before(async function () {
    this.timeout(2 * STACK_START_TIMEOUT_MS);
    stack = await startTestStack({ queryEngines: 2 });
    ada = await seedTenant(stack, 'ada');
    bob = await seedTenant(stack, 'bob');
    for (const client of [ada, bob]) await warm(client);
  });
  afterEach(() => setFaults(stack, []));
  after(async () => {
    for (const one of [ada, bob]) one?.account.close();
    if (stack !== undefined) await discardStack(stack);
  });

  /** Lets both engines know the tenant's tables as they are now, and have a session of its role. */
  async function warm({ tenant }: ChaosTenant): Promise<void> {
    for (let i = 0; i < 4; i += 1) for (const sql of [POINT, SCAN]) await rows(tenant.query(sql));
  }

  /** The engine was started again, and queries come to it: the gateway connects by itself, but not at once. */
  async function takesQueries(engine: string, killed: number | undefined): Promise<boolean> {
    if (stack.pid(engine) === killed) return false;
    await warm(ada);
    const metrics = await (await fetch(new URL('/metrics', stack.metricsUrls[engine]))).text();
    return Number(/^penstock_rows_returned_total(?:\{.*\})? (\d+)/m.exec(metrics)?.[1] ?? 0) > 0;
  }

  async function rows(asked: Promise<HttpAnswer<QueryEnvelope>>): Promise<unknown> {
    const { body, text } = await asked;
    expect(body.success, text).to.equal(true);
    return body.data?.data;
  }

  async function fast<T>(work: () => Promise<T>): Promise<T> {
    const started = Date.now();
    const result = await work();
    expect(Date.now() - started).to.be.lessThan(FAST_MS);
    return result;
  }

  async function frozen(part: string, work: () => Promise<void>): Promise<void> {
    const pid = stack.pid(part)!;
    process.kill(pid, 'SIGSTOP');
    try {
      await work();
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  }

  const metered = (work: () => Promise<void>): Promise<Metered> => meteredOf(stack, ada, work);

  const answersPoint = async ({ tenant }: ChaosTenant): Promise<boolean> =>
    (await tenant.query(POINT)).body.success;

  it('goes on checking tokens by the keys it knows while auth is away', () =>
    frozen('auth', async () => {
      await pause(BEYOND_MEMORY_MS);
      for (let i = 0; i < 4; i += 1) {
        const found = await fast(() => rows(ada.tenant.query(POINT)));
        expect(found).to.deep.equal([[customerName('ada', 1)]]);
      }
    }));

  it('queries what it has just seen while the registry is away, then refuses: a schema may have been disabled', async () => {
    // Both engines are to see it now: what they saw for an earlier test may be three seconds old, and serves for five.
    await pause(NOT_ASKED_MS);
    await warm(ada);
    await frozen('schema-registry', async () => {
      for (let i = 0; i < 4; i += 1) {
        const found = await fast(() => rows(ada.tenant.query(POINT)));
        expect(found).to.deep.equal([[customerName('ada', 1)]]);
      }
      // Beyond the time in which an engine does not even ask.
      await pause(NOT_ASKED_MS);
      for (const found of await Promise.all([0, 1].map(() => fast(() => rows(ada.tenant.query(POINT))))))
        expect(found).to.deep.equal([[customerName('ada', 1)]]);
      await pause(SCHEMA_CHANGE_MS_MAX);
      const impatient = await fast(() => ada.tenant.query(POINT, { timeoutMs: 1_000 }));
      expect(impatient.body.error, impatient.text).to.match(/took longer than 1000 ms/);
      const started = Date.now();
      const { status, headers, text } = await ada.tenant.query(POINT);
      expect(status, text).to.equal(503);
      expect(headers.get('retry-after')).to.match(/^\d+$/);
      expect(Date.now() - started).to.be.lessThan(2 * FAST_MS);
    });
    await recovers(() => answersPoint(ada));
  });

  it('says soon that a table which it does not know cannot be looked up while the registry is away', async () => {
    await frozen('schema-registry', async () => {
      const sql = "SELECT total FROM shop.orders WHERE customer_id = 'x'";
      const { status, body, headers, text } = await fast(() => bob.tenant.query(sql));
      expect(status, text).to.equal(503);
      expect(body.error).to.equal('The schema service did not answer in time; try again');
      expect(headers.get('retry-after')).to.match(/^\d+$/);
    });
    await recovers(() => answersPoint(bob));
  });

  it('runs a statement again when its engine is killed on the way, and meters the answer once', async () => {
    for (const engine of ['query-engine-1', 'query-engine-2']) {
      const killed = stack.pid(engine);
      const usage = await metered(async () => {
        await setFaults(stack, [{ accountId: ada.account.accountId, latencyMs: 1_500, count: 2 }]);
        // Two at once, one on each engine, so that the one that is killed is at work.
        const running = [0, 1].map(() => rows(ada.tenant.query(SCAN)));
        await pause(500);
        process.kill(killed!, 'SIGKILL');
        for (const found of await Promise.all(running)) expect(found).to.have.length(CUSTOMERS);
      });
      expect(usage).to.include({ requests: 2, rows: 2 * CUSTOMERS });
      expect(usage.halfUnits).to.be.at.most(usage.consumedHalfUnits);
      // The other one, which is killed next, is to be replaced by it.
      await recovers(() => takesQueries(engine, killed));
    }
  });

  it('waits for a slow STS, gives up on one that hangs, and leaves other tenants alone meanwhile', async () => {
    const late = await seedTenant(stack, 'cyd');
    // The registry has assumed its role then, to describe the table; engines, which read, have yet to.
    expect((await late.tenant.query(POINT, {}, 'plan')).status).to.equal(200);
    const sts = { accountId: late.account.accountId, operation: 'AssumeRole' };
    try {
      await setFaults(stack, [{ ...sts, latencyMs: 60_000 }]);
      const started = Date.now();
      const impatient = late.tenant.query(POINT, { timeoutMs: 3_000 });
      const patient = late.tenant.query(POINT);
      expect(await fast(() => rows(bob.tenant.query(POINT)))).to.deep.equal([[customerName('bob', 1)]]);
      const stopped = await impatient;
      expect(stopped.body.error, stopped.text).to.match(/^The query took longer than 3000 ms/);
      expect(Date.now() - started).to.be.lessThan(FAST_MS);
      const refused = await patient;
      expect(refused.status, refused.text).to.equal(503);
      expect(Date.now() - started).to.be.lessThan(STS_MS_MAX + FAST_MS);
      // Each engine asked by itself, and the next query shares what the other one may still be waiting for.
      await pause(STS_BACKOFF_MS_MAX);
      await setFaults(stack, [{ ...sts, latencyMs: 1_000 }]);
      expect(await rows(late.tenant.query(POINT))).to.deep.equal([[customerName('cyd', 1)]]);
    } finally {
      late.account.close();
    }
  });

  it('says that a table is throttled, to its tenant alone, meters nothing for it, and recovers at once', async () => {
    // Engines go on asking a table less often for a while: that of nobody else's tests.
    const dan = await seedTenant(stack, 'dan');
    await warm(dan);
    try {
      const usage = await meteredOf(stack, dan, async () => {
        const error = 'ProvisionedThroughputExceededException';
        await setFaults(stack, [{ accountId: dan.account.accountId, error }]);
        const refused = dan.tenant.query(POINT, { timeoutMs: 20_000 });
        expect(await fast(() => rows(bob.tenant.query(POINT)))).to.deep.equal([[customerName('bob', 1)]]);
        const { status, body, text } = await refused;
        expect(status, text).to.equal(200);
        expect(body.error).to.match(/^DynamoDB throttles reads of shop\.customers/);
        await setFaults(stack, []);
        expect(await rows(dan.tenant.query(POINT))).to.deep.equal([[customerName('dan', 1)]]);
      });
      expect(usage).to.include({ requests: 2, rows: 1 });
      expect(usage.halfUnits).to.equal(usage.consumedHalfUnits);
    } finally {
      dan.account.close();
    }
  });

  for (const error of ['ProvisionedThroughputExceededException', 'InternalServerError']) {
    it(`queries what it has just seen, and says UNAVAILABLE elsewhere, while the control plane has ${error}`, async () => {
      await warm(ada);
      await setFaults(stack, [{ accountId: stack.serviceAccountId, error }]);
      expect(await fast(() => rows(ada.tenant.query(POINT)))).to.deep.equal([[customerName('ada', 1)]]);
      for (const path of ['/v1/schemas', '/v1/usage/summary']) {
        const started = Date.now();
        const answer = await ada.tenant.call('GET', path);
        expect(Date.now() - started).to.be.lessThan(2 * FAST_MS);
        expect(answer.status, answer.text).to.equal(503);
        expect(answer.body.error?.code).to.equal('UNAVAILABLE');
      }
      await setFaults(stack, []);
      await recovers(async () => (await ada.tenant.call('GET', '/v1/usage/summary')).status === 200);
    });
  }

  it('takes no longer than usual with a Redis that answers late', async () => {
    // Stopped and continued over and over: slow, but there.
    const stutter = new AbortController();
    const stuttering = (async () => {
      const pid = stack.pid('redis')!;
      while (!stutter.signal.aborted) {
        process.kill(pid, 'SIGSTOP');
        await pause(120);
        process.kill(pid, 'SIGCONT');
        await pause(30);
      }
    })();
    const usage = await metered(async () => {
      for (let i = 0; i < 6; i += 1) await fast(() => rows(ada.tenant.query(POINT)));
      stutter.abort();
      await stuttering;
    });
    expect(usage).to.include({ requests: 6, rows: 6 });
    expect(usage.halfUnits).to.equal(usage.consumedHalfUnits);
  });
});
