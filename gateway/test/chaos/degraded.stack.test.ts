/**
 * One part away at a time: what does not need it goes on, what does says so fast, and all recovers by itself.
 *
 * Takes turns: each part is taken away, waited for, and started again.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { RunningStack } from '../../../deploy/local/src/stack/stack.ts';
import { until, untilSome } from '../../../services/common/test/support/until.ts';
import { faultsLeft, setFaults, type Fault } from '../e2e/support/request-log.ts';
import { leaveScratch, scratchStack, STACK_START_TIMEOUT_MS } from '../e2e/support/stack.ts';
import type { HttpAnswer } from '../e2e/support/http.ts';
import { tenantWith, type QueryEnvelope } from '../e2e/support/tenant.ts';
import { isLong } from './long.ts';
import { meteredOf, type Metered } from './metered.ts';
import { recovers } from './recovers.ts';
import { CUSTOMERS, customerId, customerName, seedTenant, type ChaosTenant } from './tenants.ts';

/** Longer than any answer takes that does not wait for what is away, on a busy machine. */
const FAST_MS = 5_000;
/** For so long what an engine saw may serve while the registry does not answer, less what it waits for that first. */
const MAY_SERVE_MS = 4_400;
/** Of a table that it has just seen an engine asks nothing for three seconds. */
const NOT_ASKED_MS = 3_200;
/** And then for so long until what it saw may serve no more: changes of a schema take effect within 5 seconds. */
const THEN_STALE_MS = 2_000;
/** Long enough for an engine to have been throttled several times. */
const THROTTLED_MS = isLong ? 20_000 : 5_000;
/** Three tries of five seconds each. */
const STS_MS_MAX = 15_000;

const POINT = `SELECT name FROM shop.customers WHERE id = '${customerId(1)}'`;
const SCAN = 'SELECT id FROM shop.customers ORDER BY id';

