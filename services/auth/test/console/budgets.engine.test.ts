import { expect } from 'chai';
import { callOptions } from '@penstock/common/rpc/client.ts';
import { failureOf } from '../support/auth-server.ts';
import { consoleSession } from '../support/console.ts';
import { newUser } from '../support/sign-in.ts';
import { useStage } from '../support/stage.ts';

describe('budgets of the operator and of a tenant', () => {
  const stage = useStage('suite');
  let tenantId: string;
  let clientId: string;
  let token: string;

  before(async () => {
    ({ tenantId } = stage);
    ({ clientId } = await stage.newClient(['query']));
    const user = await newUser(stage.one, tenantId, { role: 'admin' });
    const sessionToken = await consoleSession(stage.one, user, stage.clock);
    token = (await stage.one.consoleSessions.verifySession({ sessionToken })).internalToken;
  });

  const asAdmin = () => callOptions({ token, requestId: 'test' });
  const set = (budget: object) => stage.one.tenantAdmin.setTenantBudget(budget, asAdmin());
  /** What engines hold queries to. */
  const inForce = async (): Promise<object[]> => {
    const { budgets } = await stage.one.tokens.getBudgets({});
    return budgets.map((budget) => [budget.clientId, budget.unitsPerDay, budget.unitsPerMonth]);
  };

  it('are two records, of which the smaller counts, by day and by month', async () => {
    const { admin, operator, tenantAdmin } = stage.one;
    await admin.setBudget({ tenantId, unitsPerDay: 100 }, operator);
    await set({ unitsPerDay: 5000, unitsPerMonth: 70 });
    await admin.setBudget({ tenantId, clientId, unitsPerDay: 30, unitsPerMonth: 900 }, operator);
    await set({ clientId, unitsPerDay: 2 });
    expect(await inForce()).to.deep.equal([
      [undefined, 100, 70],
      [clientId, 2, 900],
    ]);

    const { budgets } = await tenantAdmin.listTenantBudgets({}, asAdmin());
    expect(
      budgets.map(({ budget, operatorBudget }) => [budget?.unitsPerDay, operatorBudget?.unitsPerDay]),
    ).to.deep.equal([
      [5000, 100],
      [2, 30],
    ]);
    const shown = await admin.listBudgets({ tenantId }, operator);
    expect(shown.budgets.map((budget) => budget.unitsPerDay)).to.deep.equal([100, 30]);
    expect(shown.setByTenant.map((budget) => budget.unitsPerDay)).to.deep.equal([5000, 2]);
  });

  it('of the operator stay whatever an administrator of the tenant removes', async () => {
    const before = (await stage.one.tokens.getBudgets({})).version;
    await set({});
    await set({ clientId });
    expect(await inForce()).to.deep.equal([
      [undefined, 100, undefined],
      [clientId, 30, 900],
    ]);
    expect((await stage.one.tokens.getBudgets({ knownVersion: before })).budgets).to.have.length(2);
    expect(await failureOf(set({}))).to.include({
      code: 'NOT_FOUND',
      message: `There is no budget of ${tenantId} but the operator's, who alone can remove it`,
    });
    const { budgets } = await stage.one.tenantAdmin.listTenantBudgets({}, asAdmin());
    expect(budgets.map(({ budget, operatorBudget }) => [budget, operatorBudget?.unitsPerDay])).to.deep.equal([
      [undefined, 100],
      [undefined, 30],
    ]);
  });

  it('of an administrator stay whatever the operator removes', async () => {
    const { admin, operator } = stage.one;
    await set({ unitsPerDay: 7 });
    await admin.removeBudget({ tenantId }, operator);
    await admin.removeBudget({ tenantId, clientId }, operator);
    expect(await inForce()).to.deep.equal([[undefined, 7, undefined]]);
    expect((await failureOf(admin.removeBudget({ tenantId }, operator))).code).to.equal('NOT_FOUND');
    await set({});
    expect(await inForce()).to.deep.equal([]);
    expect(await failureOf(set({}))).to.include({ message: `There is no budget of ${tenantId}` });
  });
});
