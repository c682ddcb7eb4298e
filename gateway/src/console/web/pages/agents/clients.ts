/**
 * How each MCP client is connected: the table of gateway/agents.md, for this deployment's URL. A test holds the two
 * against each other.
 */

/** What to copy, and where it goes. */
export interface Snippet {
  /** A file, or null for a command of a shell. */
  readonly file: string | null;
  readonly text: string;
}

export interface AgentClient {
  readonly name: string;
  /** What to do besides, in words; empty: nothing. */
  readonly words: string;
  readonly snippet: Snippet;
}

const command = (text: string): Snippet => ({ file: null, text });

const json = (file: string, value: object): Snippet => ({ file, text: JSON.stringify(value, null, 2) });

/** Whether the URL can be reached by a service on the internet: not one of this computer or a private network. */
export function isLocal(url: string): boolean {
  const host = new URL(url).hostname;
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    host === '[::1]' ||
    (/^[\d.]+$/.test(host) && /^(?:127|10|192\.168|172\.(?:1[6-9]|2\d|3[01]))\./.test(host))
  );
}

/** @param url where this deployment serves MCP: `https://mcp.example.com/mcp` */
export function agentClients(url: string): readonly AgentClient[] {
  return [
    {
      name: 'Claude Code',
      words: 'Then /mcp in a session.',
      snippet: command(`claude mcp add --transport http penstock ${url}`),
    },
    {
      name: 'Claude, Claude Desktop',
      words: 'Settings, Connectors, Add custom connector: this URL. It must be reachable from the internet.',
      snippet: command(url),
    },
    {
      name: 'ChatGPT',
      words:
        'Settings, Connectors, Advanced, Developer mode; then Create: this URL, OAuth. It must be reachable from the internet.',
      snippet: command(url),
    },
    {
      name: 'VS Code',
      words: '',
      snippet: json('.vscode/mcp.json', { servers: { penstock: { type: 'http', url } } }),
    },
    {
      name: 'Codex',
      words: '',
      snippet: command(`codex mcp add penstock --url ${url}\ncodex mcp login penstock`),
    },
    {
      name: 'Gemini CLI',
      words: 'Then /mcp auth penstock in a session.',
      snippet: command(`gemini mcp add --transport http penstock ${url}`),
    },
    {
      name: 'Cursor, and clients that only start programs',
      words: 'Through mcp-remote, which stands in between.',
      snippet: json('~/.cursor/mcp.json', {
        mcpServers: { penstock: { command: 'npx', args: ['-y', 'mcp-remote', url] } },
      }),
    },
  ];
}