describe('with one part of the service away', function () {
  this.timeout(120_000);
  let stack: RunningStack;
  let ada: ChaosTenant;
  let bob: ChaosTenant;

  before(async function () {
    this.timeout(2 * STACK_START_TIMEOUT_MS);
    stack = await scratchStack('two engines');
    ada = await seedTenant(stack, 'ada');
    bob = await seedTenant(stack, 'bob');
    for (const client of [ada, bob]) await warm(client);
  });
  /** What a test lets last beyond its own faults. */
  let lasting: readonly Fault[] = [];
  const faults = (own: readonly Fault[]): Promise<void> => setFaults(stack, [...lasting, ...own]);
  afterEach(() => faults([]));
  after(async () => {
    for (const one of [ada, bob]) one?.account.close();
    await leaveScratch(stack);
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

  /** Whether the gateway said last that it cannot read the list of revocations. */
  async function missesRevocations(): Promise<boolean> {
    const log = await readFile(join(stack.dataDir, 'logs', 'gateway.log'), 'utf8');
    const told = log.match(/revocations can(?:not be read| be read again)/g) ?? [];
    return told.at(-1) === 'revocations cannot be read';
  }

  it('runs a statement again when its engine is killed on the way, and meters the answer once', async () => {
    for (const engine of isLong ? ['query-engine-1', 'query-engine-2'] : ['query-engine-1']) {
      const killed = stack.pid(engine);
      const usage = await metered(async () => {
        const { accountId } = ada.account;
        await faults([{ accountId, held: true, count: 2 }]);
        // Two at once, one on each engine, so that the one that is killed is at work.
        const running = [0, 1].map(() => rows(ada.tenant.query(SCAN)));
        await until(async () => (await faultsLeft(stack, accountId)) === 0);
        process.kill(killed!, 'SIGKILL');
        await until(() => stack.pid(engine) !== killed);
        await faults([]);
        for (const found of await Promise.all(running)) expect(found).to.have.length(CUSTOMERS);
      });
      expect(usage).to.include({ requests: 2, rows: 2 * CUSTOMERS });
      expect(usage.halfUnits).to.be.at.most(usage.consumedHalfUnits);
      // The other one, which is killed next, is to be replaced by it.
      await recovers(() => takesQueries(engine, killed));
    }
  });

  describe('and STS hanging for a tenant of its own', () => {
    interface Timed {
      readonly answer: HttpAnswer<QueryEnvelope>;
      readonly tookMs: number;
    }
    const timed = async ({ tenant }: ChaosTenant, options = {}): Promise<Timed> => {
      const started = Date.now();
      const answer = await tenant.query(POINT, options);
      return { answer, tookMs: Date.now() - started };
    };
    let late: ChaosTenant;
    let hangs: Fault;
    /** Begun before the other tests and looked at after them, since it takes as long as they do. */
    let asked: Readonly<Record<'impatient' | 'patient' | 'neighbor', Promise<Timed>>>;

    before(async () => {
      late = await seedTenant(stack, 'cyd');
      // The registry has assumed its role then, to describe the table; engines, which read, have yet to.
      expect((await late.tenant.query(POINT, {}, 'plan')).status).to.equal(200);
      hangs = { accountId: late.account.accountId, operation: 'AssumeRole', latencyMs: 60_000 };
      lasting = [hangs];
      await faults([]);
      asked = { impatient: timed(late, { timeoutMs: 3_000 }), patient: timed(late), neighbor: timed(bob) };
    });
    after(() => {
      lasting = [];
      late?.account.close();
    });

    it('goes on checking tokens by the keys it knows while auth is away', async () => {
      const { tenantId, credentials } = ada.tenant;
      // Nobody has seen them: a token that was just verified would do without keys.
      const unseen = await Promise.all([0, 1, 2, 3].map(() => tenantWith(stack, tenantId, credentials)));
      await frozen('auth', async () => {
        await until(missesRevocations);
        for (const tenant of unseen) {
          const found = await fast(() => rows(tenant.query(POINT)));
          expect(found).to.deep.equal([[customerName('ada', 1)]]);
        }
      });
    });

    it('queries what it has just seen while the registry is away, then refuses: a schema may have been disabled', async () => {
      // One that both engines see now for the first time: what they saw for an earlier test may be three seconds old.
      const eve = await seedTenant(stack, 'eve');
      const found = [[customerName('eve', 1)]];
      const seenFrom = Date.now();
      await warm(eve);
      const serves = async (): Promise<void> => {
        const { body, text } = await fast(() => eve.tenant.query(POINT));
        // Where the machine took longer, it may serve no more.
        if (Date.now() - seenFrom < MAY_SERVE_MS) expect(body.data?.data, text).to.deep.equal(found);
      };
      await frozen('schema-registry', async () => {
        for (let i = 0; i < 4; i += 1) await serves();
        // Sleeps: beyond the time in which an engine does not even ask.
        await pause(NOT_ASKED_MS);
        await Promise.all([serves(), serves()]);
        // Sleeps: until then, asking would be answered.
        await pause(THEN_STALE_MS);
        const started = Date.now();
        const patient = eve.tenant.query(POINT);
        const impatient = await fast(() => eve.tenant.query(POINT, { timeoutMs: 1_000 }));
        expect(impatient.body.error, impatient.text).to.match(/took longer than 1000 ms/);
        const { status, headers, text } = await patient;
        expect(status, text).to.equal(503);
        expect(headers.get('retry-after')).to.match(/^\d+$/);
        expect(Date.now() - started).to.be.lessThan(2 * FAST_MS);
      });
      await recovers(() => answersPoint(eve));
      eve.account.close();
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

    it('says that a table is throttled, to its tenant alone, meters nothing for it, and recovers at once', async () => {
      // Engines go on asking a table less often for a while: that of nobody else's tests.
      const dan = await seedTenant(stack, 'dan');
      await warm(dan);
      try {
        const usage = await meteredOf(stack, dan, async () => {
          const error = 'ProvisionedThroughputExceededException';
          await faults([{ accountId: dan.account.accountId, error }]);
          const refused = dan.tenant.query(POINT, { timeoutMs: THROTTLED_MS });
          expect(await fast(() => rows(bob.tenant.query(POINT)))).to.deep.equal([[customerName('bob', 1)]]);
          const { status, body, text } = await refused;
          expect(status, text).to.equal(200);
          expect(body.error).to.match(/^DynamoDB throttles reads of shop\.customers/);
          await faults([]);
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
        await faults([{ accountId: stack.serviceAccountId, error }]);
        expect(await fast(() => rows(ada.tenant.query(POINT)))).to.deep.equal([[customerName('ada', 1)]]);
        const started = Date.now();
        const asked = ['/v1/schemas', '/v1/usage/summary'].map((path) => ada.tenant.call('GET', path));
        for (const answer of await Promise.all(asked)) {
          expect(answer.status, answer.text).to.equal(503);
          expect(answer.body.error?.code).to.equal('UNAVAILABLE');
        }
        expect(Date.now() - started).to.be.lessThan(2 * FAST_MS);
        await faults([]);
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
          // Sleeps: less than is waited for Redis.
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

    it('waits for a slow STS, gives up on one that hangs, and leaves other tenants alone meanwhile', async () => {
      const [impatient, patient, neighbor] = [
        await asked.impatient,
        await asked.patient,
        await asked.neighbor,
      ];
      expect(await rows(Promise.resolve(neighbor.answer))).to.deep.equal([[customerName('bob', 1)]]);
      expect(neighbor.tookMs).to.be.lessThan(FAST_MS);
      const stopped = impatient.answer;
      expect(stopped.body.error, stopped.text).to.match(/^The query took longer than 3000 ms/);
      expect(impatient.tookMs).to.be.lessThan(FAST_MS);
      expect(patient.answer.status, patient.answer.text).to.equal(503);
      expect(patient.tookMs).to.be.lessThan(STS_MS_MAX + FAST_MS);
      lasting = [{ ...hangs, latencyMs: 1_000 }];
      await faults([]);
      // Each engine asked by itself, and the next query shares what the other one may still be waiting for.
      const next = await untilSome(async () => {
        const answer = await late.tenant.query(POINT);
        return answer.status === 503 ? null : answer;
      });
      expect(await rows(Promise.resolve(next))).to.deep.equal([[customerName('cyd', 1)]]);
    });
  });
});
