/** People of the tenant: who they are, what they may do, and how they get in. */
import { useState } from 'preact/hooks';
import { PATHS, personActionPath, personPath } from '../../../api/paths.ts';
import type { Invitation, Person, PersonChange } from '../../../api/people.ts';
import { session } from '../../app/session.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Foreign } from '../../components/foreign.tsx';
import { Icon } from '../../components/icon.tsx';
import { notify } from '../../components/toasts.tsx';
import { ask } from '../../net/request.ts';
import { Shown } from '../common/shown.tsx';
import { useList } from '../common/use-asked.ts';
import { InvitationCard } from './invitation-card.tsx';
import { invitations } from './shown-once.ts';
import { InviteDialog } from './invite.tsx';
import { PeopleTable } from './people-table.tsx';
import { ROLES } from './rights.ts';

export type OpenPerson =
  | { readonly kind: 'invite' }
  | { readonly kind: 'disable' | 'new-device'; readonly person: Person }
  | { readonly kind: 'role'; readonly person: Person }
  | null;

export function PeopleTab() {
  const people = useList<Person>(PATHS.people);
  const [open, setOpen] = useState<OpenPerson>(null);
  const { peopleMax } = session.value.limits;
  const isFull = (people.value?.length ?? 0) >= peopleMax;
  const close = (): void => setOpen(null);
  const change = async (person: Person, action: 'disable' | 'enable') => {
    const outcome = await ask<Person>(personActionPath(person.userId, action), { method: 'POST' });
    if (!outcome.ok) return outcome.problem;
    notify(`${person.email} is ${action}d`, 'success');
    await people.again();
    return null;
  };
  return (
    <>
      {invitations.shown.value.map((each) => (
        <InvitationCard key={each.enrollUrl} invitation={each} onDone={() => invitations.forget(each)} />
      ))}
      <div class="tab-head">
        <p class="lead">
          Colleagues who sign in here, and through agents.{isFull ? ` There can be ${peopleMax}.` : ''}
        </p>
        <Button kind="primary" disabled={isFull} onClick={() => setOpen({ kind: 'invite' })}>
          <Icon name="plus" />
          Invite somebody
        </Button>
      </div>
      <Shown asked={people} what="the people">
        {(all) => (
          <PeopleTable
            people={all}
            onOpen={setOpen}
            onEnable={(person) =>
              void change(person, 'enable').then((problem) => problem && notify(problem.message, 'problem'))
            }
          />
        )}
      </Shown>
      <dl class="rights">
        {ROLES.map(({ name, words }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      {open?.kind === 'invite' ? (
        <InviteDialog
          onClose={close}
          onInvited={(invited) => {
            close();
            invitations.show(invited);
            void people.again();
          }}
        />
      ) : null}
      {open?.kind === 'role' ? (
        <RoleDialog
          person={open.person}
          onClose={close}
          onConfirm={async () => {
            const body: PersonChange = { role: open.person.role === 'admin' ? 'member' : 'admin' };
            const outcome = await ask<Person>(personPath(open.person.userId), { method: 'PATCH', body });
            if (!outcome.ok) return outcome.problem;
            await people.again();
            return null;
          }}
        />
      ) : null}
      {open?.kind === 'disable' ? (
        <ConfirmDialog
          title="Disable this person?"
          action="Disable"
          onConfirm={() => change(open.person, 'disable')}
          onClose={close}
        >
          <p>
            <Foreign text={open.person.email} /> is out within seconds, here and in all agents that they
            allowed. They can be enabled again.
          </p>
        </ConfirmDialog>
      ) : null}
      {open?.kind === 'new-device' ? (
        <ConfirmDialog
          title="Let them enroll a new device?"
          action="End the old ones, make a link"
          onConfirm={async () => {
            const outcome = await ask<Invitation>(personActionPath(open.person.userId, 'enroll-again'), {
              method: 'POST',
            });
            if (!outcome.ok) return outcome.problem;
            invitations.show(outcome.value);
            await people.again();
            return null;
          }}
          onClose={close}
        >
          <p>
            For somebody who has lost theirs. The passkeys and the one-time code of{' '}
            <Foreign text={open.person.email} /> end, with all of their sessions; you get a link with which
            they enroll again.
          </p>
        </ConfirmDialog>
      ) : null}
    </>
  );
}

interface RoleDialogProps {
  readonly person: Person;
  readonly onClose: () => void;
  readonly onConfirm: Parameters<typeof ConfirmDialog>[0]['onConfirm'];
}

function RoleDialog({ person, onClose, onConfirm }: RoleDialogProps) {
  const next = ROLES.find(({ name }) => name !== person.role);
  const title = person.role === 'admin' ? 'Make them a member?' : 'Make them an admin?';
  const action = person.role === 'admin' ? 'Make a member' : 'Make an admin';
  return (
    <ConfirmDialog title={title} action={action} onConfirm={onConfirm} onClose={onClose}>
      <p>
        <Foreign text={person.email} />, as {next?.name}: {next?.words}
      </p>
    </ConfirmDialog>
  );
}
