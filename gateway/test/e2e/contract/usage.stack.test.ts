import { expect } from 'chai';
import type { CustomerAccount } from '../../../../deploy/local/src/seed/customer-account.ts';
import type { RunningStack } from '../../../../deploy/local/src/stack/stack.ts';
import { untilSome } from '../../../../services/common/test/support/until.ts';
import { newShop } from '../support/shop.ts';
import { sharedStack, STACK_START_TIMEOUT_MS } from '../support/stack.ts';
import { ALL_SCOPES, newTenant, registerSchema, type TestTenant } from '../support/tenant.ts';

interface Summary {
  readonly tenantId: string;
  readonly startDate: string;
  readonly endDate: string;
  readonly totals: { readonly requests: number; readonly rowsReturned: number; readonly ddbReadUnits: number };
  readonly days: readonly { readonly day: string; readonly requests: number; readonly rowsReturned: number; readonly ddbReadUnits: number }[];
} // oxfmt-ignore

const DAY_MS = 86_400_000;
const day = (offset: number): string => new Date(Date.now() + offset * DAY_MS).toISOString().slice(0, 10);

describe('contract: usage', function () {
  this.timeout(STACK_START_TIMEOUT_MS);
  let stack: RunningStack;
  let tenant: TestTenant;
  let account: CustomerAccount;

  before(async () => {
    stack = await sharedStack();
    ({ tenant, account } = await newShop(stack));
  });
  after(() => account.close());

  const summary = async (query = ''): Promise<Summary> => {
    const answer = await tenant.call('GET', `/v1/usage/summary${query}`);
    expect(answer.status, answer.text).to.equal(200);
    return answer.body.data as unknown as Summary;
  };

  it('counts every admitted request, its rows and its units, rounded up once', async () => {
    await tenant.query("SELECT name FROM shop.customers WHERE id = 'c1'");
    await tenant.query("SELECT name FROM shop.customers WHERE id = 'c2'");
    await tenant.query("SELECT name FROM shop.customers WHERE id IN ('c1', 'c2', 'c3')");
    await tenant.query('SELECT 1', undefined, 'plan');
    await tenant.query('SELECT nothing FROM shop.customers');
    await tenant.query('SELEC');
    await tenant.call('POST', '/v1/query', { raw: '{' });
    await tenant.call('POST', '/v1/query', { json: { sql: 'SELECT 1', tenantId: 'x' } });
    await tenant.call('POST', '/v1/query', { json: { sql: 'SELECT 1' }, token: 'bad' });
    const { tenantId, startDate, endDate, totals, days } = await summary();
    expect(tenantId).to.equal(tenant.tenantId);
    expect([startDate, endDate]).to.deep.equal([day(-29), day(0)]);
    expect(totals).to.deep.equal({ requests: 7, rowsReturned: 5, ddbReadUnits: 3 });
    expect(days).to.have.length(30);
    expect(days.at(-1)).to.deep.equal({ day: day(0), ...totals });
    expect(days[0]).to.deep.equal({ day: day(-29), requests: 0, rowsReturned: 0, ddbReadUnits: 0 });
  });

  it('rounds the total once, not each day’s rounded count', async () => {
    const other = await newTenant(stack);
    await registerSchema(stack, other, account, { schemaName: 'shop' });
    await other.query("SELECT name FROM shop.customers WHERE id = 'c1'");
    const answer = await other.call('GET', `/v1/usage/summary?startDate=${day(0)}&endDate=${day(0)}`);
    expect(answer.body.data!['totals']).to.deep.equal({ requests: 1, rowsReturned: 1, ddbReadUnits: 1 });
    await other.query("SELECT name FROM shop.customers WHERE id = 'c1'");
    const again = await other.call('GET', `/v1/usage/summary?startDate=${day(0)}&endDate=${day(0)}`);
    expect(again.body.data!['totals']).to.deep.equal({ requests: 2, rowsReturned: 2, ddbReadUnits: 1 });
  });

  it('takes ranges of at most 366 days and refuses what is no date', async () => {
    expect((await summary('?startDate=2024-01-01&endDate=2025-01-01')).days).to.have.length(367);
    for (const [query, message] of [
      ['?startDate=2024-01-01&endDate=2025-01-02', /366/],
      ['?startDate=2025-01-02&endDate=2025-01-01', /^startDate must be before or equal to endDate$/],
      ['?startDate=2025-02-30&endDate=2025-03-01', /startDate/],
      ['?startDate=today', /startDate/],
      ['?endDate=2025-1-1', /endDate/],
      ['?from=2025-01-01', /from/],
    ] as const) {
      const answer = await tenant.call('GET', `/v1/usage/summary${query}`);
      expect(answer.status, query).to.equal(400);
      expect(answer.body.error!.code).to.equal('VALIDATION_ERROR');
      expect(answer.body.error!.message).to.match(message);
    }
    expect((await summary('?endDate=2025-03-30')).startDate).to.equal('2025-03-01');
  });

  it('limits requests per tenant with 429 and Retry-After, and does not count what it refuses', async () => {
    const limited = await newTenant(stack, ALL_SCOPES, { rps: 2, burst: 5 });
    const free = await newTenant(stack);
    const answers = await Promise.all(Array.from({ length: 12 }, () => limited.query('SELECT 1')));
    const refused = answers.filter((answer) => answer.status === 429);
    expect(refused.length).to.be.within(5, 8);
    for (const answer of refused) {
      expect(answer.body.success).to.equal(false);
      expect(answer.body.error).to.be.a('string');
      expect(Number(answer.headers.get('retry-after'))).to.be.at.least(1);
    }
    expect((await free.query('SELECT 1')).status).to.equal(200);
    const counted = await untilSome(
      async () => {
        const answer = await limited.call('GET', '/v1/usage/summary');
        return answer.status === 200 ? answer : null;
      },
      { what: 'the tenant may ask again' },
    );
    const totals = counted.body.data!['totals'] as { requests: number };
    expect(totals.requests).to.equal(answers.length - refused.length);
  });
});
