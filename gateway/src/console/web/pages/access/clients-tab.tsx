/** API clients: the machine accounts that use the REST API and MCP. */
import { useState } from 'preact/hooks';
import type { ApiClient, ClientCredentials } from '../../../api/clients.ts';
import { clientActionPath, PATHS } from '../../../api/paths.ts';
import { session } from '../../app/session.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Foreign } from '../../components/foreign.tsx';
import { Icon } from '../../components/icon.tsx';
import { notify } from '../../components/toasts.tsx';
import type { Outcome } from '../../net/outcome.ts';
import { ask } from '../../net/request.ts';
import { Moment } from '../common/moment.tsx';
import { Shown } from '../common/shown.tsx';
import { useList } from '../common/use-asked.ts';
import { NewClientDialog } from './new-client.tsx';
import { SecretCard } from './secret-card.tsx';
import { secrets } from './shown-once.ts';
import { StatusButton } from './status-button.tsx';

type Open =
  | { readonly kind: 'new' }
  | { readonly kind: 'rotate' | 'disable'; readonly client: ApiClient }
  | null;

const act = <T,>(client: ApiClient, action: 'rotate-secret' | 'disable' | 'enable'): Promise<Outcome<T>> =>
  ask<T>(clientActionPath(client.clientId, action), { method: 'POST' });

export function ClientsTab() {
  const clients = useList<ApiClient>(PATHS.clients);
  const [open, setOpen] = useState<Open>(null);
  const { clientsMax } = session.value.limits;
  const close = (): void => setOpen(null);
  const isFull = (clients.value?.length ?? 0) >= clientsMax;
  const make = (
    <Button kind="primary" disabled={isFull} onClick={() => setOpen({ kind: 'new' })}>
      <Icon name="plus" />
      New API client
    </Button>
  );
  const enable = async (client: ApiClient): Promise<void> => {
    const outcome = await act<ApiClient>(client, 'enable');
    if (!outcome.ok) return notify(outcome.problem.message, 'problem');
    notify(`${client.name} is enabled`, 'success');
    await clients.again();
  };
  return (
    <>
      {secrets.shown.value.map((each) => (
        <SecretCard key={each.clientSecret} credentials={each} onDone={() => secrets.forget(each)} />
      ))}
      <Shown asked={clients} what="the API clients">
        {(all) =>
          all.length === 0 ? (
            <EmptyState title="No API client yet" action={make}>
              <p>
                A program signs in as an API client: with its ID and its secret it gets a token, and queries
                over REST or MCP. Make one for each program, so that each can be seen, limited and ended by
                itself.
              </p>
            </EmptyState>
          ) : (
            <>
              <div class="tab-head">
                <p class="lead">
                  Programs that use the REST API, or MCP without a person.
                  {isFull ? ` There can be ${clientsMax}.` : ''}
                </p>
                {make}
              </div>
              <ClientTable clients={all} onOpen={setOpen} onEnable={(client) => void enable(client)} />
            </>
          )
        }
      </Shown>
      {open?.kind === 'new' ? (
        <NewClientDialog
          onClose={close}
          onMade={(made) => {
            close();
            secrets.show(made);
            void clients.again();
          }}
        />
      ) : null}
      {open?.kind === 'rotate' ? (
        <ConfirmDialog
          title="Make a new secret?"
          action="Make a new secret"
          onConfirm={async () => {
            const outcome = await act<ClientCredentials>(open.client, 'rotate-secret');
            if (!outcome.ok) return outcome.problem;
            secrets.show(outcome.value);
            return null;
          }}
          onClose={close}
        >
          <p>
            The secret of <Foreign text={open.client.name} /> and all of its tokens end at once. Until the
            program has the new one, it is refused.
          </p>
        </ConfirmDialog>
      ) : null}
      {open?.kind === 'disable' ? (
        <ConfirmDialog
          title="Disable this API client?"
          action="Disable"
          onConfirm={async () => {
            const outcome = await act<ApiClient>(open.client, 'disable');
            if (!outcome.ok) return outcome.problem;
            notify(`${open.client.name} is disabled`, 'success');
            await clients.again();
            return null;
          }}
          onClose={close}
        >
          <p>
            <Foreign text={open.client.name} /> is refused from now on, and its tokens end within seconds. It
            can be enabled again, with the secret that it has.
          </p>
        </ConfirmDialog>
      ) : null}
    </>
  );
}

interface ClientTableProps {
  readonly clients: readonly ApiClient[];
  readonly onOpen: (open: Open) => void;
  readonly onEnable: (client: ApiClient) => void;
}

function ClientTable({ clients, onOpen, onEnable }: ClientTableProps) {
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label="API clients">
      <table class="table stacks">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Scopes</th>
            <th scope="col">Last used</th>
            <th scope="col">
              <span class="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {clients.map((client) => (
            <tr key={client.clientId} class={client.status === 'disabled' ? 'off' : ''}>
              <th scope="row">
                <Foreign text={client.name} />{' '}
                {client.status === 'disabled' ? <span class="badge">disabled</span> : null}
                <code class="hint block">{client.clientId}</code>
              </th>
              <td data-label="Scopes">
                <span class="scope-list">
                  {client.scopes.map((scope) => (
                    <code key={scope} class="badge">
                      {scope}
                    </code>
                  ))}
                </span>
              </td>
              <td data-label="Last used">
                {client.lastUsedAt === null ? (
                  <span class="muted">not yet</span>
                ) : (
                  <Moment at={client.lastUsedAt} />
                )}
              </td>
              <td>
                <div class="actions row-actions">
                  <Button
                    small
                    aria-label={`New secret for ${client.name}`}
                    onClick={() => onOpen({ kind: 'rotate', client })}
                  >
                    New secret
                  </Button>
                  <StatusButton
                    name={client.name}
                    status={client.status}
                    onDisable={() => onOpen({ kind: 'disable', client })}
                    onEnable={() => onEnable(client)}
                  />
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
