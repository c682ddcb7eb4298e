import type { Budget } from '../store/budgets.ts';

const smaller = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b);

/** One budget for a tenant or client that has several: of each amount the smallest that is set. */
export function smallerOf(budgets: readonly Budget[]): readonly Budget[] {
  const found = new Map<string, Budget>();
  for (const budget of budgets) {
    const key = JSON.stringify([budget.tenantId, budget.clientId]);
    const other = found.get(key);
    found.set(
      key,
      other === undefined
        ? budget
        : {
            ...budget,
            unitsPerDay: smaller(budget.unitsPerDay, other.unitsPerDay),
            unitsPerMonth: smaller(budget.unitsPerMonth, other.unitsPerMonth),
          },
    );
  }
  return [...found.values()];
}
