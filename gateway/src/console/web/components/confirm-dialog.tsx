import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Problem } from '../net/outcome.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { TextField } from './fields.tsx';
import { ProblemNotice } from './notice.tsx';

interface ConfirmDialogProps {
  readonly title: string;
  /** What will happen, and what can't be undone. */
  readonly children: ComponentChildren;
  /** On the button: the verb and its object. */
  readonly action: string;
  /** Typed before the button can be pressed, for what hurts most. */
  readonly nameToType?: string;
  /** What failed, or null once it is done; then the dialog closes. */
  readonly onConfirm: () => Promise<Problem | null>;
  readonly onClose: () => void;
}

/** Asks before something is done that can't be undone. */
export function ConfirmDialog({
  title,
  children,
  action,
  nameToType,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const [typed, setTyped] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const mayGo = nameToType === undefined || typed === nameToType;
  const confirm = async (): Promise<void> => {
    if (!mayGo || isBusy) return;
    setBusy(true);
    const found = await onConfirm();
    setBusy(false);
    setProblem(found);
    if (found === null) onClose();
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={() => void confirm()}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="danger" type="submit" busy={isBusy} disabled={!mayGo}>
            {action}
          </Button>
        </>
      }
    >
      {children}
      {nameToType === undefined ? null : (
        <TextField
          label={`Type ${nameToType} to confirm`}
          value={typed}
          onValue={setTyped}
          autocomplete="off"
          spellcheck={false}
        />
      )}
      {problem === null ? null : <ProblemNotice problem={problem} />}
    </Dialog>
  );
}
