/** The engine's own tests of rows and units, asked by PostgreSQL's protocol too; a sample, `make check-postgres` asks all. */
import { expect } from 'chai';
import type { CustomerAccount } from '../../../../deploy/local/src/seed/customer-account.ts';
import type { RunningStack } from '../../../../deploy/local/src/stack/stack.ts';
import { byNodePostgres, byPsql, byRest } from '../../postgres/clients/same-rows/ask.ts';
import { compareWays } from '../../postgres/clients/same-rows/run.ts';
import { differentialStatements, makeTables } from '../../postgres/clients/same-rows/statements.ts';
import { targetOf } from '../../postgres/clients/target.ts';
import { sharedStack, STACK_START_TIMEOUT_MS } from '../support/stack.ts';
import { newShop } from '../support/shop.ts';
import type { TestTenant } from '../support/tenant.ts';

/** Of each generator; and every so manieth of the lists. */
const GENERATED = 12;
const EVERY = 9;
const SEED = 20_261_126;

describe('rows and read units over PostgreSQL and over REST', function () {
  this.timeout(2 * STACK_START_TIMEOUT_MS);
  let stack: RunningStack;
  let tenant: TestTenant;
  let account: CustomerAccount;

  before(async () => {
    stack = await sharedStack();
    ({ tenant, account } = await newShop(stack, async (own) => {
      await makeTables(own, true);
    }));
    await tenant.call('POST', '/v1/schemas/shop/refresh-metadata');
  });
  after(() => account.close());

  it('are the same, cell by cell', async () => {
    const statements = differentialStatements(GENERATED, SEED, EVERY);
    const target = targetOf(stack, tenant.credentials);
    const ways = [await byNodePostgres(target), await byPsql(target)];
    try {
      const { differences, counts } = await compareWays(
        byRest(stack.baseUrl, tenant.token),
        ways,
        statements,
      );
      expect(differences).to.deep.equal([]);
      // Refusals are no answers: all but a few must be rows.
      for (const { name } of ways) expect(counts[name]?.same).to.be.at.least(0.9 * statements.length);
    } finally {
      await Promise.all(ways.map((way) => way.close()));
    }
  });
});
