/** More than can be done: what is beyond the queues is refused at once, and no tenant takes the places of others. */
import { expect } from 'chai';
import type { RunningStack } from '../../../deploy/local/src/stack/stack.ts';
import { until } from '../../../services/common/test/support/until.ts';
import type { HttpAnswer } from '../e2e/support/http.ts';
import { setFaults } from '../e2e/support/request-log.ts';
import { leaveScratch, scratchStack, STACK_START_TIMEOUT_MS } from '../e2e/support/stack.ts';
import type { QueryEnvelope } from '../e2e/support/tenant.ts';
import { openMeter } from './metered.ts';
import { customerId, customerName, seedTenant, type ChaosTenant } from './tenants.ts';

const POINT = `SELECT name FROM shop.customers WHERE id = '${customerId(1)}'`;
/** More than an engine runs of one tenant (48) and lets wait (128). */
const FLOOD = 300;
const ROOM = 176;
/** For the whole flood to have arrived, on a busy machine. */
const ARRIVED_MS_MAX = 30_000;
/** What the other tenant waits for its row at most, beside a flood that does not move. */
const AT_ONCE_MS = 2_000;

const countOf = (all: readonly string[], one: string): number => all.filter((other) => other === one).length;

describe('with more asked than can be done', function () {
  this.timeout(120_000);
  let stack: RunningStack;
  let ada: ChaosTenant;
  let bob: ChaosTenant;

  before(async function () {
    this.timeout(2 * STACK_START_TIMEOUT_MS);
    stack = await scratchStack('one engine');
    ada = await seedTenant(stack, 'ada');
    bob = await seedTenant(stack, 'bob');
    for (const { tenant } of [ada, bob]) expect((await tenant.query(POINT)).body.success).to.equal(true);
  });
  afterEach(() => setFaults(stack, []));
  after(async () => {
    for (const one of [ada, bob]) one?.account.close();
    await leaveScratch(stack);
  });

  const ask = ({ tenant }: ChaosTenant, options = {}): Promise<HttpAnswer<QueryEnvelope>> =>
    tenant.query(POINT, options);

  interface Flood {
    readonly answers: readonly HttpAnswer<QueryEnvelope>[];
    /** How many had been answered while the table still kept all others waiting. */
    readonly answeredAtOnce: number;
    /** What another tenant was answered meanwhile. */
    readonly other: HttpAnswer<QueryEnvelope>;
    readonly requests: number;
    readonly rows: number;
  }

  /** One tenant's statements, all held by its table until another tenant has asked. */
  async function makeFlood(): Promise<Flood> {
    const meter = openMeter(stack);
    try {
      const before = (await meter.settled([ada])).get(ada)!;
      await setFaults(stack, [{ accountId: ada.account.accountId, operation: 'GetItem', held: true }]);
      let answered = 0;
      const asked = Array.from({ length: FLOOD }, async () => {
        const answer = await ask(ada);
        answered += 1;
        return answer;
      });
      await until(() => answered >= FLOOD - ROOM, { timeoutMs: ARRIVED_MS_MAX }).catch(() => undefined);
      const other = await ask(bob, { timeoutMs: AT_ONCE_MS });
      const answeredAtOnce = answered;
      await setFaults(stack, []);
      const answers = await Promise.all(asked);
      const after = (await meter.settled([ada])).get(ada)!;
      const [requests, rows] = [after.requests - before.requests, after.rows - before.rows];
      return { answers, answeredAtOnce, other, requests, rows };
    } finally {
      meter.close();
    }
  }
  let flood: Promise<Flood> | null = null;
  /** The same for both tests, whichever comes first. */
  const flooded = (): Promise<Flood> => (flood ??= makeFlood());

  it('refuses what is beyond its queues at once, says when to try again, and answers and meters the rest', async () => {
    const { answers, answeredAtOnce, requests, rows } = await flooded();
    const said = answers.map(({ status, body }) => `${status} ${body.error ?? ''}`);
    const counted = Object.fromEntries([...new Set(said)].map((one) => [one, countOf(said, one)]));
    const refused = answers.filter(({ status }) => status === 503);
    expect(counted).to.deep.equal({
      '503 Too many queries are running; try again': FLOOD - ROOM,
      '200 ': ROOM,
    });
    expect(answeredAtOnce).to.equal(FLOOD - ROOM);
    for (const { headers } of refused) expect(headers.get('retry-after')).to.match(/^\d+$/);
    const answered = answers.filter(({ status }) => status === 200);
    for (const { body, text } of answered)
      expect(body.data?.data, text).to.deep.equal([[customerName('ada', 1)]]);
    expect(requests).to.equal(FLOOD);
    expect(rows).to.equal(ROOM);
  });

  it('answers one tenant while another has all that it may have', async () => {
    const { body, text } = (await flooded()).other;
    expect(body.data?.data, text).to.deep.equal([[customerName('bob', 1)]]);
  });
});
