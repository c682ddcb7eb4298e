/** The bars of a budget: of the day and of the month, by what counts. */
import type { Budget, Used } from '../../../api/budgets.ts';
import { BudgetBar } from './budget-bar.tsx';
import { amountsInForce, operatorsAmounts } from './budget.ts';

/** `budget` null: nothing is set. */
export function BudgetBars({ budget, used }: { readonly budget: Budget | null; readonly used: Used }) {
  const allowed = budget === null ? null : amountsInForce(budget);
  return (
    <>
      <BudgetBar label="Today" used={used.today} allowed={allowed?.unitsPerDay ?? null} />
      <BudgetBar label="This month" used={used.thisMonth} allowed={allowed?.unitsPerMonth ?? null} />
      {budget === null || budget.byOperator === null ? null : (
        <p class="hint">
          The operator of the service allows {operatorsAmounts(budget.byOperator)}; only the operator can
          change that. Where both set an amount, the smaller counts.
        </p>
      )}
    </>
  );
}
