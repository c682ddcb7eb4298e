import { useState } from 'preact/hooks';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { TextField } from '../../../components/fields.tsx';
import { setUnitsWarned, unitsWarned } from './plan-ahead.ts';

/** Sets from how many units on the estimate is amber and a run ends, in this browser. */
export function LimitDialog({ onClose }: { readonly onClose: () => void }) {
  const [value, setValue] = useState(String(unitsWarned.peek() ?? ''));
  const number = Number(value);
  const isWrong = value.trim() !== '' && !(Number.isFinite(number) && number > 0);
  const save = (): void => {
    if (isWrong) return;
    setUnitsWarned(value.trim() === '' ? null : number);
    onClose();
  };
  return (
    <Dialog
      title="Limit of a query"
      onClose={onClose}
      onSubmit={save}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={isWrong}>
            Save
          </Button>
        </>
      }
    >
      <TextField
        label="Read units of one query"
        value={value}
        onValue={setValue}
        placeholder="No limit"
        autofocus
        problem={isWrong ? 'Write a number above 0, or nothing for no limit.' : undefined}
        hint="The estimate turns amber above it, and a query that would read more is refused, or stopped. Kept in this browser."
      />
    </Dialog>
  );
}
