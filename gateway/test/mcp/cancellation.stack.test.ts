import { expect } from 'chai';
import type { CustomerAccount } from '../../../deploy/local/src/seed/customer-account.ts';
import type { RunningStack } from '../../../deploy/local/src/stack/stack.ts';
import { until } from '../../../services/common/test/support/until.ts';
import { comesToRest } from '../e2e/support/comes-to-rest.ts';
import { clearRequests, requestsOf, setFaults } from '../e2e/support/request-log.ts';
import { seedWide } from '../e2e/support/shop.ts';
import { sharedStack, STACK_START_TIMEOUT_MS } from '../e2e/support/stack.ts';
import { newAccount, newTenant, registerSchema, type TestTenant } from '../e2e/support/tenant.ts';
import { CLIENTS, mcpToken } from './support/mcp.ts';

const ITEMS = 100;
const ITEM_BYTES = 200_000;
/** Of reading the whole table. */
const UNITS = (ITEMS * ITEM_BYTES) / 8_192;

describe('a query that its agent abandons', function () {
  this.timeout(STACK_START_TIMEOUT_MS);
  let stack: RunningStack;
  let account: CustomerAccount;

  before(async () => {
    stack = await sharedStack();
    account = newAccount(stack);
    await seedWide(account, 'long', ITEMS, ITEM_BYTES);
    await setFaults(stack, [
      { accountId: account.accountId, tableName: 'long', operation: 'Scan', latencyMs: 300 },
    ]);
  });
  after(async () => {
    await setFaults(stack, []);
    account.close();
  });

  async function unitsOf(tenant: TestTenant): Promise<number> {
    const { body } = await tenant.call('GET', '/v1/usage/summary');
    return (body.data!['totals'] as { ddbReadUnits: number }).ddbReadUnits;
  }

  for (const [kind, connect] of Object.entries(CLIENTS)) {
    it(`stops reading, and counts what was read, with ${kind}`, async () => {
      const tenant = await newTenant(stack);
      await registerSchema(stack, tenant, account, { schemaName: 'shop' });
      await tenant.query("SELECT id FROM shop.long WHERE id = 'k000001'");
      const token = await mcpToken(stack, tenant.credentials);
      const client = await connect(new URL(`${stack.mcpUrl}/mcp`), token);
      await clearRequests(stack, account);

      const abandon = new AbortController();
      const answer = client
        .call('run_sql', { sql: 'SELECT COUNT(filler) FROM shop.long' }, abandon.signal)
        .then(
          () => 'answered',
          () => 'abandoned',
        );
      const count = async (): Promise<number> => (await requestsOf(stack, account)).length;
      await until(async () => (await count()) >= 2);
      abandon.abort();
      expect(await answer).to.equal('abandoned');
      expect(await comesToRest(count, { withinMs: 1_000, quietMs: 1_000 })).to.be.lessThan(16);
      await until(async () => (await unitsOf(tenant)) >= 2, { what: 'what was read is counted' });
      expect(await unitsOf(tenant)).to.be.at.most(UNITS / 2);
      await client.close();
    });
  }
});
