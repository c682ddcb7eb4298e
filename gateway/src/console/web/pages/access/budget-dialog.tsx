import { useState } from 'preact/hooks';
import type { Budget, BudgetAmounts } from '../../../api/budgets.ts';
import type { ApiClient } from '../../../api/clients.ts';
import { budgetPath } from '../../../api/paths.ts';
import { session } from '../../app/session.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { SelectField, TextField } from '../../components/fields.tsx';
import { ProblemNotice } from '../../components/notice.tsx';
import { ask } from '../../net/request.ts';
import { useAction } from '../common/use-action.ts';
import { amountOf } from './amount.ts';

interface BudgetDialogProps {
  /** Null: none is set yet. */
  readonly budget: Budget | null;
  /** Whose; null: everybody's. */
  readonly clientId: string | null;
  /** To choose from; null: there is no choice. */
  readonly clients: readonly ApiClient[] | null;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

const text = (units: number | null | undefined): string =>
  units === null || units === undefined ? '' : String(units);

export function BudgetDialog({ budget, clientId, clients, onClose, onSaved }: BudgetDialogProps) {
  const { unitsOfBudgetMax } = session.value.limits;
  const [chosen, setChosen] = useState(clientId);
  const [day, setDay] = useState(text(budget?.unitsPerDay));
  const [month, setMonth] = useState(text(budget?.unitsPerMonth));
  const [isSent, setSent] = useState(false);
  const save = useAction((body: BudgetAmounts) =>
    ask<Budget>(budgetPath(chosen), { method: 'PUT', body, repeatable: true }),
  );
  const perDay = amountOf(day, unitsOfBudgetMax);
  const perMonth = amountOf(month, unitsOfBudgetMax);
  const isEmpty =
    perDay.units === null &&
    perMonth.units === null &&
    perDay.problem === undefined &&
    perMonth.problem === undefined;
  const submit = async (): Promise<void> => {
    setSent(true);
    if (isEmpty || perDay.problem !== undefined || perMonth.problem !== undefined) return;
    const saved = await save.run({ unitsPerDay: perDay.units, unitsPerMonth: perMonth.units });
    if (saved !== null) onSaved();
  };
  return (
    <Dialog
      title={chosen === null ? 'Budget of everybody together' : 'Budget of an API client'}
      onClose={onClose}
      onSubmit={() => void submit()}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={save.isBusy}>
            Save
          </Button>
        </>
      }
    >
      {clients === null ? null : (
        <SelectField
          label="API client"
          value={chosen ?? ''}
          onValue={setChosen}
          options={clients.map((client) => [client.clientId, client.name] as const)}
        />
      )}
      <TextField
        label="Read units a day"
        hint="Empty: no limit."
        problem={
          isSent
            ? (perDay.problem ?? (isEmpty ? 'Give a number for the day or the month' : undefined))
            : undefined
        }
        value={day}
        onValue={setDay}
        inputMode="decimal"
        autocomplete="off"
      />
      <TextField
        label="Read units a month"
        hint="Empty: no limit."
        problem={isSent ? perMonth.problem : undefined}
        value={month}
        onValue={setMonth}
        inputMode="decimal"
        autocomplete="off"
      />
      {save.problem === null ? null : <ProblemNotice title="Nothing was changed" problem={save.problem} />}
    </Dialog>
  );
}
