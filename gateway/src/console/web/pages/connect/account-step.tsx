/** Step one: which tables, and where. */
import { useEffect, useState } from 'preact/hooks';
import { session } from '../../app/session.ts';
import { Button } from '../../components/button.tsx';
import { TextAreaField, TextField } from '../../components/fields.tsx';
import { ChoiceField } from '../common/choice-field.tsx';
import { useForm, type Problems } from '../common/use-form.ts';
import type { WizardValues } from './draft.ts';
import { fieldProblem, tableNames, tablesProblem, takenProblem } from './field-problems.ts';
import { RegionField } from './region-field.tsx';
import { regionDoubt } from './regions.ts';

interface AccountStepProps {
  readonly start: WizardValues;
  /** Names that the tenant's schemas have. */
  readonly namesTaken: readonly string[];
  /** Whether the operator has not told the console which account Penstock runs in. */
  readonly asksForPenstock: boolean;
  readonly onDone: (values: WizardValues) => void;
}

export function AccountStep({ start, namesTaken, asksForPenstock, onDone }: AccountStepProps) {
  const problemsOf = (values: WizardValues): Problems<WizardValues> => {
    const found = {
      schemaName:
        fieldProblem('schemaName', values.schemaName) ?? takenProblem(values.schemaName, namesTaken),
      region: fieldProblem('region', values.region),
      accountId: fieldProblem('accountId', values.accountId),
      tables:
        values.choice === 'named'
          ? tablesProblem(tableNames(values.tables), session.value.limits.allowlistTablesMax)
          : undefined,
      penstockAccountId: asksForPenstock ? fieldProblem('accountId', values.penstockAccountId) : undefined,
    };
    return Object.fromEntries(Object.entries(found).filter(([, text]) => text !== undefined));
  };
  const form = useForm(start, problemsOf);
  const { values, problems, set } = form;
  const [regionDoubted, setRegionDoubted] = useState('');
  const isTaken = takenProblem(start.schemaName, namesTaken) !== undefined;
  useEffect(() => {
    if (isTaken) form.check();
  }, [isTaken]);
  return (
    <form
      class="card"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!form.check()) return;
        const doubt = regionDoubt(values.region);
        if (doubt !== undefined && regionDoubted !== values.region) {
          setRegionDoubted(values.region);
          return form.refuse('region', doubt);
        }
        onDone({ ...values, accountId: values.accountId.trim() });
      }}
    >
      <h2>Where are your tables?</h2>
      <TextField
        label="Schema name"
        hint={
          <>
            What stands before the table in SQL:{' '}
            <code>SELECT * FROM {values.schemaName || 'shop'}.orders</code>
          </>
        }
        problem={problems.schemaName}
        value={values.schemaName}
        onValue={(value) => set('schemaName', value)}
        maxLength={64}
        autocomplete="off"
        spellcheck={false}
      />
      <div class="field-row">
        <RegionField
          value={values.region}
          onValue={(value) => set('region', value)}
          problem={problems.region}
        />
        <TextField
          label="AWS account ID"
          hint="12 digits, at the top right of the AWS console."
          problem={problems.accountId}
          value={values.accountId}
          onValue={(value) => set('accountId', value.replaceAll(/[\s-]/g, ''))}
          inputMode="numeric"
          maxLength={16}
          autocomplete="off"
        />
      </div>
      {asksForPenstock ? (
        <TextField
          label="Account that Penstock runs in"
          hint="12 digits, as whoever runs Penstock for you tells you. Your role will trust it."
          problem={problems.penstockAccountId}
          value={values.penstockAccountId}
          onValue={(value) => set('penstockAccountId', value.replaceAll(/[\s-]/g, ''))}
          inputMode="numeric"
          maxLength={16}
          autocomplete="off"
        />
      ) : null}
      <ChoiceField
        label="Which tables may be read?"
        value={values.choice}
        onValue={(value) => set('choice', value)}
        options={[
          { value: 'named', label: 'Those that I name', hint: 'The role can read these and no other.' },
          {
            value: 'tagged',
            label: 'Those that I tag',
            hint: (
              <>
                Every table tagged <code>penstock = read</code>, now or later. For more than some 60 tables.
              </>
            ),
          },
        ]}
      />
      {values.choice === 'named' ? (
        <TextAreaField
          label="Table names"
          hint="One on a line, as in DynamoDB; capitals count. Their indexes are included."
          problem={problems.tables}
          value={values.tables}
          onValue={(value) => set('tables', value)}
          rows={4}
          spellcheck={false}
          autocomplete="off"
        />
      ) : null}
      <div class="actions end">
        <Button kind="primary" type="submit">
          Next: the role
        </Button>
      </div>
    </form>
  );
}
