import { budgetUse, halvesOf, unitsOfHalves } from './budget.ts';

interface BudgetBarProps {
  readonly label: string;
  /** Read units. */
  readonly used: number;
  /** Null: no limit, so there is no bar. */
  readonly allowed: number | null;
}

const STATES = Object.freeze({ fine: '', near: 'nearly used up', spent: 'used up: queries are refused' });

/** `1,204.5 of 2,000 units today, 60 %`, with a bar. */
export function BudgetBar({ label, used, allowed }: BudgetBarProps) {
  const words = `${unitsOfHalves(halvesOf(used))}`;
  if (allowed === null) {
    return (
      <p class="budget-bar">
        <span>{label}</span>
        <span class="hint figures">{words} read units, no limit</span>
      </p>
    );
  }
  const { percent, state } = budgetUse(halvesOf(used), halvesOf(allowed));
  return (
    <div class={`budget-bar ${state}`}>
      <span>{label}</span>
      <span class="hint figures">
        {words} of {unitsOfHalves(halvesOf(allowed))} read units, {percent.toLocaleString('en-US')} %
        {STATES[state] === '' ? '' : `, ${STATES[state]}`}
      </span>
      <progress
        max={100}
        value={Math.min(100, Number(percent))}
        aria-label={`${label}: used of the budget`}
      />
    </div>
  );
}
