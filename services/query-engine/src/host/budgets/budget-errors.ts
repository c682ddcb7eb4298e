/** What a caller is told of budgets. */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { BUDGET_RETRY_AFTER_S } from '../limits.ts';
import type { BudgetLimit } from './limits-of.ts';

const units = (halfUnits: number): string => String(halfUnits / 2);

/** `spent`, `reserved`: half units that are used, and that reads under way may use. */
export function budgetExceeded(
  { whose, period, halfUnits, resetsAt }: BudgetLimit,
  { spent, reserved, least }: { readonly spent: number; readonly reserved: number; readonly least: number },
): PenstockError {
  const underWay = reserved === 0 ? '' : `, ${units(reserved)} in reads under way`;
  return new PenstockError(
    'BUDGET_EXCEEDED',
    `The budget of this ${whose} is ${units(halfUnits)} read units a ${period}: ${units(spent)} are used${underWay}`,
    {
      detail:
        `The next read costs at least ${units(least)}. The budget begins anew at ${resetsAt}. ` +
        'Narrow the query by key, wait until then, or ask who set the budget to raise it, an administrator or the operator',
    },
  );
}

/** Where nobody says how much is used, nothing is read. */
export function budgetUnknown(cause: unknown): PenstockError {
  return new PenstockError('UNAVAILABLE', 'The budget of read units cannot be checked; try again', {
    retryAfterS: BUDGET_RETRY_AFTER_S,
    cause,
  });
}
