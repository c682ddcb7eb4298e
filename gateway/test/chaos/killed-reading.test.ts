/** What a query had read is counted, also where its engine is killed in the middle. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { RunningStack } from '../../../deploy/local/src/stack/stack.ts';
import { requestsOf } from '../e2e/support/request-log.ts';
import { seedWide } from '../e2e/support/shop.ts';
import { discardStack, STACK_START_TIMEOUT_MS, startTestStack } from '../e2e/support/stack.ts';
import { meteredOf, type Metered } from './metered.ts';
import { streamed, type Streamed } from '../e2e/support/streamed.ts';
import { seededRandom } from './random.ts';
import { recovers } from './recovers.ts';
import { prepareStreams } from './streams/run-streams.ts';
import { seedTenant, type ChaosTenant } from './tenants.ts';

const SCAN = 'SELECT count(filler) FROM shop.wide';
const ONE = "SELECT id FROM shop.wide WHERE id = 'k000001'";
const ITEMS = 40;
const ITEM_BYTES = 100_000;
/** So slow that the engine waits between two pages. */
const UNITS_PER_SECOND = 64;
const PAUSE_MS = 500;
/** Of what is killed when; `make chaos-streams` takes others. */
const SEED = 20_261_126;

/** What was consumed, but for pages that were in flight when who asked for them was killed. */
const knowable = ({ consumedHalfUnits, unansweredHalfUnits }: Metered): number =>
  consumedHalfUnits - unansweredHalfUnits;

describe('an engine that is killed while it reads', function () {
  this.timeout(120_000);
  let stack: RunningStack;
  let ada: ChaosTenant;

  before(async function () {
    this.timeout(2 * STACK_START_TIMEOUT_MS);
    stack = await startTestStack({ queryEngines: 1 });
    ada = await seedTenant(stack, 'ada');
    await seedWide(ada.account, 'wide', ITEMS, ITEM_BYTES);
    await recovers(async () => (await ada.tenant.query(SCAN)).body.success);
  });
  after(async () => {
    ada?.account.close();
    if (stack !== undefined) await discardStack(stack);
  });

  const pages = async (): Promise<number> =>
    (await requestsOf(stack, ada.account)).filter(({ operation }) => operation === 'Scan').length;
  const limit = (readLimits: object | null) =>
    ada.tenant.call('PATCH', '/v1/schemas/shop', { json: { readLimits } });

  it('has on disk what every page cost that had come', async () => {
    await limit({ unitsPerSecond: UNITS_PER_SECOND });
    // Engines hear of it within five seconds.
    await pause(6_000);
    const metered = await meteredOf(stack, ada, async () => {
      const asked = ada.tenant.query(SCAN).catch(() => null);
      await recovers(async () => (await pages()) >= 2);
      await pause(PAUSE_MS);
      const killed = await pages();
      process.kill(stack.pid('query-engine-1')!, 'SIGKILL');
      await asked;
      expect(killed).to.be.within(2, 3);
    });
    expect(metered.consumedHalfUnits).to.be.at.least(2 * 2 * 100);
    expect(metered.halfUnits).to.equal(metered.consumedHalfUnits);
    await limit(null);
  });

  /** A stream that is slow enough to be met on the way, while `part` is killed. */
  const cut = async (part: string, accept: string) => {
    const headers = { authorization: `Bearer ${ada.tenant.token}`, accept };
    const sql = 'SELECT id, filler FROM shop.wide';
    let answer: Streamed | null = null;
    // Whoever was killed before is there again.
    await recovers(async () => (await ada.tenant.query(ONE)).body.success);
    const metered = await meteredOf(stack, ada, async () => {
      const asked = streamed(`${stack.baseUrl}/v1/query`, { sql }, headers);
      await recovers(async () => (await pages()) >= 2);
      await pause(PAUSE_MS);
      process.kill(stack.pid(part)!, 'SIGKILL');
      answer = await asked;
      // Who was killed is there again.
      await recovers(async () => (await ada.tenant.query(ONE)).body.success);
    });
    return { ...answer!, metered };
  };

  it('cuts a whole result, and what was read of it is counted', async () => {
    await limit({ unitsPerSecond: UNITS_PER_SECOND });
    await pause(6_000);
    const csv = await cut('query-engine-1', 'text/csv');
    expect([csv.status, csv.isWhole]).to.deep.equal([200, false]);
    expect(csv.metered.halfUnits).to.equal(knowable(csv.metered));
    const ndjson = await cut('query-engine-1', 'application/x-ndjson');
    expect(ndjson.isWhole).to.equal(false);
    expect(JSON.parse(ndjson.body.toString().trimEnd().split('\n').at(-1)!)).to.have.property('error');
    const lost = await cut('gateway', 'text/csv');
    expect([lost.status, lost.isWhole]).to.deep.equal([200, false]);
    expect(lost.metered.halfUnits).to.equal(knowable(lost.metered));
    await limit(null);
  });

  it('lets nobody take a broken stream for a whole one, in any format, whatever is killed', async () => {
    const streams = await prepareStreams(stack, 2);
    try {
      const report = await streams.run(6, ['query-engine-1', 'gateway', 'redis'], seededRandom(SEED));
      expect(report.wrong, JSON.stringify(report)).to.deep.equal([]);
    } finally {
      streams.close();
    }
  });

  it('records it once, whoever else records', async () => {
    const point = "SELECT name FROM shop.customers WHERE id = 'c01'";
    // Whoever names a table first has it sampled, which is no query's.
    await recovers(async () => (await ada.tenant.query(point)).body.success);
    const metered = await meteredOf(stack, ada, async () => {
      // Some are being read, some recorded, and some answered.
      const asking = Array.from({ length: 40 }, async (_, i) => {
        await pause(i * 10);
        await ada.tenant.query(point).catch(() => null);
      });
      await pause(150);
      process.kill(stack.pid('query-engine-1')!, 'SIGKILL');
      await Promise.all(asking);
      await recovers(async () => (await ada.tenant.query(SCAN)).body.success);
    });
    expect(metered.halfUnits).to.equal(knowable(metered));
  });
});
