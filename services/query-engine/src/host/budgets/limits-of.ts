/** Budgets as they hold now: of a tenant and of one of its clients, by day and by month (UTC). */
import { BUDGET_KEPT_S } from '../limits.ts';

export interface Budget {
  readonly tenantId: string;
  /** Null: of all that the tenant reads. */
  readonly clientId: string | null;
  readonly unitsPerDay: number | null;
  readonly unitsPerMonth: number | null;
}

export type BudgetPeriod = 'day' | 'month';

export interface BudgetLimit {
  /** Of its counter. */
  readonly key: string;
  readonly whose: 'tenant' | 'client';
  readonly period: BudgetPeriod;
  readonly halfUnits: number;
  /** The day on which it is asked for, YYYY-MM-DD, UTC. */
  readonly day: string;
  /** ISO 8601, UTC. */
  readonly resetsAt: string;
  /** How long its counter is kept, seconds. */
  readonly keptS: number;
}

const KEY_PREFIX = 'penstock:budget:';

function startOfNext(period: BudgetPeriod, nowMs: number): number {
  const now = new Date(nowMs);
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  return period === 'day' ? Date.UTC(year, month, day + 1) : Date.UTC(year, month + 1, 1);
}

/** The limits of some budgets at a time; those that a budget does not set are left out. */
export function limitsOf(budgets: readonly Budget[], nowMs: number): readonly BudgetLimit[] {
  const date = new Date(nowMs).toISOString();
  return budgets.flatMap(({ tenantId, clientId, unitsPerDay, unitsPerMonth }) => {
    const limit = (period: BudgetPeriod, units: number | null): readonly BudgetLimit[] => {
      if (units === null) return [];
      const resetsAtMs = startOfNext(period, nowMs);
      const name = date.slice(0, period === 'day' ? 10 : 7);
      return [
        {
          key: `${KEY_PREFIX}${tenantId}:${clientId ?? ''}:${name}`,
          whose: clientId === null ? 'tenant' : 'client',
          period,
          halfUnits: Math.floor(units * 2),
          day: date.slice(0, 10),
          resetsAt: new Date(resetsAtMs).toISOString(),
          keptS: Math.ceil((resetsAtMs - nowMs) / 1000) + BUDGET_KEPT_S,
        },
      ];
    };
    return [...limit('day', unitsPerDay), ...limit('month', unitsPerMonth)];
  });
}
