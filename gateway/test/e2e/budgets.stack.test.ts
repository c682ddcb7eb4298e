/**
 * Budgets as an operator sets them and callers meet them, with engines and Redis killed meanwhile.
 *
 * Takes turns: engines are killed under the load of 200 clients.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { admin } from '../../../deploy/local/src/seed/admin.ts';
import type { RunningStack } from '../../../deploy/local/src/stack/stack.ts';
import { meteredOf } from '../chaos/metered.ts';
import { seedTenant, type ChaosTenant } from '../chaos/tenants.ts';
import { clearRequests, requestsOf } from './support/request-log.ts';
import { leaveScratch, scratchStack, STACK_START_TIMEOUT_MS } from './support/stack.ts';
import { newClient, tenantWith, ALL_SCOPES, type TestTenant } from './support/tenant.ts';

const SQL = "SELECT name FROM shop.customers WHERE id = 'c01'";
/** BUDGET_UNITS=1000 for the long form. */
const UNITS = Number(process.env['BUDGET_UNITS'] ?? 100);
const CLIENTS = 200;
/** Killed one after the other, in the long form twice, spread over the time that reading takes. */
const KILLED = ['query-engine-1', 'redis', 'query-engine-2'] as const;
const ROUNDS = Math.max(1, Math.floor(UNITS / 500));
const KILL_EVERY_MS = (UNITS * 5) / ROUNDS;
/** Until engines have heard of a change, milliseconds. */
const HEARD_MS = 4_000;
/** Queries of one tenant that an engine runs at the same time: each may have half a unit in flight when it is killed. */
const RUNNING = 48;

describe('budgets of read units', function () {
  this.timeout(STACK_START_TIMEOUT_MS + 240_000 * ROUNDS);
  let stack: RunningStack;
  let ada: ChaosTenant;
  let tenant: TestTenant;

  before(async () => {
    stack = await scratchStack('two engines');
    ada = await seedTenant(stack, 'ada');
    ({ tenant } = ada);
    expect((await tenant.query(SQL)).body.success).to.equal(true);
  });
  after(async () => {
    ada?.account.close();
    await leaveScratch(stack);
  });

  const budget = (verb: string, ...flags: string[]): Promise<unknown> =>
    admin(stack.dataDir, 'budget', verb, '--tenant', tenant.tenantId, ...flags);
  const spent = async (): Promise<number> =>
    (await requestsOf(stack, ada.account)).reduce((sum, { consumedUnits }) => sum + (consumedUnits ?? 0), 0);
  /** Of the day, as far as it is recorded. */
  const used = async (): Promise<number> => {
    const { body } = await tenant.call('GET', '/v1/usage/summary');
    return (body.data!['totals'] as { ddbReadUnits: number }).ddbReadUnits;
  };

  it('are set, shown and removed by the operator, and refused by name where they are nobody’s', async () => {
    const { clientId } = tenant.credentials;
    expect(await budget('set', '--day', '12.5', '--month', '100')).to.deep.include({
      unitsPerDay: 12.5,
      unitsPerMonth: 100,
    });
    await budget('set', '--client', clientId, '--month', '7');
    expect(await budget('show')).to.deep.equal({
      budgets: [
        { tenantId: tenant.tenantId, unitsPerDay: 12.5, unitsPerMonth: 100 },
        { tenantId: tenant.tenantId, clientId, unitsPerMonth: 7 },
      ],
      setByTenant: [],
    });
    await budget('remove', '--client', clientId);
    await budget('remove');
    expect(await budget('show')).to.deep.equal({ budgets: [], setByTenant: [] });
    for (const [flags, message] of [
      [['set', '--tenant', 'tnt_nobody', '--day', '1'], /There is no tenant tnt_nobody/],
      [['set', '--tenant', tenant.tenantId, '--client', 'nobody', '--day', '1'], /has no client nobody/],
      [['set', '--tenant', tenant.tenantId, '--day', '-1'], /--day/],
      [['set', '--tenant', tenant.tenantId], /--day, --month/],
      [['remove', '--tenant', tenant.tenantId], /There is no budget of/],
    ] as const) {
      const error: unknown = await admin(stack.dataDir, 'budget', ...flags).catch(
        (thrown: unknown) => thrown,
      );
      expect(String(error)).to.match(message);
    }
  });

  it(`of a day hold for ${CLIENTS} clients while engines and Redis are killed`, async () => {
    const before = await used();
    await budget('set', '--day', String(before + UNITS));
    // Sleeps: no answer shows that both engines have heard of it, and each query spends.
    await sleep(HEARD_MS);
    const client = async (): Promise<void> => {
      for (;;) {
        const { status, body } = await tenant
          .query(SQL)
          .catch(() => ({ status: 503, body: { success: false, error: '' } }));
        if (status === 200 && !body.success && /budget/.test(body.error ?? '')) return;
        // Most are told that the tenant asks for too much a second.
        // Sleeps: as clients do that were told so.
        if (status !== 200) await sleep(100 + 900 * Math.random());
      }
    };
    const killing = async (): Promise<void> => {
      for (let round = 0; round < ROUNDS; round++)
        for (const name of KILLED) {
          await sleep(KILL_EVERY_MS);
          process.kill(stack.pid(name)!, 'SIGKILL');
        }
    };
    const metered = await meteredOf(stack, ada, async () => {
      await Promise.all([killing(), ...Array.from({ length: CLIENTS }, client)]);
    });
    const inFlight = 2 * ROUNDS * RUNNING * 0.5;
    const read = metered.consumedHalfUnits / 2;
    expect(read).to.be.at.most(UNITS + inFlight);
    expect(read).to.be.at.least(UNITS - inFlight);
    expect(metered.halfUnits / 2).to.be.within(read - inFlight, read);
    await budget('remove');
  });

  it('of a client stop that client alone, and say so', async () => {
    const other = await tenantWith(
      stack,
      tenant.tenantId,
      await newClient(stack, tenant.tenantId, ALL_SCOPES),
    );
    await budget('set', '--client', other.credentials.clientId, '--month', '0.5');
    // Sleeps: no answer shows that both engines have heard of it, and each query spends.
    await sleep(HEARD_MS);
    expect((await other.query(SQL)).body.success).to.equal(true);
    await clearRequests(stack, ada.account);
    const { status, body } = await other.query(SQL);
    expect(status).to.equal(200);
    expect(body.error).to.equal('The budget of this client is 0.5 read units a month: 0.5 are used');
    expect(body.detailedError).to.match(/begins anew at \d{4}-\d\d-01T00:00:00\.000Z/);
    expect(await spent()).to.equal(0);
    expect((await other.query(SQL, {}, 'plan')).body.success).to.equal(true);
    expect((await tenant.query(SQL)).body.success).to.equal(true);
  });
});
