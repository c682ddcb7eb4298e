/** Budgets, and how far they are used today and this month. */
import type { BudgetList, Used } from '../../../api/budgets.ts';
import { hrefOf } from '../../app/router.ts';
import { Foreign } from '../../components/foreign.tsx';
import { Shown } from '../common/shown.tsx';
import type { Asked } from '../common/use-asked.ts';
import { BudgetBars } from './budget-bars.tsx';
import { halvesOf, unitsOfHalves } from './budget.ts';

const inUnits = (units: number): string => unitsOfHalves(halvesOf(units));

function NoBudget({ used }: { readonly used: Used }) {
  return (
    <p>
      No budget is set. Today {inUnits(used.today)} read units were used, this month {inUnits(used.thisMonth)}
      . A budget refuses queries once so many units are used in a day or a month.
    </p>
  );
}

export function Budgets({ asked }: { readonly asked: Asked<BudgetList> }) {
  return (
    <section class="card" aria-label="Budgets">
      <div class="card-head">
        <h2>Budgets</h2>
        <a class="button small" data-page href={hrefOf('access/budgets')}>
          Set budgets
        </a>
      </div>
      <Shown asked={asked} what="the budgets">
        {({ items, used }) =>
          items.length === 0 ? (
            <NoBudget used={used} />
          ) : (
            <ul class="budgets">
              {items.map((budget) => (
                <li key={budget.clientId ?? ''}>
                  <h3>
                    {budget.clientId === null ? (
                      'Everybody together'
                    ) : (
                      <Foreign text={budget.clientName ?? 'A client that is gone'} />
                    )}
                  </h3>
                  <BudgetBars budget={budget} used={budget.used} />
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
    </section>
  );
}
