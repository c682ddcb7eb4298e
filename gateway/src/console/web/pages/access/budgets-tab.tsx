/** Budgets: what everybody together, or one API client, may read in a day and a month. */
import { useState } from 'preact/hooks';
import type { Budget, BudgetList } from '../../../api/budgets.ts';
import type { ApiClient } from '../../../api/clients.ts';
import { budgetPath, PATHS } from '../../../api/paths.ts';
import type { Deleted } from '../../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Foreign } from '../../components/foreign.tsx';
import { Icon } from '../../components/icon.tsx';
import { ask } from '../../net/request.ts';
import { Shown } from '../common/shown.tsx';
import { useList, usePath } from '../common/use-asked.ts';
import { BudgetBars } from '../usage/budget-bars.tsx';
import { BudgetDialog } from './budget-dialog.tsx';

type Open =
  | { readonly kind: 'set'; readonly budget: Budget | null; readonly clientId: string | null }
  | { readonly kind: 'remove'; readonly budget: Budget }
  | null;

/** False where only the operator set amounts: there is nothing that an administrator could remove. */
const isOwn = ({ unitsPerDay, unitsPerMonth }: Budget): boolean =>
  unitsPerDay !== null || unitsPerMonth !== null;

function Whose({ budget }: { readonly budget: Budget }) {
  if (budget.clientId === null) return <>Everybody together</>;
  return <Foreign text={budget.clientName ?? 'A client that is gone'} />;
}

export function BudgetsTab() {
  const budgets = usePath<BudgetList>(PATHS.budgets);
  const clients = useList<ApiClient>(PATHS.clients);
  const [open, setOpen] = useState<Open>(null);
  const close = (): void => setOpen(null);
  return (
    <>
      <p class="lead tab-lead">
        Once a budget is used up, queries are refused until the day or the month (UTC) is over. What one
        client may read counts for everybody together, too.
      </p>
      <Shown asked={budgets} what="the budgets">
        {({ items, used }) => {
          const own = items.find(({ clientId }) => clientId === null) ?? null;
          const others = items.filter(({ clientId }) => clientId !== null);
          const free = (clients.value ?? []).filter(({ clientId }) =>
            others.every((each) => each.clientId !== clientId),
          );
          return (
            <>
              <section class="card">
                <div class="card-head">
                  <h2>Everybody together</h2>
                  <div class="actions">
                    <Button small onClick={() => setOpen({ kind: 'set', budget: own, clientId: null })}>
                      {own === null || !isOwn(own) ? 'Set a budget' : 'Change'}
                    </Button>
                    {own === null || !isOwn(own) ? null : (
                      <Button small kind="danger" onClick={() => setOpen({ kind: 'remove', budget: own })}>
                        Remove
                      </Button>
                    )}
                  </div>
                </div>
                <BudgetBars budget={own} used={used} />
              </section>
              {others.map((budget) => (
                <section key={budget.clientId} class="card">
                  <div class="card-head">
                    <h2>
                      <Whose budget={budget} />
                    </h2>
                    <div class="actions">
                      <Button
                        small
                        aria-label={`Change the budget of ${budget.clientName ?? 'a client that is gone'}`}
                        onClick={() => setOpen({ kind: 'set', budget, clientId: budget.clientId })}
                      >
                        Change
                      </Button>
                      {isOwn(budget) ? (
                        <Button
                          small
                          kind="danger"
                          aria-label={`Remove the budget of ${budget.clientName ?? 'a client that is gone'}`}
                          onClick={() => setOpen({ kind: 'remove', budget })}
                        >
                          Remove
                        </Button>
                      ) : null}
                    </div>
                  </div>
                  <BudgetBars budget={budget} used={budget.used} />
                </section>
              ))}
              {free.length === 0 ? null : (
                <p class="actions">
                  <Button
                    onClick={() =>
                      setOpen({ kind: 'set', budget: null, clientId: free[0]?.clientId ?? null })
                    }
                  >
                    <Icon name="plus" />
                    Set a budget for an API client
                  </Button>
                </p>
              )}
              {open?.kind === 'set' ? (
                <BudgetDialog
                  budget={open.budget}
                  clientId={open.clientId}
                  clients={open.budget === null && open.clientId !== null ? free : null}
                  onClose={close}
                  onSaved={() => {
                    close();
                    void budgets.again();
                  }}
                />
              ) : null}
            </>
          );
        }}
      </Shown>
      {open?.kind === 'remove' ? (
        <ConfirmDialog
          title="Remove this budget?"
          action="Remove"
          onConfirm={async () => {
            const outcome = await ask<Deleted>(budgetPath(open.budget.clientId), { method: 'DELETE' });
            if (!outcome.ok) return outcome.problem;
            await budgets.again();
            return null;
          }}
          onClose={close}
        >
          <p>
            <Whose budget={open.budget} /> may then read without this limit
            {open.budget.byOperator === null ? '.' : "; the operator's stays."}
          </p>
        </ConfirmDialog>
      ) : null}
    </>
  );
}
