/**
 * What a query had read is counted, also where its engine is killed in the middle.
 *
 * Takes long: an engine is killed some ten times, and takes seconds to come back.
 * Takes turns: for the same reason.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { RunningStack } from '../../../deploy/local/src/stack/stack.ts';
import { until } from '../../../services/common/test/support/until.ts';
import { faultsLeft, requestsOf, setFaults } from '../e2e/support/request-log.ts';
import { seedWide } from '../e2e/support/shop.ts';
import { leaveScratch, scratchStack, STACK_START_TIMEOUT_MS } from '../e2e/support/stack.ts';
import { isLong } from './long.ts';
import { meteredOf, type Metered } from './metered.ts';
import { streamed, type Streamed } from '../e2e/support/streamed.ts';
import { seededRandom } from './random.ts';
import { recovers } from './recovers.ts';
import { prepareStreams } from './streams/run-streams.ts';
import { seedTenant, type ChaosTenant } from './tenants.ts';

const SCAN = 'SELECT count(filler) FROM shop.wide';
const ALL = 'SELECT id, filler FROM shop.wide';
const ONE = "SELECT id FROM shop.wide WHERE id = 'k000001'";
/** Ten pages of a megabyte. */
const ITEMS = 100;
const ITEM_BYTES = 100_000;
/** More than a query asks for. */
const MANY = 1_000;
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
    stack = await scratchStack('one engine');
    ada = await seedTenant(stack, 'ada');
    await seedWide(ada.account, 'wide', ITEMS, ITEM_BYTES);
    await recovers(async () => (await ada.tenant.query(SCAN)).body.success);
  });
  after(async () => {
    ada?.account.close();
    await leaveScratch(stack);
  });

  const pages = async (): Promise<number> =>
    (await requestsOf(stack, ada.account)).filter(({ operation }) => operation === 'Scan').length;
  /** What has come until now is answered; what comes from now on waits. */
  const hold = (): Promise<void> =>
    setFaults(stack, [{ accountId: ada.account.accountId, operation: 'Scan', held: true, count: MANY }]);
  const hasCome = (): Promise<void> =>
    until(async () => (await faultsLeft(stack, ada.account.accountId)) < MANY, { what: 'a read' });
  /** Lets reads go on until at least two pages were answered, and whoever asked for them has asked for more. */
  async function readsTwoPages(): Promise<void> {
    do {
      await hasCome();
      await hold();
    } while ((await pages()) < 2);
    await hasCome();
  }
  const worksAgain = (): Promise<void> => recovers(async () => (await ada.tenant.query(ONE)).body.success);

  it('has on disk what every page cost that had come', async () => {
    const metered = await meteredOf(stack, ada, async () => {
      await hold();
      const asked = ada.tenant.query(SCAN).catch(() => null);
      await readsTwoPages();
      const answered = await pages();
      process.kill(stack.pid('query-engine-1')!, 'SIGKILL');
      await until(() => stack.pid('query-engine-1') === undefined);
      expect(answered).to.be.within(2, 4);
      expect(await pages()).to.equal(answered);
      await setFaults(stack, []);
      await asked;
    });
    expect(metered.consumedHalfUnits).to.be.at.least(2 * 2 * 100);
    expect(metered.halfUnits).to.equal(metered.consumedHalfUnits);
  });

  /** Streams that are met on the way, while `part` is killed. */
  const cut = async (part: string, accepts: readonly string[]) => {
    // Whoever was killed before is there again.
    await worksAgain();
    const answers: Streamed[] = [];
    const metered = await meteredOf(stack, ada, async () => {
      await hold();
      let begun = 0;
      const asked = accepts.map((accept) => {
        const headers = { authorization: `Bearer ${ada.tenant.token}`, accept };
        let isFirst = true;
        return streamed(`${stack.baseUrl}/v1/query`, { sql: ALL }, headers, () => {
          if (isFirst) begun += 1;
          isFirst = false;
        });
      });
      await readsTwoPages();
      while (begun < accepts.length) await readsTwoPages();
      process.kill(stack.pid(part)!, 'SIGKILL');
      answers.push(...(await Promise.all(asked)));
      await setFaults(stack, []);
      // Who was killed is there again.
      await worksAgain();
    });
    return { answers, metered };
  };

  it('cuts a whole result, and what was read of it is counted', async () => {
    const { answers, metered } = await cut('query-engine-1', ['text/csv', 'application/x-ndjson']);
    const [csv, ndjson] = answers;
    expect([csv!.status, csv!.isWhole]).to.deep.equal([200, false]);
    expect(ndjson!.isWhole).to.equal(false);
    expect(JSON.parse(ndjson!.body.toString().trimEnd().split('\n').at(-1)!)).to.have.property('error');
    expect(metered.halfUnits).to.equal(knowable(metered));
    const lost = await cut('gateway', ['text/csv']);
    expect([lost.answers[0]!.status, lost.answers[0]!.isWhole]).to.deep.equal([200, false]);
    expect(lost.metered.halfUnits).to.equal(knowable(lost.metered));
  });

  it('lets nobody take a broken stream for a whole one, in any format, whatever is killed', async () => {
    const streams = await prepareStreams(stack, 2);
    try {
      const report = await streams.run(
        isLong ? 24 : 3,
        ['query-engine-1', 'gateway', 'redis'],
        seededRandom(SEED),
      );
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
        // Sleeps: one after the other.
        await pause(i * 10);
        await ada.tenant.query(point).catch(() => null);
      });
      // Sleeps: amid them.
      await pause(150);
      process.kill(stack.pid('query-engine-1')!, 'SIGKILL');
      await Promise.all(asking);
      await worksAgain();
    });
    expect(metered.halfUnits).to.equal(knowable(metered));
  });
});
