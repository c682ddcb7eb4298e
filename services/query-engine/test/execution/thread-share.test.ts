import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ReadBatch } from '../../src/dynamodb/read-table.ts';
import { createAdmission, type Place } from '../../src/scheduling/admission.ts';
import { openSession } from '../../src/execution/session/session.ts';
import { createThreadShares } from '../../src/execution/thread-share.ts';
import { createUnitMeter } from '../../src/execution/unit-meter.ts';
import { PAGES_IN_FLIGHT, SHORT_QUERY_UNITS_MAX, TENANT_SHARE_PERCENT } from '../../src/limits.ts';
import { classBounds } from '../scheduling/class-bounds.ts';
import { testDatabase } from './tables.ts';

const never = new AbortController().signal;
/** Minutes of work. */
const ENDLESS = 'SELECT count(*) FROM range(1000000) a, range(1000000) b WHERE a.range * b.range % 7 = 3';

describe('shares of the process', () => {
  /** libuv's pool as it is by itself. */
  const poolThreads = 4;

  async function begin(tenantSharePercent = TENANT_SHARE_PERCENT) {
    const admission = createAdmission(classBounds());
    const shares = createThreadShares({ poolThreads, tenantSharePercent, admission });
    const query = async (tenantId: string, workloadClass: Place['workloadClass']) => {
      const place = await admission.enter(tenantId, never);
      if (workloadClass === 'long') await place.promote();
      return { place, share: shares.of(tenantId, place) };
    };
    return { admission, query };
  }

  it('leave threads for checking tokens however many long statements run', async function () {
    this.timeout(90_000);
    const { query } = await begin();
    const database = testDatabase();
    const over = new AbortController();
    let ended = 0;
    const sessions = await Promise.all(
      ['a', 'b', 'c', 'd', 'e'].map(async (tenantId) => {
        const { share } = await query(tenantId, 'long');
        const { enterStatement } = share;
        return openSession(database, { signal: over.signal, columnNames: new Map(), enterStatement });
      }),
    );
    const running = sessions.map((session) =>
      session.run(ENDLESS).then(
        () => ended++,
        () => ended++,
      ),
    );
    try {
      // Sleeps: endless statements take all threads that they get meanwhile.
      await sleep(100);
      const deadline = AbortSignal.timeout(10_000);
      const hashed = crypto.subtle.digest('SHA-256', Buffer.from('token'));
      const late = new Promise((resolve) => deadline.addEventListener('abort', () => resolve('late')));
      expect(await Promise.race([hashed.then(() => 'checked'), late])).to.equal('checked');
      expect(ended).to.equal(0);
    } finally {
      over.abort(new Error('enough'));
      await Promise.all(running);
      for (const session of sessions) session.close();
      await database.close();
    }
  });

  it('bound the pages of long queries, and leave some to the next tenant; short ones ask for theirs at once', async () => {
    const { query } = await begin();
    const { share: scan } = await query('a', 'long');
    let entered = 0;
    for (let i = 0; i < 2 * PAGES_IN_FLIGHT; i++) void scan.enterPage(never).then(() => entered++);
    await sleep(0);
    expect(entered).to.equal(PAGES_IN_FLIGHT * 0.75);
    await (await query('b', 'long')).share.enterPage(never);
    const { share: read } = await query('a', 'short');
    await read.enterPage(never);
  });

  it('give a tenant the percent of pages and statements that is set', async () => {
    const { query } = await begin(25);
    const { share } = await query('a', 'long');
    let pages = 0;
    for (let i = 0; i < 2 * PAGES_IN_FLIGHT; i++) void share.enterPage(never).then(() => pages++);
    let statements = 0;
    for (let i = 0; i < poolThreads; i++) void share.enterStatement(never).then(() => statements++);
    await sleep(0);
    expect([pages, statements]).to.deep.equal([PAGES_IN_FLIGHT / 4, 1]);
  });

  it("leave a thread to the next tenant, and one to checking tokens, whatever a tenant's short statements do", async () => {
    const { query } = await begin();
    const entered: string[] = [];
    const enter = async (tenantId: string, workloadClass: Place['workloadClass']): Promise<void> => {
      const { share } = await query(tenantId, workloadClass);
      void share.enterStatement(never).then(() => entered.push(`${tenantId} ${workloadClass}`));
    };
    await enter('a', 'long');
    for (let i = 0; i < poolThreads; i++) await enter('a', 'short');
    await sleep(0);
    expect(entered).to.deep.equal(['a long', 'a short']);
    await enter('b', 'short');
    await enter('c', 'short');
    await sleep(0);
    expect(entered).to.deep.equal(['a long', 'a short', 'b short']);
  });

  it('hand the place of a statement that is given up to the next one', async () => {
    const { query } = await begin();
    const { share } = await query('a', 'long');
    const leave = await share.enterStatement(never);
    const over = new AbortController();
    const waiting = share.enterStatement(over.signal).catch((error: unknown) => error);
    const reason = new Error('gone');
    over.abort(reason);
    expect(await waiting).to.equal(reason);
    leave();
    (await share.enterStatement(never))();
  });

  it('make a query long once it has read more than a short one may', async () => {
    const { admission, query } = await begin();
    const { place, share } = await query('a', 'short');
    const meter = createUnitMeter();
    const batch: ReadBatch = { segment: 0, batch: { rowCount: 1, columns: [] } };
    const classes: string[] = [];
    const batches = (async function* () {
      meter.add(SHORT_QUERY_UNITS_MAX * 2);
      yield batch;
      meter.add(1);
      yield batch;
    })();
    for await (const _ of share.whileShort(batches, meter)) classes.push(place.workloadClass);
    expect(classes).to.deep.equal(['short', 'long']);
    expect([admission.runningShort, admission.running]).to.deep.equal([0, 1]);
  });
});
