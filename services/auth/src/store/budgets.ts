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

export interface BudgetStore {
  put(budget: Budget): Promise<void>;
  /** False where there was none. */
  remove(tenantId: string, clientId: string | null): Promise<boolean>;
  /** All of them, or a tenant's. */
  list(tenantId?: string): Promise<Budget[]>;
  /** Another one after each change. */
  version(): Promise<string>;
}

const PARTITION = 'BUDGETS';
const VERSION_KEY: ItemKey = Object.freeze({ pk: 'BUDGETS_VERSION', sk: 'VERSION' });

const keyOf = (tenantId: string, clientId: string | null): ItemKey => ({
  pk: PARTITION,
  sk: clientId === null ? `${tenantId}#` : `${tenantId}#${clientId}`,
});

export function createBudgetStore(table: AuthTable): BudgetStore {
  const budgets = recordsIn(table, budgetSchema);
  const versions = recordsIn(table, z.object({ id: z.string() }));
  const changed = (): Promise<void> => versions.put(VERSION_KEY, { id: randomUUID() });

  return {
    async put(budget) {
      await budgets.put(keyOf(budget.tenantId, budget.clientId), budget);
      await changed();
    },
    async remove(tenantId, clientId) {
      const removed = await budgets.take(keyOf(tenantId, clientId));
      await changed();
      return removed !== null;
    },
    list: (tenantId) => budgets.list(PARTITION, tenantId === undefined ? '' : `${tenantId}#`),
    version: async () => (await versions.get(VERSION_KEY))?.id ?? 'none',
  };
}
