import { useState } from 'preact/hooks';
import type { SavedQuery } from '../../../../api/saved-queries.ts';
import { session } from '../../../app/session.ts';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { TextField } from '../../../components/fields.tsx';
import { ProblemNotice } from '../../../components/notice.tsx';
import { notify } from '../../../components/toasts.tsx';
import type { Problem } from '../../../net/outcome.ts';
import { openSaved } from '../open.ts';
import { origin, text } from '../text.ts';
import { Conflict } from './conflict.tsx';
import { mayChange } from './may-change.ts';
import { saveAsNew, saveOver, type SaveOutcome } from './save.ts';

/** Saves what is in the editor: under a new name, or over the saved query that it came from, where one may change that. */
export function SaveDialog({ onClose }: { readonly onClose: () => void }) {
  const from = origin.peek();
  const isOthers = from !== null && !mayChange(from);
  const [name, setName] = useState(from === null ? '' : isOthers ? `${from.name} (copy)` : from.name);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [theirs, setTheirs] = useState<SavedQuery | null>(null);
  const isChange = from !== null && !isOthers && name.trim() === from.name;
  const save = async (begin: (sql: string) => Promise<SaveOutcome>): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    setProblem(null);
    const sql = text.peek();
    const outcome = await begin(sql);
    setBusy(false);
    if (outcome.kind === 'failed') return setProblem(outcome.problem);
    if (outcome.kind === 'conflict') return setTheirs(outcome.theirs);
    const { savedQueryId, name: savedName, version, createdBy } = outcome.query;
    origin.value = { savedQueryId, name: savedName, version, sql, createdBy };
    notify(`Saved as ${savedName}`, 'success');
    onClose();
  };
  const wanted = name.trim();
  const saveNamed = (): void => {
    if (wanted !== '') void save((sql) => (isChange ? saveOver(from, sql) : saveAsNew(wanted, sql)));
  };
  if (theirs !== null) {
    const copy = `${theirs.name} (mine)`;
    return (
      <Dialog
        title="Two versions of the query"
        wide
        onClose={onClose}
        actions={
          <>
            <Button onClick={() => (openSaved(theirs), onClose())}>Open the saved one</Button>
            <Button kind="danger" busy={isBusy} onClick={() => void save((sql) => saveOver(theirs, sql))}>
              Save yours over it
            </Button>
            <Button kind="primary" busy={isBusy} onClick={() => void save((sql) => saveAsNew(copy, sql))}>
              Keep both
            </Button>
          </>
        }
      >
        <Conflict theirs={theirs} mine={text.peek()} />
        <p class="hint">Keep both saves yours as “{copy}”.</p>
        {problem === null ? null : <ProblemNotice problem={problem} />}
      </Dialog>
    );
  }
  return (
    <Dialog
      title="Save the query"
      onClose={onClose}
      onSubmit={saveNamed}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={isBusy} disabled={wanted === ''}>
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
