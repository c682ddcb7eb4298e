import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { TOOL, type Agent, type AgentOptions } from './client.ts';
import { memoryProvider } from './memory-provider.ts';

/** `@modelcontextprotocol/client`, v2, in one of its modes. */
export function clientV2(mode: 'auto' | 'legacy' | { readonly pin: string }, options: AgentOptions): Agent {
  const provider = memoryProvider(options);
  const url = new URL(`${options.mcpUrl}/mcp`);
  let client: Client | null = null;
  const connectOnce = async (): Promise<StreamableHTTPClientTransport> => {
    const transport = new StreamableHTTPClientTransport(url, { authProvider: provider });
    client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    try {
      await client.connect(transport);
    } catch (error) {
      if (!(error instanceof UnauthorizedError)) throw error;
    }
    return transport;
  };
  const callTool = async (): Promise<void> => {
    if (client === null) throw new Error('not connected');
    const { isError } = await client.callTool({ name: TOOL, arguments: {} });
    if (isError) throw new Error(`${TOOL} failed`);
  };
  return {
    async connect(browse) {
      const first = await connectOnce();
      await first.finishAuth((await browse(provider.askedUrl())).searchParams);
      await connectOnce();
    },
    callTool,
    async refresh() {
      provider.expire();
      await callTool();
    },
    tokens: () => provider.held(),
    close: async () => client?.close(),
  };
}
