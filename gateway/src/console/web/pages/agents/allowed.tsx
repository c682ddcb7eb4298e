import { useState } from 'preact/hooks';
import type { Agent } from '../../../api/agents.ts';
import { agentPath, PATHS } from '../../../api/paths.ts';
import type { Deleted } from '../../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Foreign } from '../../components/foreign.tsx';
import { notify } from '../../components/toasts.tsx';
import { ask } from '../../net/request.ts';
import { Moment } from '../common/moment.tsx';
import { Shown } from '../common/shown.tsx';
import { useList } from '../common/use-asked.ts';

const SCOPE_WORDS = Object.freeze({ query: 'run queries', 'schemas:read': 'see tables' });

/** Agents that this user let in, each to be revoked. */
export function AllowedAgents() {
  const agents = useList<Agent>(PATHS.agents);
  const [revoking, setRevoking] = useState<Agent | null>(null);
  return (
    <section class="card" aria-label="Agents that you allowed">
      <h2>Agents that you allowed</h2>
      <Shown asked={agents} what="your agents">
        {(all) =>
          all.length === 0 ? (
            <p class="muted">None at present. What you allow ends by itself 12 hours after the sign-in.</p>
          ) : (
            <div class="table-scroll" tabIndex={0} role="region" aria-label="Agents">
              <table class="table stacks">
                <thead>
                  <tr>
                    <th scope="col">Agent</th>
                    <th scope="col">May</th>
                    <th scope="col">Allowed</th>
                    <th scope="col">Ends</th>
                    <th scope="col">
                      <span class="sr-only">Actions</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {all.map((agent) => (
                    <tr key={agent.agentId}>
                      <th scope="row">
                        <Foreign text={agent.name} />
                        <span class="hint block">
                          calls itself so; sent to <Foreign text={agent.redirectHost} />
                        </span>
                      </th>
                      <td data-label="May">{agent.scopes.map((scope) => SCOPE_WORDS[scope]).join(', ')}</td>
                      <td data-label="Allowed">
                        <Moment at={agent.allowedAt} />
                      </td>
                      <td data-label="Ends">
                        <Moment at={agent.expiresAt} />
                      </td>
                      <td>
                        <div class="actions row-actions">
                          <Button
                            small
                            kind="danger"
                            aria-label={`Revoke ${agent.name}`}
                            onClick={() => setRevoking(agent)}
                          >
                            Revoke
                          </Button>
                        </div>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </Shown>
      {revoking === null ? null : (
        <ConfirmDialog
          title="Revoke this agent?"
          action="Revoke"
          onConfirm={async () => {
            const outcome = await ask<Deleted>(agentPath(revoking.agentId), { method: 'DELETE' });
            if (!outcome.ok) return outcome.problem;
            notify(`${revoking.name} is revoked`, 'success');
            await agents.again();
            return null;
          }}
          onClose={() => setRevoking(null)}
        >
          <p>
            <Foreign text={revoking.name} /> is refused within seconds. To use it again you sign in and allow
            it anew.
          </p>
        </ConfirmDialog>
      )}
    </section>
  );
}
