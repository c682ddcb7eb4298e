import { useState } from 'preact/hooks';
import { session } from '../../../app/session.ts';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { TextField } from '../../../components/fields.tsx';
import { ProblemNotice } from '../../../components/notice.tsx';
import { notify } from '../../../components/toasts.tsx';
import type { Problem } from '../../../net/outcome.ts';
import { origin, text } from '../text.ts';
import { mayChange, saveChange, saveNew } from './saved.ts';

/** Saves what is in the editor: under a new name, or over the saved query that it came from, where one may change that. */
export function SaveDialog({ onClose }: { readonly onClose: () => void }) {
  const from = origin.peek();
  const isOthers = from !== null && !mayChange(from);
  const [name, setName] = useState(from === null ? '' : isOthers ? `${from.name} (copy)` : from.name);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const isChange = from !== null && !isOthers && name.trim() === from.name;
  const save = async (): Promise<void> => {
    const wanted = name.trim();
    if (wanted === '' || isBusy) return;
    setBusy(true);
    const sql = text.peek();
    const saved = isChange
      ? await saveChange(from.savedQueryId, { sql, version: from.version })
      : await saveNew({ name: wanted, sql });
    setBusy(false);
    if (!saved.ok) return setProblem(saved.problem);
    const { savedQueryId, version, createdBy } = saved.value;
    origin.value = { savedQueryId, name: saved.value.name, version, sql, createdBy };
    notify(`Saved as ${saved.value.name}`, 'success');
    onClose();
  };
  return (
    <Dialog
      title="Save the query"
      onClose={onClose}
      onSubmit={() => void save()}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={isBusy} disabled={name.trim() === ''}>
            {isChange ? 'Save changes' : isOthers ? 'Save a copy' : 'Save'}
          </Button>
        </>
      }
    >
      <TextField
        label="Name"
        value={name}
        onValue={setName}
        autofocus
        autocomplete="off"
        maxLength={session.value.limits.savedQueryNameCharsMax}
        hint={
          isChange
            ? 'Another name saves it beside the one there is.'
            : isOthers
              ? `${from.name} is ${from.createdBy}’s: your copy stands beside it.`
              : 'Everybody of your tenant sees it.'
        }
      />
      {problem === null ? null : <ProblemNotice problem={problem} />}
    </Dialog>
  );
}
