import { expect } from 'chai';
import type { CustomerAccount } from '../../../deploy/local/src/seed/customer-account.ts';
import type { RunningStack } from '../../../deploy/local/src/stack/stack.ts';
import { until } from '../../../services/common/test/support/until.ts';
import { comesToRest } from './support/comes-to-rest.ts';
import { clearRequests, requestsOf, setFaults } from './support/request-log.ts';
import { newShop, seedWide } from './support/shop.ts';
import { sharedStack, STACK_START_TIMEOUT_MS } from './support/stack.ts';
import type { TestTenant } from './support/tenant.ts';

describe('a query that its client abandons', function () {
  this.timeout(STACK_START_TIMEOUT_MS);
  let stack: RunningStack;
  let tenant: TestTenant;
  let account: CustomerAccount;

  before(async () => {
    stack = await sharedStack();
    ({ tenant, account } = await newShop(stack, async (own) => {
      // About 20 MB: some twenty pages, which the fault below makes slow enough to be left in the middle.
      await seedWide(own, 'long', 100, 200_000);
    }));
    await tenant.query("SELECT id FROM shop.long WHERE id = 'k000001'");
  });
  after(async () => {
    await setFaults(stack, []);
    account.close();
  });

  it('stops reading the table, and what it read is metered', async () => {
    await setFaults(stack, [{ accountId: account.accountId, tableName: 'long', latencyMs: 300 }]);
    await clearRequests(stack, account);
    const before = await usedUnits();
    const abandon = new AbortController();
    const query = tenant
      .call('POST', '/v1/query', {
        json: { sql: 'SELECT COUNT(filler) FROM shop.long' },
        signal: abandon.signal,
      })
      .then(
        () => 'answered',
        () => 'abandoned',
      );
    const count = async (): Promise<number> => (await requestsOf(stack, account)).length;
    await until(async () => (await count()) >= 2);
    abandon.abort();
    expect(await query).to.equal('abandoned');
    expect(await comesToRest(count, { withinMs: 1_000, quietMs: 1_000 })).to.be.lessThan(16);
    expect(await usedUnits()).to.be.greaterThan(before);
  });

  async function usedUnits(): Promise<number> {
    const answer = await tenant.call('GET', '/v1/usage/summary');
    return (answer.body.data!['totals'] as { ddbReadUnits: number }).ddbReadUnits;
  }
});
