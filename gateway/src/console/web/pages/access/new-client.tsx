import { useState } from 'preact/hooks';
import type { ClientCredentials, NewClient } from '../../../api/clients.ts';
import { PATHS } from '../../../api/paths.ts';
import type { Scope } from '../../../api/session.ts';
import { session } from '../../app/session.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { CheckField, TextField } from '../../components/fields.tsx';
import { ProblemNotice } from '../../components/notice.tsx';
import { ask } from '../../net/request.ts';
import { useAction } from '../common/use-action.ts';
import { DEFAULT_SCOPES, SCOPES } from './rights.ts';

interface NewClientDialogProps {
  readonly onClose: () => void;
  readonly onMade: (made: ClientCredentials) => void;
}

export function NewClientDialog({ onClose, onMade }: NewClientDialogProps) {
  const { nameCharsMax } = session.value.limits;
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>(DEFAULT_SCOPES);
  const [isSent, setSent] = useState(false);
  const create = useAction((body: NewClient) =>
    ask<ClientCredentials>(PATHS.clients, { method: 'POST', body }),
  );
  const nameProblem =
    name.trim() === ''
      ? 'Say what it is for'
      : name.length > nameCharsMax
        ? `At most ${nameCharsMax} characters`
        : undefined;
  const submit = async (): Promise<void> => {
    setSent(true);
    if (nameProblem !== undefined || scopes.length === 0) return;
    const made = await create.run({ name: name.trim(), scopes });
    if (made !== null) onMade(made);
  };
  return (
    <Dialog
      title="New API client"
      onClose={onClose}
      onSubmit={() => void submit()}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={create.isBusy}>
            Make it
          </Button>
        </>
      }
    >
      <TextField
        label="Name"
        hint="The program that will use it, for example nightly-report."
        problem={isSent ? nameProblem : undefined}
        value={name}
        onValue={setName}
        maxLength={nameCharsMax}
        autocomplete="off"
        autofocus
      />
      <fieldset class="choice-field">
        <legend>It may</legend>
        {SCOPES.map((scope) => (
          <CheckField
            key={scope.name}
            label={<code>{scope.name}</code>}
            hint={scope.words}
            checked={scopes.includes(scope.name)}
            onValue={(isChecked) =>
              setScopes(
                SCOPES.map((each) => each.name).filter((each) =>
                  each === scope.name ? isChecked : scopes.includes(each),
                ),
              )
            }
          />
        ))}
        {isSent && scopes.length === 0 ? (
          <p class="field-problem" role="alert">
            Choose one at least
          </p>
        ) : null}
      </fieldset>
      {create.problem === null ? null : <ProblemNotice title="No client was made" problem={create.problem} />}
    </Dialog>
  );
}
