import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { recordsIn } from './records.ts';
import type { AuthTable, ItemKey } from './table.ts';

const budgetSchema = z.object({
  tenantId: z.string(),
  /** Null: of all that the tenant reads. */
  clientId: z.string().nullable(),
  /** Read units; null: no limit. */
  unitsPerDay: z.number().nullable(),
  unitsPerMonth: z.number().nullable(),
});

/** What a tenant, or one of its API clients, may read by day and by month, UTC. */
export type Budget = z.infer<typeof budgetSchema>;

/** Who sets budgets: each has records of their own, so that nobody undoes what another set. */
export type BudgetSetter = 'operator' | 'tenant';

export interface BudgetStore {
  put(setter: BudgetSetter, budget: Budget): Promise<void>;
  /** False where there was none. */
  remove(setter: BudgetSetter, tenantId: string, clientId: string | null): Promise<boolean>;
  /** All of them, or a tenant's; by tenant, its own first. */
  list(setter: BudgetSetter, tenantId?: string): Promise<Budget[]>;
  /** Another one after each change. */
  version(): Promise<string>;
}

const PARTITIONS: Readonly<Record<BudgetSetter, string>> = Object.freeze({
  operator: 'BUDGETS',
  tenant: 'TENANT_BUDGETS',
});
const VERSION_KEY: ItemKey = Object.freeze({ pk: 'BUDGETS_VERSION', sk: 'VERSION' });

const keyOf = (setter: BudgetSetter, tenantId: string, clientId: string | null): ItemKey => ({
  pk: PARTITIONS[setter],
  sk: clientId === null ? `${tenantId}#` : `${tenantId}#${clientId}`,
});

export function createBudgetStore(table: AuthTable): BudgetStore {
  const budgets = recordsIn(table, budgetSchema);
  const versions = recordsIn(table, z.object({ id: z.string() }));
  const changed = (): Promise<void> => versions.put(VERSION_KEY, { id: randomUUID() });

  return {
    async put(setter, budget) {
      await budgets.put(keyOf(setter, budget.tenantId, budget.clientId), budget);
      await changed();
    },
    async remove(setter, tenantId, clientId) {
      const removed = await budgets.take(keyOf(setter, tenantId, clientId));
      await changed();
      return removed !== null;
    },
    list: (setter, tenantId) =>
      budgets.list(PARTITIONS[setter], tenantId === undefined ? '' : `${tenantId}#`),
    version: async () => (await versions.get(VERSION_KEY))?.id ?? 'none',
  };
}
