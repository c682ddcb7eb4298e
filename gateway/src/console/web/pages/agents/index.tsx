/** The Agents page: how to connect each MCP client, and which ones this user has allowed. */
import { session } from '../../app/session.ts';
import { CopyBlock } from '../../components/copy-button.tsx';
import { Notice } from '../../components/notice.tsx';
import { PageHead } from '../common/page-head.tsx';
import { AllowedAgents } from './allowed.tsx';
import { agentClients, isLocal, type AgentClient } from './clients.ts';

function Client({ client: { name, words, snippet } }: { readonly client: AgentClient }) {
  return (
    <details class="agent" name="agent">
      <summary>{name}</summary>
      <div class="agent-how">
        {snippet.file === null ? null : (
          <p>
            In <code>{snippet.file}</code>:
          </p>
        )}
        <CopyBlock text={snippet.text} what={`what ${name} needs`} />
        {words === '' ? null : <p class="hint">{words}</p>}
      </div>
    </details>
  );
}

export default function AgentsPage() {
  const { mcp } = session.value.urls;
  return (
    <div class="page">
      <PageHead
        title="Agents"
        lead="Let an assistant query your tables over the Model Context Protocol. It finds the sign-in by itself, and you allow it there."
      />
      <section class="card">
        <h2>Connect an agent</h2>
        <p>Give the client this address; it opens a browser, and you sign in and allow it.</p>
        <CopyBlock text={mcp} what="the address" />
        {isLocal(mcp) ? (
          <Notice kind="info">
            <p>
              This address is of this computer or network: clients here reach it, services on the internet
              (Claude, ChatGPT) do not.
            </p>
          </Notice>
        ) : null}
        <div class="agents">
          {agentClients(mcp).map((client) => (
            <Client key={client.name} client={client} />
          ))}
        </div>
      </section>
      <AllowedAgents />
    </div>
  );
}
