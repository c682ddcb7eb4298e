import type { Person } from '../../../api/people.ts';
import { Button } from '../../components/button.tsx';
import { Foreign } from '../../components/foreign.tsx';
import { Moment } from '../common/moment.tsx';
import type { OpenPerson } from './people-tab.tsx';
import { StatusButton } from './status-button.tsx';

interface PeopleTableProps {
  readonly people: readonly Person[];
  readonly onOpen: (open: OpenPerson) => void;
  readonly onEnable: (person: Person) => void;
}

function State({ person }: { readonly person: Person }) {
  if (person.status === 'disabled') return <span class="badge">disabled</span>;
  if (!person.enrolled) return <span class="badge">invited</span>;
  return null;
}

export function PeopleTable({ people, onOpen, onEnable }: PeopleTableProps) {
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label="People">
      <table class="table stacks">
        <thead>
          <tr>
            <th scope="col">Person</th>
            <th scope="col">Role</th>
            <th scope="col">Signed in</th>
            <th scope="col">
              <span class="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {people.map((person) => (
            <tr key={person.userId} class={person.status === 'disabled' ? 'off' : ''}>
              <th scope="row">
                <Foreign text={person.email} /> {person.self ? <span class="muted">(you)</span> : null}{' '}
                <State person={person} />
              </th>
              <td data-label="Role">{person.role}</td>
              <td data-label="Signed in">
                {person.lastSignedInAt === null ? (
                  <span class="muted">not yet</span>
                ) : (
                  <Moment at={person.lastSignedInAt} />
                )}
              </td>
              <td>{person.self ? null : <Actions person={person} onOpen={onOpen} onEnable={onEnable} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Actions({
  person,
  onOpen,
  onEnable,
}: { readonly person: Person } & Omit<PeopleTableProps, 'people'>) {
  return (
    <div class="actions row-actions">
      <Button
        small
        aria-label={`${person.role === 'admin' ? 'Make a member' : 'Make an admin'}: ${person.email}`}
        onClick={() => onOpen({ kind: 'role', person })}
      >
        {person.role === 'admin' ? 'Make a member' : 'Make an admin'}
      </Button>
      <Button
        small
        aria-label={`New device for ${person.email}`}
        onClick={() => onOpen({ kind: 'new-device', person })}
      >
        New device
      </Button>
      <StatusButton
        name={person.email}
        status={person.status}
        onDisable={() => onOpen({ kind: 'disable', person })}
        onEnable={() => onEnable(person)}
      />
    </div>
  );
}
