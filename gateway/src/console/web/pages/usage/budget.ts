/** How far a budget is used. Units are exact to the half, so they are counted in halves. */
import type { Budget, BudgetAmounts } from '../../../api/budgets.ts';

/** From 80 percent on the bar warns; at 100 queries are refused. */
const WARN_PERCENT = 80n;

export interface BudgetUse {
  /** Whole percents, rounded down: 100 only where nothing is left. May be above 100. */
  readonly percent: bigint;
  readonly state: 'fine' | 'near' | 'spent';
}

/** @param allowedHalfUnits 0: nothing may be read, so it is spent from the start */
export function budgetUse(usedHalfUnits: bigint, allowedHalfUnits: bigint): BudgetUse {
  if (allowedHalfUnits <= 0n) return { percent: 100n, state: 'spent' };
  const percent = (usedHalfUnits * 100n) / allowedHalfUnits;
  return { percent, state: percent >= 100n ? 'spent' : percent >= WARN_PERCENT ? 'near' : 'fine' };
}

/** What counts of a budget: the smaller of what administrators and the operator set; null: no limit. */
export function amountsInForce({ unitsPerDay, unitsPerMonth, byOperator }: Budget): BudgetAmounts {
  const smaller = (a: number | null, b: number | null | undefined): number | null =>
    a === null ? (b ?? null) : Math.min(a, b ?? a);
  return {
    unitsPerDay: smaller(unitsPerDay, byOperator?.unitsPerDay),
    unitsPerMonth: smaller(unitsPerMonth, byOperator?.unitsPerMonth),
  };
}

/** What the operator set, in words: `100 read units a day, 2,000 a month`. */
export function operatorsAmounts({ unitsPerDay, unitsPerMonth }: BudgetAmounts): string {
  const amounts = [
    ...(unitsPerDay === null ? [] : [[unitsPerDay, 'day'] as const]),
    ...(unitsPerMonth === null ? [] : [[unitsPerMonth, 'month'] as const]),
  ];
  return amounts
    .map(
      ([units, period], i) => `${unitsOfHalves(halvesOf(units))}${i === 0 ? ' read units' : ''} a ${period}`,
    )
    .join(', ');
}

/** Of units as JSON has them: halves, which a double holds exactly up to 2^52. A budget that is no multiple of a half is cut to one. */
export const halvesOf = (units: number): bigint => BigInt(Math.floor(units * 2));

/** Read units from halves, exact: 25 halves are `12.5`. */
export function unitsOfHalves(halves: bigint): string {
  const whole = (halves / 2n).toLocaleString('en-US');
  return halves % 2n === 0n ? whole : `${whole}.5`;
}
