import { useState } from 'preact/hooks';
import { PATHS } from '../../../api/paths.ts';
import type { Invitation, NewPerson } from '../../../api/people.ts';
import type { Role } from '../../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { TextField } from '../../components/fields.tsx';
import { ProblemNotice } from '../../components/notice.tsx';
import { ask } from '../../net/request.ts';
import { ChoiceField } from '../common/choice-field.tsx';
import { useAction } from '../common/use-action.ts';
import { ROLES } from './rights.ts';

/** What has to be in an address before it is worth asking; the API decides. */
const ADDRESS = /^[^\s@]+@[^\s@]+$/;

interface InviteDialogProps {
  readonly onClose: () => void;
  readonly onInvited: (invitation: Invitation) => void;
}

export function InviteDialog({ onClose, onInvited }: InviteDialogProps) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('member');
  const [isSent, setSent] = useState(false);
  const invite = useAction((body: NewPerson) => ask<Invitation>(PATHS.people, { method: 'POST', body }));
  const problem = ADDRESS.test(email.trim()) ? undefined : 'Give an e-mail address, such as ada@example.com';
  const submit = async (): Promise<void> => {
    setSent(true);
    if (problem !== undefined) return;
    const invited = await invite.run({ email: email.trim(), role });
    if (invited !== null) onInvited(invited);
  };
  return (
    <Dialog
      title="Invite somebody"
      onClose={onClose}
      onSubmit={() => void submit()}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={invite.isBusy}>
            Make the link
          </Button>
        </>
      }
    >
      <p>You get a link to send them. With it they set up how they sign in.</p>
      <TextField
        label="E-mail address"
        type="email"
        problem={isSent ? problem : undefined}
        value={email}
        onValue={setEmail}
        autocomplete="off"
        maxLength={320}
        autofocus
      />
      <ChoiceField
        label="Role"
        value={role}
        onValue={(value) => setRole(value === 'admin' ? 'admin' : 'member')}
        options={ROLES.map(({ name, words }) => ({
          value: name,
          label: name === 'admin' ? 'Admin' : 'Member',
          hint: words,
        }))}
      />
      {invite.problem === null ? null : <ProblemNotice title="Nobody was invited" problem={invite.problem} />}
    </Dialog>
  );
}
