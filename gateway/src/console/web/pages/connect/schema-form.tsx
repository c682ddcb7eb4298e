/** Changes a schema: all that may change of it, with what is not changed left out of the request. */
import { useState } from 'preact/hooks';
import { session } from '../../app/session.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { TextAreaField, TextField } from '../../components/fields.tsx';
import { ProblemNotice } from '../../components/notice.tsx';
import { changeSchema, type ReadLimits, type SchemaChange, type SchemaRecord } from '../common/schemas.ts';
import { useAction } from '../common/use-action.ts';
import { useForm, type Problems } from '../common/use-form.ts';
import { fieldProblem, limitOf, roleArnProblem, tableNames, tablesProblem } from './field-problems.ts';
import { RegionField } from './region-field.tsx';
import { regionDoubt } from './regions.ts';

type Values = {
  readonly region: string;
  readonly accountId: string;
  readonly roleArn: string;
  readonly externalId: string;
  readonly tables: string;
  readonly unitsPerQuery: string;
  readonly unitsPerSecond: string;
};

const text = (limit: number | undefined): string => (limit === undefined ? '' : String(limit));

const startOf = ({
  region,
  accountId,
  roleArn,
  externalId,
  tableAllowlist,
  readLimits,
}: SchemaRecord): Values => ({
  region,
  accountId,
  roleArn,
  externalId,
  tables: tableAllowlist.join('\n'),
  unitsPerQuery: text(readLimits?.unitsPerQuery),
  unitsPerSecond: text(readLimits?.unitsPerSecond),
});

const limitProblem = (name: 'unitsPerQuery' | 'unitsPerSecond', value: string): string | undefined => {
  const found = limitOf(name, value);
  return 'problem' in found ? found.problem : undefined;
};

const allowlistProblem = (value: string): string | undefined => {
  const names = tableNames(value);
  return names.length === 0 || names.join() === '*'
    ? undefined
    : tablesProblem(names, session.value.limits.allowlistTablesMax);
};

function problemsOf(values: Values): Problems<Values> {
  const found = {
    region: fieldProblem('region', values.region),
    accountId: fieldProblem('accountId', values.accountId),
    roleArn: roleArnProblem(values.roleArn, values.accountId),
    externalId: fieldProblem('externalId', values.externalId),
    tables: allowlistProblem(values.tables),
    unitsPerQuery: limitProblem('unitsPerQuery', values.unitsPerQuery),
    unitsPerSecond: limitProblem('unitsPerSecond', values.unitsPerSecond),
  };
  return Object.fromEntries(Object.entries(found).filter(([, problem]) => problem !== undefined));
}

/** Limits as a whole, as the API takes them: what this form does not show stays. */
function limitsOf(values: Values, { readLimits }: SchemaRecord): ReadLimits | null {
  const limit = (name: 'unitsPerQuery' | 'unitsPerSecond'): ReadLimits => {
    const found = limitOf(name, values[name]);
    return 'limit' in found && found.limit !== undefined ? { [name]: found.limit } : {};
  };
  const tables = readLimits?.tableUnitsPerSecond;
  const limits = {
    ...limit('unitsPerQuery'),
    ...limit('unitsPerSecond'),
    ...(tables === undefined ? {} : { tableUnitsPerSecond: tables }),
  };
  return Object.keys(limits).length === 0 ? null : limits;
}

function changeOf(values: Values, schema: SchemaRecord): SchemaChange {
  const start = startOf(schema);
  const changed = (name: keyof Values): boolean => values[name] !== start[name];
  return {
    ...(changed('region') ? { region: values.region } : {}),
    ...(changed('accountId') ? { accountId: values.accountId } : {}),
    ...(changed('roleArn') ? { roleArn: values.roleArn } : {}),
    ...(changed('externalId') ? { externalId: values.externalId } : {}),
    ...(changed('tables') ? { tableAllowlist: tableNames(values.tables) } : {}),
    ...(changed('unitsPerQuery') || changed('unitsPerSecond')
      ? { readLimits: limitsOf(values, schema) }
      : {}),
  };
}

interface SchemaFormProps {
  readonly schema: SchemaRecord;
  readonly onClose: () => void;
  readonly onSaved: (schema: SchemaRecord) => void;
}

export function SchemaForm({ schema, onClose, onSaved }: SchemaFormProps) {
  const [regionDoubted, setRegionDoubted] = useState('');
  const { values, problems, set, check, refuse } = useForm(startOf(schema), problemsOf);
  const save = useAction((change: SchemaChange) => changeSchema(schema.schemaName, change));
  const submit = async (): Promise<void> => {
    if (!check()) return;
    const change = changeOf(values, schema);
    if (Object.keys(change).length === 0) return onClose();
    const doubt = change.region === undefined ? undefined : regionDoubt(change.region);
    if (doubt !== undefined && regionDoubted !== change.region) {
      setRegionDoubted(change.region ?? '');
      return refuse('region', doubt);
    }
    const saved = await save.run(change);
    if (saved !== null) onSaved(saved);
  };
  const field = (name: Exclude<keyof Values, 'tables' | 'region'>, label: string, hint?: string) => (
    <TextField
      label={label}
      {...(hint === undefined ? {} : { hint })}
      problem={problems[name]}
      value={values[name]}
      onValue={(value) => set(name, value.trim())}
      autocomplete="off"
      spellcheck={false}
    />
  );
  return (
    <Dialog
      title={`Edit ${schema.schemaName}`}
      wide
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
      <div class="field-row">
        <RegionField
          value={values.region}
          onValue={(value) => set('region', value)}
          problem={problems.region}
        />
        {field('accountId', 'AWS account ID')}
      </div>
      {field('roleArn', 'Role ARN')}
      {field(
        'externalId',
        'External ID',
        "Change it in the role's trust policy, too: between the two, queries fail.",
      )}
      <TextAreaField
        label="Tables"
        hint="One on a line. * is all that the role may list; empty is all that it may read."
        problem={problems.tables}
        value={values.tables}
        onValue={(value) => set('tables', value)}
        rows={5}
        spellcheck={false}
      />
      <div class="field-row">
        {field('unitsPerQuery', 'Read units a query', 'At most. Empty: no limit.')}
        {field(
          'unitsPerSecond',
          'Read units a second',
          'Of each table, by all queries. Empty: no limit but the tables’ own.',
        )}
      </div>
      {save.problem === null ? null : <ProblemNotice title="Nothing was changed" problem={save.problem} />}
    </Dialog>
  );
}
