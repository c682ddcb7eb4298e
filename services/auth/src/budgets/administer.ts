import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { ApiClient } from '../clients/client.ts';
import type { Budget, BudgetSetter, BudgetStore } from '../store/budgets.ts';
import type { PrincipalStore } from '../store/principals.ts';
import type { TenantStore } from '../store/tenants.ts';

/** All throw VALIDATION_ERROR for a tenant, or a client of it, that does not exist. */
export interface BudgetAdministration {
  /** In force within seconds, for all that the period has seen already. Throws VALIDATION_ERROR where it sets nothing. */
  set(setter: BudgetSetter, budget: Budget): Promise<Budget>;
  list(setter: BudgetSetter, tenantId: string): Promise<Budget[]>;
  /** Throws NOT_FOUND where they set none. */
  remove(setter: BudgetSetter, tenantId: string, clientId: string | null): Promise<void>;
}

export function createBudgetAdministration(options: {
  budgets: BudgetStore;
  tenants: TenantStore;
  clients: Pick<PrincipalStore<ApiClient>, 'get'>;
}): BudgetAdministration {
  const { budgets, tenants, clients } = options;

  const requireOwner = async (tenantId: string, clientId: string | null): Promise<void> => {
    if ((await tenants.get(tenantId)) === null)
      throw new PenstockError('VALIDATION_ERROR', `There is no tenant ${tenantId} that could have a budget`);
    if (clientId === null) return;
    if ((await clients.get(clientId))?.tenantId !== tenantId)
      throw new PenstockError('VALIDATION_ERROR', `Tenant ${tenantId} has no client ${clientId}`);
  };

  return {
    async set(setter, budget) {
      await requireOwner(budget.tenantId, budget.clientId);
      if (budget.unitsPerDay === null && budget.unitsPerMonth === null)
        throw new PenstockError('VALIDATION_ERROR', 'A budget must have read units a day or a month');
      await budgets.put(setter, budget);
      return budget;
    },
    async list(setter, tenantId) {
      await requireOwner(tenantId, null);
      return budgets.list(setter, tenantId);
    },
    async remove(setter, tenantId, clientId) {
      await requireOwner(tenantId, clientId);
      if (await budgets.remove(setter, tenantId, clientId)) return;
      const isOperators =
        setter === 'tenant' &&
        (await budgets.list('operator', tenantId)).some((budget) => budget.clientId === clientId);
      throw new PenstockError(
        'NOT_FOUND',
        `There is no budget of ${clientId ?? tenantId}${isOperators ? " but the operator's, who alone can remove it" : ''}`,
      );
    },
  };
}
