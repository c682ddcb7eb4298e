import { callOptions } from '@penstock/common/rpc/client.ts';
import { expect } from 'chai';
import { CLAIM_LOANS_MAX, CLAIM_REMEMBERED_MS } from '../../src/limits.ts';
import { EXTERNAL_ID, refusal, resolveOne } from '../support/registry.ts';
import { useTestStack } from '../support/suite.ts';
import { schemaOf, simpleTable } from '../support/tables.ts';

describe('an operator and the claims of roles', () => {
  const stack = useTestStack();
  let next = 1;

  /** Two tenants that shared a role before there were claims; the first has used it since. */
  async function sharing() {
    const account = stack.account(String(310000000000 + next++));
    await stack.role(account);
    await simpleTable(account, 'orders', [{ id: { S: '1' } }]);
    const names = [`first-${next}`, `second-${next}`] as const;
    const [a, b] = [stack.as(names[0]), stack.as(names[1])];
    for (const calls of [a, b]) await calls.create(schemaOf(account, 's', { tables: ['orders'] }));
    const uses = async (calls: typeof a) =>
      (await resolveOne(calls, { schema: 's', table: 'orders' })).case === 'table';
    expect(await uses(a)).to.equal(true);
    expect(await uses(b)).to.equal(false);
    const { claims } = await stack.claims.listClaims({ limit: 100 }, stack.operator());
    const claim = claims.find(({ roleArn }) => roleArn.includes(account.accountId));
    if (claim === undefined) throw new Error('there is no claim');
    return { account, a, b, names, uses, claim };
  }

  it('sees whose a role is and who else was refused it, and no external ID', async () => {
    const { account, names, claim } = await sharing();
    const { roleArn } = schemaOf(account, 's');
    expect(claim).to.deep.include({ roleArn, tenantId: names[0], lentTo: [], refused: [names[1]] });
    expect(JSON.stringify(claim)).to.not.include(EXTERNAL_ID);
  });

  it('lends it: both use it then, until the loan ends', async () => {
    const { a, b, names, uses, claim } = await sharing();
    const loan = { claimId: claim.claimId, tenantId: names[1] };
    expect(await stack.claims.lendClaim(loan, stack.operator())).to.deep.include({
      tenantId: names[0],
      lentTo: [names[1]],
      refused: [],
    });
    expect([await uses(a), await uses(b)]).to.deep.equal([true, true]);
    expect((await b.validate('s')).ok).to.equal(true);
    await stack.claims.endLoan(loan, stack.operator());
    stack.clock.forward(CLAIM_REMEMBERED_MS);
    expect([await uses(a), await uses(b)]).to.deep.equal([true, false]);
  });

  it('moves it: the tenant that had it reads nothing more, and sees nothing of what it learned', async () => {
    const { a, b, names, uses, claim } = await sharing();
    await stack.claims.moveClaim({ claimId: claim.claimId, tenantId: names[1] }, stack.operator());
    stack.clock.forward(CLAIM_REMEMBERED_MS);
    expect([await uses(a), await uses(b)]).to.deep.equal([false, true]);
    expect((await a.tables({ limit: 10 })).tables).to.deep.equal([]);
    expect((await b.tables({ limit: 10 })).tables).to.have.length(1);
    // The one that has it lets go; the other’s deletion would not have.
    await a.remove('s');
    expect(
      (await stack.claims.listClaims({ limit: 100 }, stack.operator())).claims.map((c) => c.claimId),
    ).to.include(claim.claimId);
    await b.remove('s');
    expect(
      (await stack.claims.listClaims({ limit: 100 }, stack.operator())).claims.map((c) => c.claimId),
    ).to.not.include(claim.claimId);
  });

  it('releases it: whoever uses it next has it', async () => {
    const { a, b, uses, claim } = await sharing();
    await stack.claims.releaseClaim({ claimId: claim.claimId }, stack.operator());
    stack.clock.forward(CLAIM_REMEMBERED_MS);
    expect([await uses(b), await uses(a)]).to.deep.equal([true, false]);
  });

  it('lends one to a bounded number of tenants, pages through all, and is told which claim is unknown', async () => {
    const { claim, uses, a } = await sharing();
    const { claimId } = claim;
    for (let i = 0; i < CLAIM_LOANS_MAX; i++)
      await stack.claims.lendClaim({ claimId, tenantId: `guest-${i}` }, stack.operator());
    const full = await refusal(stack.claims.lendClaim({ claimId, tenantId: 'one-more' }, stack.operator()));
    expect(full.code).to.equal('VALIDATION_ERROR');
    expect(await uses(a)).to.equal(true);
    const all = (await stack.claims.listClaims({ limit: 100 }, stack.operator())).claims;
    const paged = [];
    for (let nextToken: string | undefined; ;) {
      const page = await stack.claims.listClaims(
        { limit: 1, ...(nextToken === undefined ? {} : { nextToken }) },
        stack.operator(),
      );
      paged.push(...page.claims);
      nextToken = page.nextToken;
      if (nextToken === undefined) break;
    }
    expect(paged).to.deep.equal(all);
    const unknown = { claimId: '0'.repeat(32), tenantId: 'x' };
    for (const call of [
      stack.claims.moveClaim(unknown, stack.operator()),
      stack.claims.lendClaim(unknown, stack.operator()),
      stack.claims.endLoan(unknown, stack.operator()),
      stack.claims.releaseClaim(unknown, stack.operator()),
    ])
      expect((await refusal(call)).code).to.equal('NOT_FOUND');
  });

  it('is nobody else: a tenant’s token is refused', async () => {
    const asTenant = callOptions({ token: 'eyJhbGciOiJub25lIn0', requestId: 'r' });
    expect((await refusal(stack.claims.listClaims({ limit: 1 }, asTenant))).code).to.equal('UNAUTHORIZED');
  });
});
