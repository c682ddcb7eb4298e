/**
 * Parts whose clocks do not agree: what they tell each other of time is lifetimes, and what they check has room.
 *
 * Takes turns: all parts are started again for each clock.
 */
import { expect } from 'chai';
import type { RunningStack } from '../../../../deploy/local/src/stack/stack.ts';
import { http } from '../../e2e/support/http.ts';
import { leaveScratch, scratchStack, STACK_START_TIMEOUT_MS } from '../../e2e/support/stack.ts';
import { tenantWith, tokenOf, type Envelope, type TestTenant } from '../../e2e/support/tenant.ts';
import { mcpToken, post, toolCall } from '../../mcp/support/mcp.ts';
import { isLong } from '../long.ts';
import { meteredOf, type Metered } from '../metered.ts';
import { recovers } from '../recovers.ts';
import { CUSTOMERS, customerId, customerName, seedTenant, type ChaosTenant } from '../tenants.ts';
import { setClocks } from './set-clocks.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Who signs tokens, one engine of two, and both who add usage up; all others go right. */
const OFF = ['auth', 'query-engine-1', 'usage-metering', 'usage-worker'];
const ENGINES = ['query-engine-1', 'query-engine-2'];
const ROUNDS_MAX = 40;

const POINT = `SELECT name FROM shop.customers WHERE id = '${customerId(1)}'`;
const SCAN = 'SELECT id FROM shop.customers ORDER BY id';

describe('with clocks that are off', function () {
  this.timeout(120_000);
  let stack: RunningStack;
  let ada: ChaosTenant;

  before(async function () {
    this.timeout(2 * STACK_START_TIMEOUT_MS);
    stack = await scratchStack('two engines');
    ada = await seedTenant(stack, 'ada');
  });
  after(async () => {
    ada?.account.close();
    await leaveScratch(stack);
  });

  /** Statements that an engine was asked to run since it started. */
  async function executed(engine: string): Promise<number> {
    const text = await (await fetch(stack.metricsUrls[engine]!)).text();
    const counts = [
      ...text.matchAll(/^penstock_rpc_server_duration_seconds_count\{[^}]*\/Execute"[^}]*\} (\d+)/gm),
    ];
    return counts.reduce((sum, [, count]) => sum + Number(count), 0);
  }

  const metered = (work: () => Promise<void>): Promise<Metered> => meteredOf(stack, ada, work);

  /** A point read and a scan, over REST and over MCP. */
  async function round(tenant: TestTenant, mcp: string): Promise<void> {
    const point = await tenant.query(POINT);
    expect(point.body.data?.data, point.text).to.deep.equal([[customerName('ada', 1)]]);
    const scan = await tenant.query(SCAN);
    expect(scan.body.data?.data, scan.text).to.have.length(CUSTOMERS);
    const told = await post(stack, mcp, toolCall('run_sql', { sql: POINT }));
    expect(told.text).to.include(customerName('ada', 1));
  }

  async function total(tenant: TestTenant): Promise<Readonly<Record<string, unknown>>> {
    // Days enough for whichever day it is by whichever clock.
    const day = (ms: number): string => new Date(Date.now() + ms).toISOString().slice(0, 10);
    const range = `startDate=${day(-24 * HOUR_MS)}&endDate=${day(24 * HOUR_MS)}`;
    const answer = await tenant.call('GET', `/v1/usage/summary?${range}`);
    expect(answer.status, answer.text).to.equal(200);
    return answer.body.data?.['totals'] as Readonly<Record<string, unknown>>;
  }

  async function goesOn(shiftMs: number): Promise<void> {
    await setClocks(stack, OFF, shiftMs);
    await recovers(async () => (await tokenOf(stack, ada.tenant.credentials)) !== '');
    await recovers(async () => (await ada.tenant.query(POINT)).body.success);
    // By a connection of its own, which auth's restart broke too.
    await recovers(async () => (await mcpToken(stack, ada.tenant.credentials)) !== '');
    // Whoever was given a token before, and whoever gets one now.
    const { credentials, tenantId } = ada.tenant;
    const late = await tenantWith(stack, tenantId, credentials);
    const issued = await http<Envelope>('POST', `${stack.baseUrl}/v1/auth/token`, { json: credentials });
    const refreshToken = issued.body.data?.['refreshToken'];
    const refreshed = await http<Envelope>('POST', `${stack.baseUrl}/v1/auth/refresh`, {
      json: { refreshToken },
    });
    const token = refreshed.body.data?.['accessToken'] as string;
    const mcp = await mcpToken(stack, credentials);

    const before = await total(late);
    let rounds = 0;
    const usage = await metered(async () => {
      const started = await Promise.all(ENGINES.map(executed));
      const busy = async (): Promise<boolean> =>
        (await Promise.all(ENGINES.map(executed))).every((count, i) => count - started[i]! >= 3);
      do {
        await round(rounds % 2 === 0 ? late : ada.tenant, mcp);
        rounds += 1;
      } while (rounds < ROUNDS_MAX && !(await busy()));
      expect(await busy(), 'both engines were asked').to.equal(true);
      const answer = await late.call('GET', '/v1/schemas', { token });
      expect(answer.status, answer.text).to.equal(200);
    });
    expect(usage).to.include({ requests: 3 * rounds, rows: (2 + CUSTOMERS) * rounds });
    expect(usage.halfUnits).to.equal(usage.consumedHalfUnits);
    const after = await total(late);
    for (const [name, added] of [
      ['requests', usage.requests],
      ['rowsReturned', usage.rows],
    ] as const)
      expect(after[name]).to.equal((before[name] as number) + added);
  }

  it('refuses a token once its hour is over by the clock of who checks it, and takes it until then', async () => {
    const token = await tokenOf(stack, ada.tenant.credentials);
    const ask = async (): Promise<number> => {
      await recovers(async () => (await ada.tenant.call('GET', '/v1/schemas', { token })).status !== 503);
      return (await ada.tenant.call('GET', '/v1/schemas', { token })).status;
    };
    await setClocks(stack, ['gateway'], HOUR_MS - MINUTE_MS);
    expect(await ask()).to.equal(200);
    await setClocks(stack, ['gateway'], HOUR_MS);
    // Clocks may be two seconds apart.
    await recovers(async () => (await ask()) === 401);
    expect(await ask()).to.equal(401);
    await setClocks(stack, ['gateway'], 0);
  });

  if (isLong) it('goes on with parts whose clocks are a minute ahead', () => goesOn(MINUTE_MS));

  it('goes on with parts whose clocks are a minute behind', () => goesOn(-MINUTE_MS));
});
