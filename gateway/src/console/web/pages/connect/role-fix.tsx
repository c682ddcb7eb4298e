/** The other way to mend a role that is not let in: the schema names another role, or sends another external ID. */
import { useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { TextField } from '../../components/fields.tsx';
import { ProblemNotice } from '../../components/notice.tsx';
import { changeSchema, type SchemaRecord } from '../common/schemas.ts';
import { useAction } from '../common/use-action.ts';
import { fieldProblem, roleArnProblem } from './field-problems.ts';

interface RoleFixProps {
  readonly schema: SchemaRecord;
  readonly onChange: (schema: SchemaRecord) => void;
}

export function RoleFix({ schema, onChange }: RoleFixProps) {
  const [roleArn, setRoleArn] = useState(schema.roleArn);
  const [externalId, setExternalId] = useState(schema.externalId);
  const [isSent, setSent] = useState(false);
  const save = useAction((change: Parameters<typeof changeSchema>[1]) =>
    changeSchema(schema.schemaName, change),
  );
  const wrongArn = roleArnProblem(roleArn.trim(), schema.accountId);
  const wrongId = fieldProblem('externalId', externalId.trim());
  const isChanged = roleArn.trim() !== schema.roleArn || externalId.trim() !== schema.externalId;
  const submit = async (): Promise<void> => {
    setSent(true);
    if (wrongArn !== undefined || wrongId !== undefined || !isChanged) return;
    const changed = await save.run({ roleArn: roleArn.trim(), externalId: externalId.trim() });
    if (changed !== null) onChange(changed);
  };
  return (
    <form
      class="role-fix"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <h3>Or change what this schema sends</h3>
      <TextField
        label="Role ARN"
        problem={isSent ? wrongArn : undefined}
        value={roleArn}
        onValue={setRoleArn}
        autocomplete="off"
        spellcheck={false}
      />
      <TextField
        label="External ID"
        problem={isSent ? wrongId : undefined}
        value={externalId}
        onValue={setExternalId}
        autocomplete="off"
        spellcheck={false}
      />
      {save.problem === null ? null : <ProblemNotice problem={save.problem} />}
      <Button type="submit" busy={save.isBusy} disabled={!isChanged}>
        Save and check again
      </Button>
    </form>
  );
}
