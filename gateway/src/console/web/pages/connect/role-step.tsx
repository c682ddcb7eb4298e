/** Step two: the role in the customer's account, in whichever form they make it, and its ARN. */
import { useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { TextField } from '../../components/fields.tsx';
import { Notice, ProblemNotice } from '../../components/notice.tsx';
import type { Problem } from '../../net/outcome.ts';
import { arnOf, draftOf, type WizardValues } from './draft.ts';
import { roleArnProblem } from './field-problems.ts';
import { isTooLong, permissions } from './role/policies.ts';
import { RoleForms, type Template } from './role-forms.tsx';

interface RoleStepProps {
  readonly values: WizardValues;
  readonly onValues: (values: WizardValues) => void;
  readonly penstockAccountId: string;
  readonly template: Template;
  readonly onBack: () => void;
  readonly onDone: () => void;
  readonly isBusy: boolean;
  readonly problem: Problem | null;
}

export function RoleStep({
  values,
  onValues,
  penstockAccountId,
  template,
  onBack,
  onDone,
  isBusy,
  problem,
}: RoleStepProps) {
  const [isSent, setSent] = useState(false);
  const draft = draftOf(values, penstockAccountId);
  const roleArn = arnOf(values);
  const wrong = roleArnProblem(roleArn, values.accountId);
  return (
    <>
      <section class="card">
        <h2>Make the role</h2>
        <p>
          It trusts the account of Penstock, <code>{penstockAccountId}</code>, and only under this external
          ID, which was made for you just now and is for nothing else:
        </p>
        <p class="with-copy">
          <code class="external-id">{values.externalId}</code>
          <CopyButton text={values.externalId} what="the external ID" />
        </p>
        {isTooLong(permissions(draft)) ? (
          <Notice kind="warning" title="Too many tables for one role">
            <p>
              IAM takes 10,240 characters of permissions. Go back and choose tables by a tag, which has no
              such end.
            </p>
          </Notice>
        ) : (
          <RoleForms draft={draft} template={template} />
        )}
      </section>
      <form
        class="card"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setSent(true);
          if (wrong === undefined) onDone();
          else event.currentTarget.querySelector('input')?.focus();
        }}
      >
        <h2>Tell Penstock</h2>
        <TextField
          label="Role ARN"
          hint="As the stack's output or the commands say it. If you kept the name, it is this."
          problem={isSent ? wrong : undefined}
          value={values.roleArn === '' ? roleArn : values.roleArn}
          onValue={(value) => onValues({ ...values, roleArn: value })}
          autocomplete="off"
          spellcheck={false}
        />
        {problem === null ? null : <ProblemNotice title="The schema was not created" problem={problem} />}
        <div class="actions end">
          <Button onClick={onBack}>Back</Button>
          <Button kind="primary" type="submit" busy={isBusy}>
            Create the schema and check
          </Button>
        </div>
      </form>
    </>
  );
}
