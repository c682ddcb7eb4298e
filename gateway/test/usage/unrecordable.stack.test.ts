/**
 * No answer goes out uncounted: the whole service with neither Redis nor a disk that could take its usage.
 *
 * Takes turns: engine and gateway are started again and again.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { RunningStack } from '../../../deploy/local/src/stack/stack.ts';
import { meteredOf, OWED_QUIET_MS, type Metered } from '../chaos/metered.ts';
import { CUSTOMERS, customerId, seedTenant, type ChaosTenant } from '../chaos/tenants.ts';
import { leaveScratch, scratchStack, STACK_START_TIMEOUT_MS } from '../e2e/support/stack.ts';

/** Redis, the disk, Redis once more, in the engine and then in the gateway: all of it is bounded. */
const REFUSED_MS_MAX = 5_000;
const RECOVERY_MS_MAX = 30_000;

const POINT = `SELECT name FROM shop.customers WHERE id = '${customerId(1)}'`;
const SCAN = 'SELECT id FROM shop.customers';

describe('with neither Redis nor a disk for usage', function () {
  this.timeout(120_000);
  let stack: RunningStack;
  let ada: ChaosTenant;

  const spoolOf = (part: string): string => join(stack.dataDir, 'services', part, 'usage-spool');

  /** A file stands where the folder should be: not even root can write there. */
  async function blockSpool(part: string): Promise<void> {
    const path = spoolOf(part);
    await rm(path, { recursive: true, force: true });
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, '');
  }

  before(async function () {
    this.timeout(2 * STACK_START_TIMEOUT_MS);
    stack = await scratchStack('one engine');
    await blockSpool('query-engine-1');
    await stack.restart('query-engine-1');
    ada = await seedTenant(stack, 'ada');
    await recovers();
  });
  after(async () => {
    ada?.account.close();
    for (const part of ['query-engine-1', 'gateway'])
      await rm(spoolOf(part), { recursive: true, force: true });
    await Promise.all(['query-engine-1', 'gateway'].map((part) => stack?.restart(part)));
    await leaveScratch(stack);
  });

  async function withoutRedis(work: () => Promise<void>): Promise<void> {
    const pid = stack.pid('redis')!;
    process.kill(pid, 'SIGSTOP');
    try {
      await work();
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  }

  /** Asks, and has to be refused with 503 and without rows. */
  async function refused(sql: string): Promise<void> {
    const started = Date.now();
    const { status, headers, body, text } = await ada.tenant.query(sql);
    expect(status, text).to.equal(503);
    expect(body.data, text).to.equal(undefined);
    expect(headers.get('retry-after')).to.match(/^\d+$/);
    expect(Date.now() - started).to.be.below(REFUSED_MS_MAX);
  }

  /** Asks until it is answered; gives how often it asked. */
  async function recovers(): Promise<number> {
    const deadline = Date.now() + RECOVERY_MS_MAX;
    for (let asked = 1; ; asked += 1) {
      if ((await ada.tenant.query(POINT)).status === 200) return asked;
      if (Date.now() > deadline) expect.fail('did not recover by itself');
      // Sleeps: each attempt counts.
      await pause(200);
    }
  }

  const metered = (work: () => Promise<void>): Promise<Metered> => meteredOf(stack, ada, work, OWED_QUIET_MS);

  it('refuses at the engine what only the engine cannot record, and meters what it read to the half unit', async () => {
    let asked = 0;
    const usage = await metered(async () => {
      await withoutRedis(async () => {
        for (const sql of [SCAN, POINT, SCAN]) await refused(sql);
        asked += 3;
      });
      asked += await recovers();
    });
    // Every request was let in by the gateway, which has a disk; only the last was answered, with one row.
    expect(usage).to.include({ requests: asked, rows: 1, halfUnits: usage.consumedHalfUnits });
    expect(usage.halfUnits).to.be.above(0);
  });

  it('reads once at most, then nothing, while the gateway cannot record either', async () => {
    await blockSpool('gateway');
    let asked = 0;
    const usage = await metered(async () => {
      await withoutRedis(async () => {
        await Promise.all([SCAN, SCAN, POINT].map(refused));
        for (const sql of [SCAN, POINT]) await refused(sql);
        asked += 5;
      });
      asked += await recovers();
      const { body } = await ada.tenant.query(SCAN);
      expect(body.data?.data).to.have.length(CUSTOMERS);
      asked += 1;
    });
    expect(usage).to.include({ rows: CUSTOMERS + 1, halfUnits: usage.consumedHalfUnits });
    // Requests that came once it was known were not let in, and are not counted.
    expect(usage.requests).to.be.within(2, asked);
  });
});
