import { expect } from 'chai';
import type { CustomerAccount } from '../../../deploy/local/src/seed/customer-account.ts';
import type { RunningStack } from '../../../deploy/local/src/stack/stack.ts';
import { until } from '../../../services/common/test/support/until.ts';
import { http } from './support/http.ts';
import { newShop } from './support/shop.ts';
import { leaveScratch, scratchStack, STACK_START_TIMEOUT_MS } from './support/stack.ts';
import type { TestTenant } from './support/tenant.ts';

/** Longer than any answer may take when a part is away: it must fail fast, not by the query's own timeout. */
const FAST_MS = 5_000;

const SQL = "SELECT name FROM shop.customers WHERE id = 'c1'";

describe('with a part of the service away', function () {
  this.timeout(STACK_START_TIMEOUT_MS);
  let stack: RunningStack;
  let tenant: TestTenant;
  let account: CustomerAccount;

  before(async () => {
    stack = await scratchStack('one engine');
    ({ tenant, account } = await newShop(stack));
    expect((await tenant.query(SQL)).body.success).to.equal(true);
  });
  after(async () => {
    account?.close();
    await leaveScratch(stack);
  });

  /** Stops a process where it stands: it neither answers nor closes its connections, the worst way to be away. */
  async function frozen(name: string, work: () => Promise<void>): Promise<void> {
    const pid = stack.pid(name)!;
    process.kill(pid, 'SIGSTOP');
    try {
      await work();
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  }

  async function recovers(check: () => Promise<boolean>): Promise<void> {
    await until(() => check().catch(() => false));
  }

  it('answers queries while Redis is away, quickly, and counts them when it is back', async () => {
    const before = await requests();
    await frozen('redis', async () => {
      for (let i = 0; i < 3; i += 1) {
        const started = Date.now();
        const answer = await tenant.query(SQL);
        expect(answer.body.data?.data, answer.text).to.deep.equal([['Ada m']]);
        expect(Date.now() - started).to.be.lessThan(FAST_MS);
      }
    });
    await recovers(async () => (await requests()) === before + 3);
  });

  it('comes back by itself when a process is killed, and says UNAVAILABLE meanwhile', async () => {
    for (const name of ['query-engine-1', 'schema-registry', 'usage-metering', 'auth']) {
      process.kill(stack.pid(name)!, 'SIGKILL');
      const started = Date.now();
      const answers = await Promise.all([
        tenant.query(SQL),
        tenant.call('GET', '/v1/schemas'),
        tenant.call('GET', '/v1/usage/summary'),
        http('POST', `${stack.baseUrl}/v1/auth/token`, { json: tenant.credentials }),
      ]);
      expect(Date.now() - started, name).to.be.lessThan(FAST_MS);
      for (const answer of answers) {
        expect(answer.status, `${name}: ${answer.text}`).to.be.oneOf([200, 503]);
        expect(answer.body, answer.text).to.have.property('success', answer.status === 200);
        if (answer.status === 503) expect(answer.headers.get('retry-after')).to.match(/^\d+$/);
        expect(answer.text).to.not.match(/ECONN|127\.0\.0\.1|grpc|\.ts:/i);
      }
      await recovers(async () => {
        const [query, token] = [
          await tenant.query(SQL),
          await http('POST', `${stack.baseUrl}/v1/auth/token`, { json: tenant.credentials }),
        ];
        const rest = await Promise.all([
          tenant.call('GET', '/v1/schemas'),
          tenant.call('GET', '/v1/usage/summary'),
        ]);
        return query.body.success && token.status === 200 && rest.every((answer) => answer.status === 200);
      });
    }
  });

  it('fails fast, not by hanging, when a service is there but does not answer', async () => {
    // Side by side: each waits until its call has taken too long, and its answer names the part that it waited for.
    await Promise.all(
      (
        [
          ['schema-registry', 'schema', () => tenant.call('GET', '/v1/schemas')],
          ['usage-metering', 'usage', () => tenant.call('GET', '/v1/usage/summary')],
          [
            'auth',
            'auth',
            () => http('POST', `${stack.baseUrl}/v1/auth/token`, { json: tenant.credentials }),
          ],
        ] as const
      ).map(async ([name, service, request]) => {
        await frozen(name, async () => {
          const started = Date.now();
          const answer = await request();
          expect(answer.status, `${name}: ${answer.text}`).to.equal(503);
          expect(answer.text, name).to.include(`The ${service} service`);
          expect(Date.now() - started, name).to.be.lessThan(3 * FAST_MS);
        });
        await recovers(async () => (await request()).status === 200);
      }),
    );
  });

  it('recovers when the whole gateway is killed', async () => {
    process.kill(stack.pid('gateway')!, 'SIGKILL');
    await recovers(async () => (await tenant.query(SQL)).body.success);
  });

  async function requests(): Promise<number> {
    const answer = await tenant.call('GET', '/v1/usage/summary');
    return (answer.body.data!['totals'] as { requests: number }).requests;
  }
});
